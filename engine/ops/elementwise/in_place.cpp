// SPDX-License-Identifier: Apache-2.0
// Pointwise operators that change their first input in place.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/elementwise/families.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/overwrite_grad.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "engine/schema/param_map.h"
#include "engine/tensor/fill_value.h"

namespace tenon {
namespace {

using Values = SampleInput::Values;

void passGrad(GradCall& call, double factorOfSecond) {
  const Tensor& dy = call.gradOutputs[0];
  if (call.needs(0)) call.gradInputs[0] = dy;
  if (!call.needs(1)) return;
  const Tensor second = factorOfSecond == 1 ? dy : mulScalar(dy, factorOfSecond);
  call.gradInputs[1] = sumTo(second, call.inputMetas[1].shape);
}
void addGrad(GradCall& call) { passGrad(call, 1); }
void subGrad(GradCall& call) { passGrad(call, -1); }
void axpyGrad(GradCall& call) { passGrad(call, call.as<ScalarParams>().value); }

void mulGrad(GradCall& call) {
  if (call.needs(1))
    throw Error(Code::Usage,
                "[mul_] the second factor wants a gradient, for which the old value "
                "of the first is gone: use mul");
  call.gradInputs[0] = mul(call.gradOutputs[0], call.inputs[1]);
}

void maskedFillGrad(GradCall& call) {
  const Tensor& dy = call.gradOutputs[0];
  if (call.needs(0))
    call.gradInputs[0] = where(call.inputs[1], Tensor::zeros({}, dy.dtype(), dy.device()), dy);
}

void maskedFillMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  needType(call, 1, DType::Bool);
  const Tensor& x = call.input(0);
  if (!(broadcastShapes(x.shape(), call.input(1).shape(), call.op.id) == x.shape()))
    throw Error(Code::Shape, fmt::format("[{}] mask does not broadcast to x, which keeps its "
                                         "shape: {} and {}",
                                         call.op.id, describe(call.input(1)), describe(x)));
  out[0] = {x.shape(), x.dtype()};
}

void describeScalar(const void* params, ParamMap& out) {
  out.set("value", static_cast<const ScalarParams*>(params)->value);
}

std::vector<OpSample> pairSamples() {
  return {{"same shape", {{{2, 3, 5}}, {{2, 3, 5}}}, {}, {}},
          {"blocks", {{{2, 16, 3, 3}}, {{2, 16, 3, 3}}}, {}, {}},
          {"padded blocks", {{{2, 5, 3, 3}}, {{2, 5, 3, 3}}}, {}, {}},
          {"broadcast", {{{2, 3, 5}}, {{5}}}, {}, {}},
          {"grows", {{{5}}, {{2, 5}}}, {}, {"does not broadcast", "keeps its shape"}}};
}
std::vector<OpSample> mulPairSamples() {
  auto samples = pairSamples();
  for (OpSample& sample : samples) sample.inputs[1].differentiable = false;
  return samples;
}
std::vector<OpSample> maskedFillSamples() {
  const auto params = sampleParams(ScalarParams{2});
  auto samples = pairSamples();
  for (OpSample& sample : samples) {
    sample.inputs[1].values = Values::Bool;
    sample.params = params;
  }
  samples.push_back({"mask of numbers", {{{2}}, {{2}}}, params, {"mask must be bool"}});
  return samples;
}
std::vector<OpSample> axpySamples() {
  auto samples = pairSamples();
  for (OpSample& sample : samples) sample.params = sampleParams(ScalarParams{-0.75});
  return samples;
}
template <class Params>
std::vector<OpSample> oneSamples(const Params& params) {
  return {{"small", {{{2, 3, 5}}}, sampleParams(params), {}},
          {"blocks", {{{2, 16, 3, 3}}}, sampleParams(params), {}},
          {"padded blocks", {{{2, 5, 3, 3}}}, sampleParams(params), {}}};
}

const OpDef kAddInPlace = {.id = "add_",
                           .help = "a += b",
                           .inputNames = {"a", "b"},
                           .meta = &intoFirst,
                           .promotes = 3,
                           .mutates = 1,
                           .grad = &addGrad,
                           .samples = &pairSamples};
const OpDef kSubInPlace = {.id = "sub_",
                           .help = "a -= b",
                           .inputNames = {"a", "b"},
                           .meta = &intoFirst,
                           .promotes = 3,
                           .mutates = 1,
                           .grad = &subGrad,
                           .samples = &pairSamples};
const OpDef kMulInPlace = {.id = "mul_",
                           .help = "a *= b",
                           .inputNames = {"a", "b"},
                           .meta = &intoFirst,
                           .promotes = 3,
                           .mutates = 1,
                           .savesInputs = 2,
                           .grad = &mulGrad,
                           .samples = &mulPairSamples};
const OpDef kAxpy = {.id = "axpy_",
                     .help = "y += value * x",
                     .inputNames = {"y", "x"},
                     .paramBytes = sizeof(ScalarParams),
                     .meta = &intoFirst,
                     .promotes = 3,
                     .mutates = 1,
                     .grad = &axpyGrad,
                     .describe = &describeScalar,
                     .samples = &axpySamples};
const OpDef kFill = {.id = "fill_",
                     .help = "Every element becomes value.",
                     .inputNames = {"t"},
                     .paramBytes = sizeof(ScalarParams),
                     .meta = &likeFirst,
                     .mutates = 1,
                     .grad = &overwriteGrad,
                     .describe = &describeScalar,
                     .samples = [] { return oneSamples(ScalarParams{3}); }};
const OpDef kMaskedFill = {.id = "masked_fill_",
                           .help = "x becomes value where mask is true.",
                           .inputNames = {"x", "mask"},
                           .paramBytes = sizeof(ScalarParams),
                           .meta = &maskedFillMeta,
                           .mutates = 1,
                           .savesInputs = 2,
                           .grad = &maskedFillGrad,
                           .describe = &describeScalar,
                           .samples = &maskedFillSamples};
const OpDef kCopyInto = {.id = "copy_",
                         .help = "dst becomes src, which broadcasts to it.",
                         .inputNames = {"dst", "src"},
                         .meta = &intoFirst,
                         .mutates = 1,
                         .grad = &overwriteGrad,
                         .samples = &pairSamples};

/// True if b has one number for each channel of a blocked a, which kernels of a + b, a - b and a *
/// b read as it is.
bool channelwise(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || !isFloating(a.dtype()) || a.ndim() != b.ndim()) return false;
  if (b.size(1) != a.size(1) || (b.size(0) != a.size(0) && b.size(0) != 1)) return false;
  return b.numel() == b.size(0) * b.size(1);
}

