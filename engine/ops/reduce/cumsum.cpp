// SPDX-License-Identifier: Apache-2.0
// Operator "cumsum" along an axis, from its start or (for gradients) from its end.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/axes.h"
#include "engine/ops/reduce/families.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

void cumsumMeta(const OpCall& call, std::span<TensorMeta> out) {
  likeFirst(call, out);
  out[0].dtype = sumType(out[0].dtype);
}

const OpDef& cumsumOp();

void cumsumGrad(GradCall& call) {
  CumsumParams params = call.as<CumsumParams>();
  params.reverse = params.reverse ? 0 : 1;
  call.gradInputs[0] = gate::run(cumsumOp(), {&call.gradOutputs[0]}, &params);
}

void describeCumsum(const void* params, ParamMap& out) {
  const auto* p = static_cast<const CumsumParams*>(params);
  out.set("axis", int64_t{p->axis});
  out.set("reverse", p->reverse != 0);
}

std::vector<OpSample> cumsumSamples() {
  const auto along = [](int axis, int reverse = 0) {
    return sampleParams(CumsumParams{axis, reverse});
  };
  return {{"rows", {{{3, 17}}}, along(1), {}},
          {"columns", {{{17, 3}}}, along(0), {}},
          {"middle, from the end", {{{2, 5, 3}}}, along(1, 1), {}},
          {"a scalar", {{{}}}, along(0), {}},
          {"nothing", {{{3, 0}}}, along(1), {}}};
}

const OpDef kCumsum = {.id = "cumsum",
                       .help = "Sums of the first 1, 2, ... elements along an axis.",
                       .inputNames = {"x"},
                       .paramBytes = sizeof(CumsumParams),
                       .meta = &cumsumMeta,
                       .grad = &cumsumGrad,
                       .autocast = AutocastClass::Float32,
                       .describe = &describeCumsum,
                       .samples = &cumsumSamples};
const OpDef& cumsumOp() { return kCumsum; }

}  // namespace

Tensor cumsum(const Tensor& x, int axis) {
  if (!x.defined()) throw Error(Code::Usage, "[cumsum] x is undefined: it holds no tensor");
  const CumsumParams params{normalizeAxis(axis, x.ndim(), "cumsum"), 0};
  return gate::run(kCumsum, {&x}, &params);
}

void appendCumsum(OpDefs& ops) { ops.push_back(&kCumsum); }

}  // namespace tenon
