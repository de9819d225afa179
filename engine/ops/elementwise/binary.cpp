// SPDX-License-Identifier: Apache-2.0
// Operators of binary functions, comparisons and "where".
#include <type_traits>

#include "engine/base/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/elementwise/autocast_of.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/elementwise/families.h"
#include "engine/ops/elementwise/traced.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon {
namespace {

using Values = SampleInput::Values;

/// Functions whose gradients of 16 bits are computed in f32: how often a divisor fits is a whole
/// number, which rounding the quotient would move to the next; and prelu adds up a whole channel
/// for one weight.
template <class F>
constexpr bool kWide =
    std::is_same_v<F, functions::Fmod> || std::is_same_v<F, functions::Remainder> ||
    std::is_same_v<F, functions::LeakyReluBy>;

template <class F>
void wideGrad(GradCall& call) {
  const auto wide = [](const Tensor& x) {
    return Traced(x.defined() ? cast(x, statisticsType(x.dtype())) : x);
  };
  const Tensor& dy = call.gradOutputs[0];
  const Traced gradient = wide(dy), a = wide(call.inputs[0]), b = wide(call.inputs[1]);
  const auto give = [&](size_t i, const Traced& dx) {
    const Tensor all = sumTo(dx.filling(gradient.tensor()), call.inputMetas[i].shape);
    call.gradInputs[i] = cast(all, dy.dtype());
  };
  if (call.needs(0)) give(0, F::gradA(gradient, a, b, a));
  if (call.needs(1)) give(1, F::gradB(gradient, a, b, a));
}

template <class F>
void binaryGrad(GradCall& call) {
  if constexpr (kWide<F>) return wideGrad<F>(call);
  const Traced dy(call.gradOutputs[0]);
  const Traced a(call.inputs[0]);
  const Traced b(call.inputs[1]);
  const Traced y(call.outputs[0]);
  if (call.needs(0))
    call.gradInputs[0] =
        sumTo(F::gradA(dy, a, b, y).filling(dy.tensor()), call.inputMetas[0].shape);
  if (call.needs(1))
    call.gradInputs[1] =
        sumTo(F::gradB(dy, a, b, y).filling(dy.tensor()), call.inputMetas[1].shape);
}

struct ShapePair {
  Shape a;
  Shape b;
};

template <class F>
std::vector<OpSample> binarySamples() {
  const ShapePair pairs[] = {{{2, 3, 5}, {2, 3, 5}},    {{2, 3, 5}, {5}},
                             {{3, 1}, {2, 1, 4}},       {{}, {3, 2}},
                             {{2, 3, 4, 3}, {3, 1, 1}}, {{2, 16, 3, 3}, {2, 16, 3, 3}}};
  std::vector<OpSample> samples;
  for (const ShapePair& pair : pairs)
    samples.push_back({toString(pair.a) + " with " + toString(pair.b),
                       {{pair.a, Values::Uniform, F::kLow, F::kHigh},
                        {pair.b, Values::Uniform, F::kLow, F::kHigh}},
                       {},
                       {}});
  samples.push_back(
      {"shapes that do not broadcast", {{{2, 3}}, {{2, 4}}}, {}, {"axis -1", "[2, 4]"}});
  return samples;
}

/// b broadcasts to a.
template <class F>
std::vector<OpSample> inPlaceSamples() {
  const ShapePair pairs[] = {{{2, 3, 5}, {2, 3, 5}},
                             {{2, 3, 5}, {5}},
                             {{2, 16, 3, 3}, {2, 16, 3, 3}},
                             {{2, 5, 3, 3}, {2, 5, 3, 3}}};
  std::vector<OpSample> samples;
  for (const ShapePair& pair : pairs)
    samples.push_back({toString(pair.a) + " with " + toString(pair.b),
                       {{pair.a, Values::Uniform, F::kLow, F::kHigh},
                        {pair.b, Values::Uniform, F::kLow, F::kHigh}},
                       {},
                       {}});
  samples.push_back({"grows", {{{5}}, {{2, 5}}}, {}, {"does not broadcast", "keeps its shape"}});
  return samples;
}

void comparisonMeta(const OpCall& call, std::span<TensorMeta> out) {
  broadcastPair(call, out);
  out[0].dtype = DType::Bool;
}

std::vector<OpSample> comparisonSamples() {
  return {
      {"same shape", {{{2, 3, 5}, Values::Index, 0, 3}, {{2, 3, 5}, Values::Index, 0, 3}}, {}, {}},
      {"floating", {{{2, 16, 2, 2}}, {{2, 16, 2, 2}}}, {}, {}},
      {"broadcast", {{{3, 1}}, {{4}}}, {}, {}}};
}

void whereMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 3);
  needType(call, 0, DType::Bool);
  needSameType(call, 1, 2);
  const Shape values = broadcastShapes(call.input(1).shape(), call.input(2).shape(), call.op.id);
  out[0] = {broadcastShapes(call.input(0).shape(), values, call.op.id), call.input(1).dtype()};
}

