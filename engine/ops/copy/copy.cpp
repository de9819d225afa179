// SPDX-License-Identifier: Apache-2.0
// Operators "copy" and "cast".
#include "engine/ops/copy/copy.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

void copyGrad(GradCall& call) { call.gradInputs[0] = call.gradOutputs[0]; }

void castMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 1);
  const auto wanted = static_cast<DType>(call.as<CastParams>().dtype);
  if (dtypeName(wanted) == "?")
    throw Error(Code::Type,
                fmt::format("[cast] unknown element type number {}", call.as<CastParams>().dtype));
  out[0] = {call.input(0).shape(), wanted};
}

void castGrad(GradCall& call) {
  call.gradInputs[0] = cast(call.gradOutputs[0], call.inputMetas[0].dtype);
}

void describeCast(const void* params, ParamMap& out) {
  const auto dtype = static_cast<DType>(static_cast<const CastParams*>(params)->dtype);
  out.set("dtype", std::string(dtypeName(dtype)));
}

std::vector<OpSample> copySamples() {
  return {{"small", {{{2, 3, 5}}}, {}, {}},
          {"scalar", {{{}}}, {}, {}},
          {"matrix", {{{19, 37}}}, {}, {}},
          {"blocks", {{{2, 16, 3, 3}}}, {}, {}},
          {"padded blocks", {{{2, 5, 3, 3}}}, {}, {}}};
}

std::vector<OpSample> castSamples() {
  using Values = SampleInput::Values;
  const auto to = [](DType dtype) { return sampleParams(CastParams{static_cast<int32_t>(dtype)}); };
  return {{"to f64", {{{2, 3, 5}}}, to(DType::F64), {}},
          {"to f32", {{{2, 3, 5}, Values::Uniform, -1, 1, false}}, to(DType::F32), {}},
          {"to i64", {{{2, 5, 3}, Values::Uniform, -9, 9}}, to(DType::I64), {}},
          {"to bool", {{{2, 5}, Values::Index, 0, 2}}, to(DType::Bool), {}},
          {"to nothing", {{{2}}}, sampleParams(CastParams{99}), {"unknown element type", "99"}}};
}

const OpDef kCopy = {.id = "copy",
                     .help = "The same values in new memory, dense row-major.",
                     .inputNames = {"x"},
                     .meta = &likeFirst,
                     .grad = &copyGrad,
                     .samples = &copySamples};
const OpDef kCast = {.id = "cast",
                     .help = "The same values as another element type.",
                     .inputNames = {"x"},
                     .paramBytes = sizeof(CastParams),
                     .meta = &castMeta,
                     .grad = &castGrad,
                     .describe = &describeCast,
                     .samples = &castSamples};
const OpDef* const kOps[] = {&kCopy, &kCast};

}  // namespace

OpDefList opDefs_copy();
OpDefList opDefs_copy() { return {kOps, 2}; }

Tensor clone(const Tensor& x) { return gate::run(kCopy, {&x}); }

Tensor contiguous(const Tensor& x) { return x.isContiguous() ? x : clone(x); }

Tensor cast(const Tensor& x, DType dtype) {
  if (x.defined() && x.dtype() == dtype) return x;
  const CastParams params{static_cast<int32_t>(dtype)};
  return gate::run(kCast, {&x}, &params);
}

}  // namespace tenon
