// SPDX-License-Identifier: Apache-2.0
// Operators "count_correct" and "sum_squares": numbers for metrics and for gradient clipping.
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/families.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

using Values = SampleInput::Values;

void countCorrectMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  needType(call, 1, DType::I64);
  const Tensor& logits = call.input(0);
  const int64_t rows = logits.ndim() ? logits.size(0) : 1;
  const int64_t classes = logits.ndim() > 1 ? logits.size(1) : 1;
  needShape(call, 0, {rows, classes > 0 || rows == 0 ? classes : 1});  // a row has a largest logit
  needShape(call, 1, {rows});
  out[0] = {{}, DType::I64};
}

void sumSquaresMeta(const OpCall& call, std::span<TensorMeta> out) {
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    needInputs(call, i + 1);
    needFloating(call, i);
    needSameType(call, 0, i);
  }
  out[0] = {{}, DType::F64};
}

std::vector<OpSample> countCorrectSamples() {
  const auto params = sampleParams(CountCorrectParams{2});
  return {{"rows", {{{9, 4}, Values::Distinct}, {{9}, Values::Index, 0, 4}}, params, {}},
          {"no rows", {{{0, 4}}, {{0}, Values::Index, 0, 4}}, params, {}},
          {"no classes", {{{9, 0}}, {{9}, Values::Index, 0, 4}}, params, {"logits", "[9, 1]"}},
          {"other rows", {{{9, 4}}, {{8}, Values::Index, 0, 4}}, params, {"targets", "[9]"}},
          {"cube", {{{9, 4, 2}}, {{9}, Values::Index, 0, 4}}, params, {"logits", "[9, 4]"}}};
}

std::vector<OpSample> sumSquaresSamples() {
  return {{"one", {{{3, 5}}}, {}, {}},
          {"list", {{{37}}, {{2, 3}}, {{}}, {{2, 0}}}, {}, {}},
          {"integers", {{{3}, Values::Index, 0, 5}}, {}, {"floating"}}};
}

const OpDef kCountCorrect = {
    .id = "count_correct",
    .help = "How many rows have their largest logit at the target.",
    .inputNames = {"logits", "targets"},
    .paramBytes = sizeof(CountCorrectParams),
    .meta = &countCorrectMeta,
    .nonDifferentiable = 1,
    .describe =
        [](const void* params, ParamMap& out) {
          out.set("ignoreIndex", static_cast<const CountCorrectParams*>(params)->ignoreIndex);
        },
    .samples = &countCorrectSamples};
const OpDef kSumSquares = {.id = "sum_squares",
                           .help = "Sum of the squares of all elements of a list of tensors.",
                           .inputNames = {"tensors"},
                           .variadic = true,
                           .meta = &sumSquaresMeta,
                           .nonDifferentiable = 1,
                           .samples = &sumSquaresSamples};

}  // namespace

Tensor countCorrect(const Tensor& logits, const Tensor& targets, int64_t ignoreIndex) {
  const CountCorrectParams params{ignoreIndex};
  return gate::run(kCountCorrect, {&logits, &targets}, &params);
}

Tensor sumSquares(TensorList tensors) {
  if (tensors.empty()) return Tensor::zeros({}, DType::F64);
  const gate::NoGradGuard noGrad;
  return gate::call1(kSumSquares, tensors);
}

void appendCounts(OpDefs& ops) {
  ops.push_back(&kCountCorrect);
  ops.push_back(&kSumSquares);
}

}  // namespace tenon
