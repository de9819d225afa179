// SPDX-License-Identifier: Apache-2.0
// Operator "copy", and conversion between types and devices.
#include "engine/ops/copy/copy.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"

namespace tenon {
namespace {

void copyGrad(GradCall& call) { call.gradInputs[0] = call.gradOutputs[0]; }

std::vector<OpSample> copySamples() {
  return {{"small", {{{2, 3, 5}}}, {}, {}},
          {"scalar", {{{}}}, {}, {}},
          {"matrix", {{{19, 37}}}, {}, {}},
          {"blocks", {{{2, 16, 3, 3}}}, {}, {}},
          {"padded blocks", {{{2, 5, 3, 3}}}, {}, {}}};
}

const OpDef kCopy = {.id = "copy",
                     .help = "The same values in new memory, dense row-major.",
                     .inputNames = {"x"},
                     .meta = &likeFirst,
                     .grad = &copyGrad,
                     .samples = &copySamples};
const OpDef* const kOps[] = {&kCopy};

}  // namespace

OpDefList opDefs_copy();
OpDefList opDefs_copy() { return {kOps, 1}; }

Tensor clone(const Tensor& x) { return gate::run(kCopy, {&x}); }

Tensor contiguous(const Tensor& x) { return x.isContiguous() ? x : clone(x); }

Tensor to(const Tensor& x, DType dtype, Device device) {
  if (!x.defined()) throw Error(Code::Usage, "[to] x is undefined: it holds no tensor");
  if (device != x.device())
    throw Error(Code::Device, fmt::format("[to] tensors are not copied between devices: wanted {}, "
                                          "x is {}",
                                          toString(device), describe(x)));
  return cast(x, dtype);
}
Tensor to(const Tensor& x, DType dtype) {
  return to(x, dtype, x.defined() ? x.device() : Device{});
}
Tensor to(const Tensor& x, Device device) {
  return to(x, x.defined() ? x.dtype() : DType::F32, device);
}

}  // namespace tenon
