// SPDX-License-Identifier: Apache-2.0
// Reads the reference of autocast.
#include "tests/engine/amp/autocast_reference.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace tenon::test {

const Json& autocastReference() {
  static const Json kFile =
      Json::parse(std::ifstream(TENON_SOURCE_DIR "/tests/reference/autocast.json"));
  return kFile;
}

std::vector<Json> autocastCases(const char* key) {
  std::vector<Json> found;
  for (const Json& json : autocastReference().at("cases"))
    if (json.contains(key)) found.push_back(json);
  return found;
}

}  // namespace tenon::test
