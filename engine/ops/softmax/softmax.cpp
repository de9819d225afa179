// SPDX-License-Identifier: Apache-2.0
// Operators "softmax" and "log_softmax" with their fused gradients.
#include "engine/ops/softmax/softmax.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

int axisOf(const GradCall& call) { return call.as<AxisParams>().axis; }

void forwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 1);
  needFloating(call, 0);
  likeFirst(call, out);
}

void backwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  needSameType(call, 0, 1);
  needShape(call, 1, call.input(0).shape());
  likeFirst(call, out);
}

// dx = y (dy - sum dy y)
void softmaxGradTraced(GradCall& call) {
  const Tensor& y = call.outputs[0];
  const Tensor& dy = call.gradOutputs[0];
  call.gradInputs[0] = mul(y, sub(dy, sum(mul(dy, y), {axisOf(call)}, true)));
}

// dx = dy - exp(y) sum dy
void logSoftmaxGradTraced(GradCall& call) {
  const Tensor& dy = call.gradOutputs[0];
  call.gradInputs[0] = sub(dy, mul(exp(call.outputs[0]), sum(dy, {axisOf(call)}, true)));
}

void describeAxis(const void* params, ParamMap& out) {
  out.set("axis", int64_t{static_cast<const AxisParams*>(params)->axis});
}

std::vector<OpSample> samples(bool backward) {
  struct Case {
    const char* name;
    Shape shape;
    int axis;
  };
  std::vector<OpSample> all;
  for (const Case& c :
       {Case{"rows", {3, 10}, 1}, Case{"columns", {10, 3}, 0}, Case{"middle", {2, 5, 9}, 1},
        Case{"long rows", {2, 67}, 1}, Case{"one class", {4, 1}, 1}}) {
    OpSample sample{c.name,
                    {{c.shape, SampleInput::Values::Uniform, -4, 4}},
                    sampleParams(AxisParams{c.axis}),
                    {}};
    if (backward) sample.inputs.insert(sample.inputs.begin(), SampleInput{c.shape});
    all.push_back(std::move(sample));
  }
  return all;
}
std::vector<OpSample> forwardSamples() {
  auto all = samples(false);
  all.push_back({"integers",
                 {{{2, 3}, SampleInput::Values::Index, 0, 5}},
                 sampleParams(AxisParams{1}),
                 {"floating"}});
  return all;
}
std::vector<OpSample> backwardSamples() { return samples(true); }

const OpDef kSoftmaxBackward = {.id = "softmax_backward",
                                .help = "Gradient of softmax.",
                                .inputNames = {"dy", "y"},
                                .paramBytes = sizeof(AxisParams),
                                .meta = &backwardMeta,
                                .describe = &describeAxis,
                                .samples = &backwardSamples};
const OpDef kLogSoftmaxBackward = {.id = "log_softmax_backward",
                                   .help = "Gradient of log_softmax.",
                                   .inputNames = {"dy", "y"},
                                   .paramBytes = sizeof(AxisParams),
                                   .meta = &backwardMeta,
                                   .describe = &describeAxis,
                                   .samples = &backwardSamples};

template <const OpDef& Backward>
void fusedGrad(GradCall& call) {
  call.gradInputs[0] = gate::run(Backward, {&call.gradOutputs[0], &call.outputs[0]}, call.params);
}

const OpDef kSoftmax = {.id = "softmax",
                        .help = "Exponentials along an axis, divided by their sum.",
                        .inputNames = {"x"},
                        .paramBytes = sizeof(AxisParams),
                        .meta = &forwardMeta,
                        .savesOutputs = 1,
                        .grad = &fusedGrad<kSoftmaxBackward>,
                        .gradDifferentiable = &softmaxGradTraced,
                        .autocast = AutocastClass::Float32,
                        .describe = &describeAxis,
                        .samples = &forwardSamples};
const OpDef kLogSoftmax = {.id = "log_softmax",
                           .help = "Logarithm of softmax, without leaving the logarithms.",
                           .inputNames = {"x"},
                           .paramBytes = sizeof(AxisParams),
                           .meta = &forwardMeta,
                           .savesOutputs = 1,
                           .grad = &fusedGrad<kLogSoftmaxBackward>,
                           .gradDifferentiable = &logSoftmaxGradTraced,
                           .autocast = AutocastClass::Float32,
                           .describe = &describeAxis,
                           .samples = &forwardSamples};
const OpDef* const kOps[] = {&kSoftmax, &kSoftmaxBackward, &kLogSoftmax, &kLogSoftmaxBackward};

Tensor alongAxis(const OpDef& op, const Tensor& x, int axis) {
  if (!x.defined())
    throw Error(Code::Usage, fmt::format("[{}] x is undefined: it holds no tensor", op.id));
  const AxisParams params{normalizeAxis(axis, x.ndim(), op.id)};
  return gate::run(op, {&x}, &params);
}

}  // namespace

OpDefList opDefs_softmax();
OpDefList opDefs_softmax() { return {kOps, 4}; }

Tensor softmax(const Tensor& x, int axis) { return alongAxis(kSoftmax, x, axis); }
Tensor logSoftmax(const Tensor& x, int axis) { return alongAxis(kLogSoftmax, x, axis); }

}  // namespace tenon
