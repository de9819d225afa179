// SPDX-License-Identifier: Apache-2.0
// What tests of layers with inner graphs share: models of one such layer, their weights by name,
// and what was recorded.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/autograd/autograd.h"
#include "engine/graph/check.h"
#include "engine/graph/model.h"
#include "engine/memory/scope.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/gate/thread_state.h"
#include "tests/support/graph_chain.h"

namespace tenon::testing {

using Floats = std::vector<float>;

inline GraphContext rows(int64_t features) { return {{{kFreeSize, features}, DType::F32}, 0}; }

inline Model modelOf(const std::vector<NodeSpec>& nodes, int64_t features, uint64_t seed = 1) {
  return Model(checkGraph(*chain(nodes), rows(features)), seed);
}

inline Tensor tensorIn(const Model& model, const std::string& name) {
  for (const NamedTensor& named : model.tensors())
    if (named.name == name) return named.tensor;
  ADD_FAILURE() << "the model has no tensor " << name;
  return Tensor::zeros({1});
}

inline std::vector<std::string> namesIn(const Model& model) {
  std::vector<std::string> names;
  names.reserve(model.tensors().size());
  for (const NamedTensor& named : model.tensors()) names.push_back(named.name);
  return names;
}

inline void setWeight(const Model& model, const std::string& name, const Floats& values) {
  const gate::NoGradGuard noGrad;
  const Tensor tensor = tensorIn(model, name);
  copyInPlace(tensor, Tensor::fromValues<float>(values, tensor.shape()));
}

inline Floats gradientIn(const Model& model, const std::string& name) {
  const Tensor gradient = autograd::gradOf(tensorIn(model, name));
  return gradient.defined() ? gradient.toVector<float>() : Floats();
}

/// Texts of all issues, one a line.
inline std::string issuesOf(const CheckedGraph& graph) {
  std::string all;
  for (const Issue& issue : graph.issues) all += issue.code + ": " + issueLine(issue) + "\n";
  return all;
}
inline std::string issuesOf(const std::vector<NodeSpec>& nodes, int64_t features) {
  return issuesOf(checkGraph(*chain(nodes), rows(features)));
}

/// Operators called, each behind the name of its layer: "block.conv1 linear".
class Calls final : public gate::Listener {
 public:
  void onCall(const gate::CallInfo& info) override {
    lines.push_back(std::string(memory::nameText(memory::currentScope().layer)) + " " +
                    std::string(info.op.id));
    types.push_back(info.outputs.empty() ? DType::Bool : info.outputs[0].dtype());
  }
  int64_t count(const std::string& line) const {
    return std::count(lines.begin(), lines.end(), line);
  }
  DType typeOf(const std::string& line) const {
    const auto at = std::find(lines.begin(), lines.end(), line);
    if (at == lines.end()) {
      ADD_FAILURE() << "no call " << line;
      return DType::Bool;
    }
    return types[static_cast<size_t>(at - lines.begin())];
  }
  std::vector<std::string> lines;
  std::vector<DType> types;
};

}  // namespace tenon::testing