void whereGrad(GradCall& call) {
  const Tensor& dy = call.gradOutputs[0];
  const Tensor zero = Tensor::full({}, 0, dy.dtype());
  if (call.needs(1))
    call.gradInputs[1] = sumTo(where(call.inputs[0], dy, zero), call.inputMetas[1].shape);
  if (call.needs(2))
    call.gradInputs[2] = sumTo(where(call.inputs[0], zero, dy), call.inputMetas[2].shape);
}

std::vector<OpSample> whereSamples() {
  return {{"same shape", {{{2, 3, 5}, Values::Bool}, {{2, 3, 5}}, {{2, 3, 5}}}, {}, {}},
          {"broadcast", {{{3, 1}, Values::Bool}, {{2, 1, 4}}, {{}}}, {}, {}},
          {"condition of numbers", {{{2}}, {{2}}, {{2}}}, {}, {"condition", "bool"}}};
}

#define TENON_DEFINE_BINARY(name, functor, opId, opHelp)                                         \
  const OpDef k##functor = {                                                                     \
      .id = opId,                                                                                \
      .help = opHelp,                                                                            \
      .inputNames = {"a", "b"},                                                                  \
      .meta = &broadcastPair,                                                                    \
      .promotes = 3,                                                                             \
      .promotesToFloating = !functions::functor::kIntegers && !functions::functor::kOwnIntegers, \
      .savesInputs = functions::functor::kSaves & 3u,                                            \
      .savesOutputs = functions::functor::kSaves & 4u ? 1u : 0u,                                 \
      .grad = &binaryGrad<functions::functor>,                                                   \
      .autocast = autocastOf(functions::functor::kAutocast),                                     \
      .samples = &binarySamples<functions::functor>};
#define TENON_DEFINE_BINARY_IN_PLACE(name, functor, opId, opHelp)                                \
  const OpDef k##functor##InPlace = {                                                            \
      .id = opId,                                                                                \
      .help = opHelp,                                                                            \
      .inputNames = {"a", "b"},                                                                  \
      .meta = &intoFirst,                                                                        \
      .promotes = 3,                                                                             \
      .promotesToFloating = !functions::functor::kIntegers && !functions::functor::kOwnIntegers, \
      .mutates = 1,                                                                              \
      .savesInputs = functions::functor::kSaves & 3u,                                            \
      .savesOutputs = functions::functor::kSaves & 4u ? 1u : 0u,                                 \
      .grad = &binaryGrad<functions::functor>,                                                   \
      .samples = &inPlaceSamples<functions::functor>};
#define TENON_DEFINE_COMPARISON(name, functor, opId, opHelp) \
  const OpDef k##functor = {.id = opId,                      \
                            .help = opHelp,                  \
                            .inputNames = {"a", "b"},        \
                            .meta = &comparisonMeta,         \
                            .promotes = 3,                   \
                            .nonDifferentiable = 1,          \
                            .samples = &comparisonSamples};
TENON_BINARY_FUNCTIONS(TENON_DEFINE_BINARY)
TENON_BINARY_IN_PLACE(TENON_DEFINE_BINARY_IN_PLACE)
TENON_COMPARISONS(TENON_DEFINE_COMPARISON)

const OpDef kWhere = {.id = "where",
                      .help = "a where condition is true, else b.",
                      .inputNames = {"condition", "a", "b"},
                      .meta = &whereMeta,
                      .promotes = 6,
                      .savesInputs = 1,
                      .grad = &whereGrad,
                      .samples = &whereSamples};

}  // namespace

#define TENON_CALL_BINARY(name, functor, ...) \
  Tensor name(const Tensor& a, const Tensor& b) { return gate::run(k##functor, {&a, &b}); }
TENON_BINARY_FUNCTIONS(TENON_CALL_BINARY)
TENON_COMPARISONS(TENON_CALL_BINARY)

#define TENON_CHANGE_BINARY(name, functor, ...)                                                    \
  void name##InPlace(const Tensor& a, const Tensor& b) {                                           \
    changePair(k##functor##InPlace, functions::functor::kKeepsZero ? nullptr : &k##functor, a, b); \
  }
TENON_BINARY_IN_PLACE(TENON_CHANGE_BINARY)

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  return gate::run(kWhere, {&condition, &a, &b});
}

void appendBinary(OpDefs& ops) {
#define TENON_LIST_BINARY(name, functor, ...) ops.push_back(&k##functor);
  TENON_BINARY_FUNCTIONS(TENON_LIST_BINARY)
  TENON_COMPARISONS(TENON_LIST_BINARY)
#define TENON_LIST_IN_PLACE(name, functor, ...) ops.push_back(&k##functor##InPlace);
  TENON_BINARY_IN_PLACE(TENON_LIST_IN_PLACE)
  ops.push_back(&kWhere);
}

}  // namespace tenon
