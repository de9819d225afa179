// SPDX-License-Identifier: Apache-2.0
// Operators "scale_", "unscale_", "clip_" and "average_": a whole list of tensors in one call of
// the gate.
#include "engine/ops/optimizer/tensor_lists.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/optimizer/optimizer.h"

namespace tenon {
namespace {

using Inputs = std::vector<const Tensor*>;

void listMeta(const OpCall& call, std::span<TensorMeta>) {
  needInputs(call, 1);
  needFloating(call, 0);
  needShape(call, 0, {});
  for (size_t i = 1; i < call.inputs.size(); ++i) {
    needInputs(call, i + 1);
    needSameType(call, 0, i);
  }
}

void unscaleMeta(const OpCall& call, std::span<TensorMeta> out) {
  listMeta(call, out);
  needInputs(call, 2);
  needShape(call, 1, {});
}

void averageMeta(const OpCall& call, std::span<TensorMeta> out) {
  listMeta(call, out);
  for (size_t i = 1; i + 2 <= call.inputs.size(); i += 2)
    if (!(call.input(i).shape() == call.input(i + 1).shape()))
      throw Error(Code::Shape,
                  fmt::format("[average_] value {} must be like its average {}, got {}",
                              (i - 1) / 2, describe(call.input(i)), describe(call.input(i + 1))));
}

SampleInput values(const Shape& shape, double low = -1, double high = 1) {
  return {shape, SampleInput::Values::Uniform, low, high, false};
}

std::vector<OpSample> scaleSamples() {
  return {{"list", {values({}), values({5, 7}), values({3})}, {}, {}},
          {"vector of factors", {values({2}), values({3})}, {}, {"factor", "[]"}}};
}
std::vector<OpSample> unscaleSamples() {
  return {{"list", {values({}), values({}), values({}), values({5, 7}), values({3})}, {}, {}},
          {"vector of flags", {values({}), values({2}), values({3})}, {}, {"found", "[]"}}};
}
std::vector<OpSample> clipSamples() {
  return {{"list", {values({}, 0.2, 0.8), values({5, 7}), values({3})}, {}, {}},
          {"vector of limits", {values({2}), values({3})}, {}, {"limit", "[]"}}};
}
std::vector<OpSample> averageSamples() {
  const SampleInput share = values({}, 0.1, 0.9);
  return {{"list", {share, values({5, 7}), values({5, 7}), values({3}), values({3})}, {}, {}},
          {"whole way", {values({}, 1, 1), values({3}), values({3})}, {}, {}},
          {"value of another shape", {share, values({3}), values({4})}, {}, {"value 0", "[4]"}}};
}

const OpDef kScale = {.id = "scale_",
                      .help = "Every tensor of a list is multiplied by a factor, in place.",
                      .inputNames = {"factor", "tensors"},
                      .outputs = 0,
                      .variadic = true,
                      .meta = &listMeta,
                      .groupFirst = 1,
                      .groupSize = 1,
                      .groupMutates = 1,
                      .samples = &scaleSamples};
const OpDef kUnscale = {.id = "unscale_",
                        .help =
                            "Every tensor of a list is multiplied by a factor, in place; found "
                            "becomes 1 if an element is Inf or NaN then.",
                        .inputNames = {"factor", "found", "tensors"},
                        .outputs = 0,
                        .variadic = true,
                        .meta = &unscaleMeta,
                        .groupFirst = 1,
                        .groupSize = 1,
                        .groupMutates = 1,
                        .samples = &unscaleSamples};
const OpDef kClip = {.id = "clip_",
                     .help = "Every element of a list of tensors is limited in size, in place.",
                     .inputNames = {"limit", "tensors"},
                     .outputs = 0,
                     .variadic = true,
                     .meta = &listMeta,
                     .groupFirst = 1,
                     .groupSize = 1,
                     .groupMutates = 1,
                     .samples = &clipSamples};
const OpDef kAverage = {.id = "average_",
                        .help = "Every average of a list moves towards its value, in place.",
                        .inputNames = {"share", "average, value"},
                        .outputs = 0,
                        .variadic = true,
                        .meta = &averageMeta,
                        .groupFirst = 1,
                        .groupSize = 2,
                        .groupMutates = 0b01,
                        .samples = &averageSamples};
const OpDef* const kOps[] = {&kScale, &kUnscale, &kClip, &kAverage};

void callOnList(const OpDef& op, std::span<const Tensor> tensors, const Tensor& scalar) {
  if (tensors.empty()) return;
  const gate::NoGradGuard noGrad;
  Inputs inputs = {&scalar};
  for (const Tensor& tensor : tensors) inputs.push_back(&tensor);
  gate::call(op, inputs);
}

}  // namespace

std::span<const OpDef* const> tensorListOps() { return kOps; }

void scaleInPlace(std::span<const Tensor> tensors, const Tensor& factor) {
  callOnList(kScale, tensors, factor);
}
bool unscaleInPlace(std::span<const Tensor> tensors, double factor) {
  if (tensors.empty()) return true;
  return Unscaling(tensors, factor).run();
}
Unscaling::Unscaling(std::span<const Tensor> tensors, double factor)
    : factor_(Tensor::full({}, factor, tensors[0].dtype())),
      list_({Tensor::zeros({}, tensors[0].dtype(), tensors[0].device())}) {
  list_.insert(list_.end(), tensors.begin(), tensors.end());
}
bool Unscaling::run() const {
  callOnList(kUnscale, list_, factor_);
  const Tensor& found = list_[0];
  return (found.dtype() == DType::F64 ? *found.data<double>() : *found.data<float>()) == 0;
}
void clipInPlace(std::span<const Tensor> tensors, const Tensor& limit) {
  callOnList(kClip, tensors, limit);
}

void averageInPlace(std::span<const Tensor> averages, std::span<const Tensor> values,
                    const Tensor& share) {
  if (averages.size() != values.size())
    throw Error(Code::Usage, fmt::format("[average_] {} averages want as many values, got {}",
                                         averages.size(), values.size()));
  if (averages.empty()) return;
  const gate::NoGradGuard noGrad;
  Inputs inputs = {&share};
  for (size_t i = 0; i < averages.size(); ++i)
    inputs.insert(inputs.end(), {&averages[i], &values[i]});
  gate::call(kAverage, inputs);
}

}  // namespace tenon