/// b as a kernel that walks a blocked `a` can read it: of a's full shape.
Tensor fitted(const OpDef& op, const Tensor& a, const Tensor& b) {
  if (!a.defined() || !a.layout().blocked() || !b.defined() || a.shape() == b.shape()) return b;
  const bool reads = &op == &kAddInPlace || &op == &kSubInPlace || &op == &kMulInPlace;
  return reads && channelwise(a, b) ? b : expand(b, a.shape());
}

/// Whether a lies in blocks of 8 channels that are not all in use.
bool padded(const Tensor& a) { return a.defined() && a.layout().blocked() && a.size(1) % 8 != 0; }

/// a as it was, for a graph that leads on to it or to what it meets.
Tensor oldOf(const Tensor& a, const Tensor& b = {}) {
  return a.requiresGrad() || (b.defined() && b.requiresGrad()) ? clone(a) : a;
}

/// Whether a, changed by the operator, stays what it is: integers only among integers.
bool keepsType(const OpDef& op, const Tensor& a, const Tensor& b = {}) {
  if (isFloating(a.dtype())) return true;
  if (op.promotesToFloating || (b.defined() && isFloating(b.dtype()))) return false;
  return a.dtype() != DType::Bool || !b.defined() || b.dtype() == DType::Bool;
}

}  // namespace

void changePair(const OpDef& op, const OpDef* elsewhere, const Tensor& a, const Tensor& b,
                const void* params) {
  if (elsewhere && padded(a) && keepsType(op, a, b)) {  // else the operator itself refuses
    const Tensor old = oldOf(a, b);
    copyInPlace(a, gate::run(*elsewhere, {&old, &b}, params));
    return;
  }
  const Tensor second = fitted(op, a, b);
  gate::run(op, {&a, &second}, params);
}

void changeOne(const OpDef& op, const OpDef& elsewhere, const Tensor& x, const UnaryParams& params,
               bool keepsZero) {
  if (keepsZero || !padded(x) || !keepsType(op, x)) {  // it refuses what changes the type
    gate::run(op, {&x}, &params);
    return;
  }
  const Tensor old = oldOf(x);
  copyInPlace(x, gate::run(elsewhere, {&old}, &params));
}

void addInPlace(const Tensor& a, const Tensor& b) { changePair(kAddInPlace, nullptr, a, b); }
void subInPlace(const Tensor& a, const Tensor& b) { changePair(kSubInPlace, nullptr, a, b); }
void mulInPlace(const Tensor& a, const Tensor& b) {
  if (b.defined() && b.requiresGrad() && gate::threadState().gradMode)
    throw Error(Code::Usage, fmt::format("[mul_] the factor {} needs a gradient, for which the old "
                                         "value of {} would be gone: use mul",
                                         describe(b), describe(a)));
  changePair(kMulInPlace, nullptr, a, b);
}
void axpyInPlace(const Tensor& y, const Tensor& x, double alpha) {
  const ScalarParams params{alpha};
  changePair(kAxpy, nullptr, y, x, &params);
}
void fillInPlace(const Tensor& t, double value) {
  if (t.defined()) needFillValue(value, t.dtype(), kFill.id);
  const ScalarParams params{value};
  gate::run(kFill, {&t}, &params);
}
void maskedFillInPlace(const Tensor& x, const Tensor& mask, double value) {
  if (x.defined()) needFillValue(value, x.dtype(), kMaskedFill.id);
  const ScalarParams params{value};
  changePair(kMaskedFill, nullptr, x, mask, &params);
}
void copyInPlace(const Tensor& dst, const Tensor& src) {
  const bool convert = dst.defined() && src.defined() && dst.dtype() != src.dtype();
  changePair(kCopyInto, nullptr, dst, convert ? cast(src, dst.dtype()) : src);
}

void appendInPlace(OpDefs& ops) {
  for (const OpDef* op :
       {&kAddInPlace, &kSubInPlace, &kMulInPlace, &kAxpy, &kFill, &kMaskedFill, &kCopyInto})
    ops.push_back(op);
}

}  // namespace tenon
