// SPDX-License-Identifier: Apache-2.0
// Operator "cast", and the same conversion without a record.
#include "engine/ops/gate/cast.h"

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/gate/host.h"
#include "engine/ops/gate/kernel_row.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

void castMeta(const OpCall& call, std::span<TensorMeta> out) {
  if (!call.has(0)) throw Error(Code::Usage, "[cast] x is undefined: it holds no tensor");
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

std::vector<OpSample> castSamples() {
  using Values = SampleInput::Values;
  const auto to = [](DType dtype) { return sampleParams(CastParams{static_cast<int32_t>(dtype)}); };
  return {{"to f64", {{{2, 3, 5}}}, to(DType::F64), {}},
          {"to f32", {{{2, 3, 5}, Values::Uniform, -1, 1, false}}, to(DType::F32), {}},
          {"to i64", {{{2, 5, 3}, Values::Uniform, -9, 9}}, to(DType::I64), {}},
          {"to bool", {{{2, 5}, Values::Index, 0, 2}}, to(DType::Bool), {}},
          {"to nothing", {{{2}}}, sampleParams(CastParams{99}), {"unknown element type", "99"}}};
}

const OpDef kCast = {.id = "cast",
                     .help = "The same values as another element type.",
                     .inputNames = {"x"},
                     .paramBytes = sizeof(CastParams),
                     .meta = &castMeta,
                     .grad = &castGrad,
                     .describe = &describeCast,
                     .samples = &castSamples};

}  // namespace

Tensor cast(const Tensor& x, DType dtype) {
  if (x.defined() && x.dtype() == dtype) return x;
  const CastParams params{static_cast<int32_t>(dtype)};
  return gate::run(kCast, {&x}, &params);
}

namespace gate {

const OpDef& castOp() { return kCast; }

namespace {

const TenonKernel& launchCast(const Tensor& to, const Tensor& from) {
  const CastParams params{static_cast<int32_t>(to.dtype())};
  const TenonTensorView in = from.view();
  const TenonTensorView out = to.view();
  char message[256] = "no kernel converts on this device";
  TenonKernelArgs args{};
  args.inputs = &in;
  args.outputs = &out;
  args.inputCount = args.outputCount = 1;
  args.params = &params;
  args.host = &engineHost();
  args.message = message;
  args.messageBytes = sizeof(message);
  if (const backend::KernelRow* row = kernelRowOf(kCast, from.device().kind))
    for (const TenonKernel* kernel : row->kernels) {
      if (!(kernel->dtypes & dtypeBit(from.dtype()))) continue;
      ++threadState().counters.launches;
      if (kernel->run(&args) == TENON_OK) return *kernel;
      break;
    }
  throw Error(Code::Internal, fmt::format("[cast] {} to {} at a kernel's edge: {}", describe(from),
                                          dtypeName(to.dtype()), message));
}

/// Converts, and notes the launch with the time at which its work began.
void convertSince(int64_t start, const Tensor& to, const Tensor& from, Launches* launches) {
  const TenonKernel& kernel = launchCast(to, from);
  if (launches) launches->push_back({&kernel, start, monotonicNs()});
}

int64_t startOf(const Launches* launches) { return launches ? monotonicNs() : 0; }

}  // namespace

Tensor roomLike(const Tensor& x, DType dtype) {
  return x.layout().blocked() ? Tensor::emptyBlocked(x.shape(), dtype, x.device())
                              : Tensor::empty(x.shape(), dtype, x.device());
}

void convertInto(const Tensor& to, const Tensor& from, Launches* launches) {
  convertSince(startOf(launches), to, from, launches);
}

Tensor convertedCopy(const Tensor& x, DType dtype, Launches* launches) {
  memory::Scope asCast = memory::currentScope();
  asCast.op = opName(kCast);
  const memory::ScopeGuard scope(asCast);
  const int64_t start = startOf(launches);
  const Tensor copy = roomLike(x, dtype);
  convertSince(start, copy, x, launches);
  return copy;
}

}  // namespace gate
}  // namespace tenon
