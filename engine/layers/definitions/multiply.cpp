// SPDX-License-Identifier: Apache-2.0
// Layer "multiply": the product of its inputs, as in a gate.
#include "engine/layers/merging.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

std::unique_ptr<Layer> make(const PlanRequest&) {
  return functionLayer([](const LayerCall& call) {
    Tensor product = call.inputs[0];
    for (const Tensor& factor : call.inputs.subspan(1)) product = mul(product, factor);
    return product;
  });
}

}  // namespace

const LayerDef& layerDef_multiply();
const LayerDef& layerDef_multiply() {
  static const LayerDef kDef = {
      .id = "multiply",
      .title = "Multiply",
      .family = LayerFamily::Merge,
      .help = TENON_TEXT("Multiplies its inputs element by element; sizes of 1 repeat, so that one "
                         "number can gate a whole channel."),
      .icon = "close",
      .variadic = true,
      .plan = &planBroadcast,
      .make = &make};
  return kDef;
}

}  // namespace tenon
