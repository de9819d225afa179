// SPDX-License-Identifier: Apache-2.0
// Calls of layers without a graph around them.
#include "tests/engine/layers/layer_case.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/graph/inner_graphs.h"
#include "engine/ops/copy/copy.h"
#include "engine/schema/json.h"
#include "engine/schema/validate.h"
#include "tests/support/graph_chain.h"

namespace tenon::test {
namespace {

/// A graph with a weight that takes any input with channels and keeps its shape.
InnerGraphs sampleGraphs(const LayerDef& def) {
  NodeSpec node{"layer", def.id, {}};
  for (const GraphSlot& slot : def.slots)
    node.graphs[slot.name] = testing::chain({{"act", "prelu", {}}});
  return innerGraphsOf(node, node.id, 1);
}

}  // namespace

LayerCase::LayerCase(const std::string& id, const ParamMap& given, std::vector<PortShape> inputs)
    : def(findLayer(id)), shapes(std::move(inputs)) {
  if (!def) throw Error(Code::Usage, "there is no layer " + id);
  params = completeParams(def->schema, given);
  graphs = sampleGraphs(*def);
}

std::string LayerCase::issue() const {
  const LayerPlan planned = plan();
  return planned.issues.empty() ? "" : issueLine(planned.issues.front());
}

Tensor LayerCase::run(const std::vector<Tensor>& inputs, const std::vector<Tensor>& weights,
                      bool training) const {
  Tensor y;
  LayerCall call{inputs, {&y, 1}, weights, training};
  def->make(request())->forward(call);
  return y;
}

std::vector<Tensor> LayerCase::runAll(const std::vector<Tensor>& inputs,
                                      const std::vector<Tensor>& weights, bool training) const {
  std::vector<Tensor> outputs(plan().outputs.size());
  LayerCall call{inputs, outputs, weights, training};
  def->make(request())->forward(call);
  return outputs;
}

const nlohmann::json& layerReference(const std::string& part) {
  static const nlohmann::json kAll = [] {
    std::ifstream file(TENON_SOURCE_DIR "/tests/reference/layers.json");
    return nlohmann::json::parse(file);
  }();
  return kAll.at(part);
}

ParamMap paramsOf(const nlohmann::json& members) {
  ParamMap params;
  for (const auto& [name, member] : members.items()) {
    ParamValue value;
    if (!paramFromJson(parseJson(member.dump()), value)) throw Error(Code::Usage, name);
    params.set(name, value);
  }
  return params;
}

PortShape portShape(const std::vector<int64_t>& sizes, DType dtype) {
  PortShape shape{{kFreeSize}, dtype};
  shape.sizes.insert(shape.sizes.end(), sizes.begin(), sizes.end());
  return shape;
}

std::vector<double> numbersOf(const Tensor& t) { return to(t, DType::F64).toVector<double>(); }

Tensor tensorOf(const std::vector<double>& numbers, const Shape& shape, DType dtype) {
  return to(Tensor::fromValues(numbers, shape), dtype);
}

}  // namespace tenon::test
