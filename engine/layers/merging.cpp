// SPDX-License-Identifier: Apache-2.0
// Shapes of merges whose inputs may repeat along axes of size 1.
#include "engine/layers/merging.h"

namespace tenon {
namespace {

/// Widens `shape` by `in`; false if they do not fit.
bool widen(PortShape& shape, const PortShape& in) {
  if (shape.sizes.size() != in.sizes.size() || shape.dtype != in.dtype) return false;
  for (size_t a = 0; a < in.sizes.size(); ++a) {
    if (shape.sizes[a] == in.sizes[a] || in.sizes[a] == 1) continue;
    if (shape.sizes[a] != 1) return false;
    shape.sizes[a] = in.sizes[a];
  }
  return true;
}

}  // namespace

LayerPlan planBroadcast(const PlanRequest& request) {
  LayerPlan result;
  PortShape out = request.inputs[0];
  for (const PortShape& in : request.inputs) {
    if (widen(out, in)) continue;
    result.issues.push_back(
        layerIssue("graph.shape-mismatch",
                   TENON_TEXT("inputs must have one shape, but for sizes of 1; got {0} and {1}"),
                   {toString(out), toString(in)}));
    return result;
  }
  result.flops =
      static_cast<double>(request.inputs.size() - 1) * static_cast<double>(out.perSample());
  result.outputs = {std::move(out)};
  return result;
}

}  // namespace tenon
