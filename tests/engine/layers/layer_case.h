// SPDX-License-Identifier: Apache-2.0
// What tests of layers share: plans, and calls with weights made for a plan.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/layers/layer_def.h"

namespace tenon::test {

/// A layer with its parameters on inputs of these shapes.
struct LayerCase {
  const LayerDef* def = nullptr;
  ParamMap params;  ///< complete
  std::vector<PortShape> shapes;
  InnerGraphs graphs = {};  ///< a sample in each slot, required or not

  /// @throws Error for an unknown layer or parameters that do not fit its schema.
  LayerCase(const std::string& id, const ParamMap& given, std::vector<PortShape> inputs);
  PlanRequest request() const { return {params, shapes, &graphs}; }
  LayerPlan plan() const { return def->plan(request()); }
  /// Text of the first issue, with its field; "" if there is none.
  std::string issue() const;
  /// Runs the layer, with room for its first output only. Weights in the order of the plan.
  Tensor run(const std::vector<Tensor>& inputs, const std::vector<Tensor>& weights,
             bool training) const;
  /// All outputs.
  std::vector<Tensor> runAll(const std::vector<Tensor>& inputs, const std::vector<Tensor>& weights,
                             bool training) const;
};

/// "cases" or "initial" of tests/reference/layers.json.
const nlohmann::json& layerReference(const std::string& part);
/// Parameters as a reference case gives them.
ParamMap paramsOf(const nlohmann::json& members);

/// [N, sizes...] of that type.
PortShape portShape(const std::vector<int64_t>& sizes, DType dtype = DType::F32);

/// A tensor's element as f64, whatever its type.
std::vector<double> numbersOf(const Tensor& t);
Tensor tensorOf(const std::vector<double>& numbers, const Shape& shape, DType dtype);

}  // namespace tenon::test
