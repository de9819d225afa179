// SPDX-License-Identifier: Apache-2.0
// Operator "cat": tensors one after the other along an axis.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/arrange/arrange.h"
#include "engine/ops/arrange/families.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/view/view.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

constexpr size_t kMostAtOnce = 64;  // inputs that one recorded call may have

void catMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, call.inputs.size());
  const int axis = call.as<CatParams>().axis;
  const Tensor& first = call.input(0);
  Shape shape = first.shape();
  for (size_t i = 1; i < call.inputs.size(); ++i) {
    const Tensor& next = call.input(i);
    bool fits = next.ndim() == first.ndim();
    for (int k = 0; fits && k < first.ndim(); ++k)
      fits = k == axis || next.size(k) == first.size(k);
    if (!fits || axis >= first.ndim())
      throw Error(Code::Shape,
                  fmt::format("[cat] tensor {} does not fit along axis {}: {} after {}", i, axis,
                              describe(next), describe(first)));
    shape[axis] += next.size(axis);
  }
  out[0] = {shape, first.dtype()};
}

void catGrad(GradCall& call) {
  const int axis = call.as<CatParams>().axis;
  int64_t start = 0;
  for (size_t i = 0; i < call.inputMetas.size(); ++i) {
    const int64_t length = call.inputMetas[i].shape[axis];
    if (call.needs(i)) call.gradInputs[i] = narrow(call.gradOutputs[0], axis, start, length);
    start += length;
  }
}

std::vector<OpSample> catSamples() {
  const auto along = [](int axis) { return sampleParams(CatParams{axis}); };
  return {{"rows", {{{2, 3}}, {{1, 3}}, {{4, 3}}}, along(0), {}},
          {"columns", {{{2, 3}}, {{2, 5}}}, along(1), {}},
          {"channels", {{{2, 8, 3, 3}}, {{2, 5, 3, 3}}}, along(1), {}},
          {"one", {{{2, 3}}}, along(1), {}},
          {"with nothing", {{{2, 0}}, {{2, 3}}}, along(1), {}},
          {"other rows", {{{2, 3}}, {{3, 3}}}, along(1), {"tensor 1", "axis 1", "[3, 3]"}},
          {"other axes", {{{2, 3}}, {{2}}}, along(0), {"tensor 1", "[2]"}},
          {"other types", {{{2}}, {{2}, SampleInput::Values::Index, 0, 3}}, along(0), {}}};
}

const OpDef kCat = {.id = "cat",
                    .help = "Tensors one after the other along an axis.",
                    .inputNames = {"tensors"},
                    .variadic = true,
                    .paramBytes = sizeof(CatParams),
                    .meta = &catMeta,
                    .promotes = ~uint64_t{0},
                    .grad = &catGrad,
                    .autocast = AutocastClass::Widest,
                    .describe =
                        [](const void* params, ParamMap& out) {
                          out.set("axis", int64_t{static_cast<const CatParams*>(params)->axis});
                        },
                    .samples = &catSamples};

Tensor joined(std::span<const Tensor> tensors, const CatParams& params) {
  if (tensors.size() == 1) return tensors[0];
  std::vector<const Tensor*> inputs;
  for (const Tensor& t : tensors) inputs.push_back(&t);
  return gate::call1(kCat, inputs, &params);
}

}  // namespace

namespace arrange {
const OpDef& catOp() { return kCat; }
}  // namespace arrange

Tensor cat(const std::vector<Tensor>& tensors, int axis) {
  if (tensors.empty()) throw Error(Code::Usage, "[cat] there are no tensors to join");
  for (size_t i = 0; i < tensors.size(); ++i)
    if (!tensors[i].defined())
      throw Error(Code::Usage, fmt::format("[cat] tensor {} is undefined: it holds none", i));
  if (tensors[0].ndim() == 0)
    throw Error(Code::Shape, "[cat] scalars have no axis to be joined along: use stack");
  const CatParams params{normalizeAxis(axis, tensors[0].ndim(), "cat")};
  std::vector<Tensor> parts = tensors;
  while (parts.size() > 1) {
    std::vector<Tensor> longer;
    for (size_t i = 0; i < parts.size(); i += kMostAtOnce)
      longer.push_back(
          joined(std::span(parts).subspan(i, std::min(kMostAtOnce, parts.size() - i)), params));
    parts = std::move(longer);
  }
  return parts[0];
}

}  // namespace tenon
