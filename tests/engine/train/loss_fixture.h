// SPDX-License-Identifier: Apache-2.0
// Toy projects with another loss, a model for it, and two classes instead of four.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "engine/metrics/loss_def.h"
#include "engine/store/checkpoints.h"
#include "engine/train/run_setup.h"
#include "tests/engine/train/train_fixture.h"
#include "tests/support/error_text.h"

namespace tenon::testing {

using Lines = std::vector<std::string>;

class LossChoice : public TrainFixture {
 protected:
  /// The toy project with labels 0 and 1.
  void openTwoClasses(const std::string& extra) {
    open(extra);
    writeToyImages(folder.path(), "train", 96, 8, 2);
    writeToyImages(folder.path(), "test", 40, 8, 2);
    DataSpec data = *project.data;
    data.classes = {"a", "b"};
    project.data = std::make_shared<DataSpec>(std::move(data));
    setPlainData();
  }
  /// Nothing is drawn by lot for a sample.
  void setPlainData() {
    DataSpec data = *project.data;
    std::erase_if(data.transforms, [](const PartSpec& part) { return part.type == "random_flip"; });
    project.data = std::make_shared<DataSpec>(std::move(data));
    change([](TrainSpec& train) { train.schedule = {"constant", {}}; });
  }
  /// A chain of layers; `last`: a layer with its defaults behind them, or empty.
  void setModel(std::vector<NodeSpec> layers, const std::string& last) {
    if (!last.empty()) layers.push_back({"last", last, {}});
    layers.insert(layers.begin(), {"x", "input", {}});
    layers.push_back({"y", "output", {}});
    GraphSpec graph;
    for (size_t i = 0; i < layers.size(); ++i) {
      if (i > 0) graph.edges.push_back({layers[i - 1].id, "", layers[i].id, ""});
      graph.nodes.push_back(std::make_shared<NodeSpec>(layers[i]));
    }
    project.graph = std::make_shared<GraphSpec>(std::move(graph));
  }
  /// "node|field: text" of each issue, with '?' before a warning.
  Lines issues() const {
    Lines out;
    for (const Issue& issue : checkProject(project, folder.path())) {
      const std::string node = issue.place.node.empty() ? "" : issue.place.node + "|";
      out.push_back((issue.severity == Severity::Error ? "" : "?") + node + issue.place.field +
                    ": " + issueText(issue));
    }
    return out;
  }
  Checkpoint newest(RunId run) const {
    return store->checkpoints().load(store->checkpoints().newestWhole(run)->id);
  }
  /// All numbers of the model in its newest checkpoint.
  std::vector<float> weightsOf(RunId run) const {
    std::vector<float> out;
    for (const Part& part : newest(run).parts) {
      if (!part.name.starts_with("model/")) continue;
      const size_t at = out.size();
      out.resize(at + part.data.size() / sizeof(float));
      std::memcpy(out.data() + at, part.data.data(), part.data.size());
    }
    return out;
  }
};

}  // namespace tenon::testing
