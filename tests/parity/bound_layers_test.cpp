// SPDX-License-Identifier: Apache-2.0
// No layer of the registry is forgotten by ./dev parity, and none is named that is not there.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "engine/layers/layer_def.h"

namespace tenon::parity {
namespace {

/// The keys of the table LAYERS in families/layers.py, which is where ./dev parity has them from.
std::multiset<std::string> layersWithCases() {
  std::ifstream file(TENON_SOURCE_DIR "/tests/parity/families/layers.py");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const size_t from = text.find("\nLAYERS = {");
  const size_t to = text.find("}\n", from);
  EXPECT_NE(to, std::string::npos) << "families/layers.py wants a table LAYERS";
  if (to == std::string::npos) return {};
  const std::string table = text.substr(from, to - from);
  const std::regex key("\"([a-z0-9_]+)\":");
  std::multiset<std::string> ids;
  for (std::sregex_iterator at(table.begin(), table.end(), key), end; at != end; ++at)
    ids.insert((*at)[1]);
  return ids;
}

TEST(Parity, EveryLayerHasCases) {
  const std::multiset<std::string> ids = layersWithCases();
  ASSERT_GT(allLayers().size(), 70U);
  for (const LayerDef* layer : allLayers()) {
    if (!layer->slots.empty()) continue;  // what they run are other layers
    EXPECT_EQ(ids.count(layer->id), 1U)
        << layer->id << " wants one entry of LAYERS in tests/parity/families/layers.py";
  }
}

TEST(Parity, CasesNameLayersThatAreThere) {
  for (const std::string& id : layersWithCases()) EXPECT_NE(findLayer(id), nullptr) << id;
}

}  // namespace
}  // namespace tenon::parity
