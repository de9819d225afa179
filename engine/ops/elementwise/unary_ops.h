// SPDX-License-Identifier: Apache-2.0
// Operators of unary functions, made from a functor and its row: the operator, its fused gradient
// (over what the function saves) and its gradient as a formula of recorded operators.
#pragma once

#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/autocast_of.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/elementwise/families.h"
#include "engine/ops/elementwise/traced.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/schema/param_map.h"

namespace tenon {

template <class F>
const Tensor& savedOf(const GradCall& call) {
  return F::kSaves == functions::Saves::Output ? call.outputs[0] : call.inputs[0];
}

/// The gradient as recorded operators.
template <class F>
void unaryGradTraced(GradCall& call) {
  const auto& params = call.as<UnaryParams>();
  const Tensor& saved = savedOf<F>(call);
  const functions::Options<Traced> options{Traced(params.a), Traced(params.b)};
  const Tensor& dy = call.gradOutputs[0];
  call.gradInputs[0] = F::backward(Traced(dy), Traced(saved), options).filling(dy);
}

/// The gradient by one fused operator.
template <class F, const OpDef& Backward>
void unaryGradFused(GradCall& call) {
  call.gradInputs[0] = gate::run(Backward, {&call.gradOutputs[0], &savedOf<F>(call)}, call.params);
}

template <class F, const OpDef& Backward>
constexpr GradRule unaryGrad() {
  if constexpr (F::kSaves == functions::Saves::Nothing) {
    return &unaryGradTraced<F>;
  } else {
    return &unaryGradFused<F, Backward>;
  }
}

/// Output like the arriving gradient, which has the shape of what was saved.
inline void unaryBackwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  needShape(call, 1, call.input(0).shape());
  needSameType(call, 0, 1);
  likeFirst(call, out);
}

template <class F>
std::vector<OpSample> unarySamples(const UnaryParams& params, bool backward) {
  std::vector<OpSample> samples;
  for (const Shape& shape : {Shape{2, 3, 5}, Shape{}, Shape{2, 16, 3, 3}, Shape{2, 5, 3, 3}}) {
    const SampleInput x{shape, SampleInput::Values::Uniform, F::kLow, F::kHigh};
    OpSample sample{toString(shape), {x}, sampleParams(params), {}};
    if (backward) sample.inputs.insert(sample.inputs.begin(), SampleInput{shape});
    samples.push_back(std::move(sample));
  }
  return samples;
}

/// @throws Error(Input): integers have no negative powers.
[[noreturn]] void refusePower(const OpDef& op, const Tensor& x, double exponent);
/// @throws Error(Type): x is changed in place, but x and the number give another type.
[[noreturn]] void refuseNumber(const OpDef& op, const Tensor& x, DType result, double number);
/// Changes x by `op`; where that would write into the padding of blocks, by `elsewhere` and a copy.
void changeOne(const OpDef& op, const OpDef& elsewhere, const Tensor& x, const UnaryParams& params,
               bool keepsZero);

/// Whether a function's options are limits. Beside other options integers stay integers only if
/// these are integers: an infinite number is floating.
template <class F>
inline constexpr bool kLimits = false;
template <>
inline constexpr bool kLimits<functions::Clamp> = true;

template <class F>
bool keepsIntegers(const Number& option) {
  return kLimits<F> ? option.keepsIntegers() : option.integer;
}

/// A call with numbers. Integers that meet a floating one become f32, bools that meet an integer
/// i64.
template <class F>
Tensor runWithNumbers(const OpDef& op, const Tensor& x, Number first, Number second) {
  const UnaryParams params{first.value, second.value};
  if constexpr (F::kIntegers)
    if (x.defined() && !isFloating(x.dtype())) {
      const bool whole = keepsIntegers<F>(first) && keepsIntegers<F>(second);
      if (F::kNatural && whole && params.a < 0) refusePower(op, x, params.a);
      if (!whole || x.dtype() == DType::Bool) {
        const Tensor other = cast(x, whole ? DType::I64 : DType::F32);
        return gate::run(op, {&other}, &params);
      }
    }
  return gate::run(op, {&x}, &params);
}

/// A call that changes x, with numbers. @throws Error(Type) where the result is of another type.
template <class F>
void changeWithNumbers(const OpDef& op, const OpDef& elsewhere, const Tensor& x, Number first,
                       Number second) {
  const UnaryParams params{first.value, second.value};
  if constexpr (F::kIntegers)
    if (x.defined() && !isFloating(x.dtype())) {
      const bool whole = keepsIntegers<F>(first) && keepsIntegers<F>(second);
      if (F::kNatural && whole && params.a < 0) refusePower(op, x, params.a);
      if (!whole || x.dtype() == DType::Bool)
        refuseNumber(op, x, whole ? DType::I64 : DType::F32, params.a);
    }
  changeOne(op, elsewhere, x, params, F::kKeepsZero);
}

}  // namespace tenon

// One row -> three operators and the public functions.
#define TENON_UNARY_OPS(functor, opId, opHelp, params, describeRule)                        \
  const OpDef k##functor##Backward = {                                                      \
      .id = opId "_backward",                                                               \
      .help = "Gradient of " opId ".",                                                      \
      .inputNames = {"dy", "saved"},                                                        \
      .paramBytes = sizeof(UnaryParams),                                                    \
      .meta = &unaryBackwardMeta,                                                           \
      .describe = describeRule,                                                             \
      .samples = [] { return unarySamples<functions::functor>(params, true); }};            \
  TENON_UNARY_OP(functor, , opId, opHelp, params, describeRule, 0u,                         \
                 autocastOf(functions::functor::kAutocast))                                 \
  TENON_UNARY_OP(functor, InPlace, opId "_", opHelp "; in place", params, describeRule, 1u, \
                 AutocastClass::AsIs)
#define TENON_UNARY_OP(functor, how, opId, opHelp, params, describeRule, changes, autocastClass) \
  const OpDef k##functor##how = {                                                                \
      .id = opId,                                                                                \
      .help = opHelp,                                                                            \
      .inputNames = {"x"},                                                                       \
      .paramBytes = sizeof(UnaryParams),                                                         \
      .meta = &likeFirst,                                                                        \
      .promotes = functions::functor::kIntegers ? 0u : 1u,                                       \
      .promotesToFloating = !functions::functor::kIntegers,                                      \
      .mutates = changes,                                                                        \
      .savesInputs = functions::functor::kSaves == functions::Saves::Input ? 1u : 0u,            \
      .savesOutputs = functions::functor::kSaves == functions::Saves::Output ? 1u : 0u,          \
      .grad = unaryGrad<functions::functor, k##functor##Backward>(),                             \
      .gradDifferentiable = &unaryGradTraced<functions::functor>,                                \
      .autocast = autocastClass,                                                                 \
      .describe = describeRule,                                                                  \
      .samples = [] { return unarySamples<functions::functor>(params, false); }};

#define TENON_DEFINE_UNARY0(name, functor, id, help) \
  TENON_UNARY_OPS(functor, id, help, (UnaryParams{}), nullptr)
#define TENON_DEFINE_UNARY1(name, functor, id, help, first, firstDefault)        \
  TENON_UNARY_OPS(functor, id, help, (UnaryParams{firstDefault, 0}),             \
                  [](const void* params, ParamMap& out) {                        \
                    out.set(#first, static_cast<const UnaryParams*>(params)->a); \
                  })
#define TENON_DEFINE_UNARY2(name, functor, id, help, first, firstDefault, second, secondDefault) \
  TENON_UNARY_OPS(functor, id, help, (UnaryParams{firstDefault, secondDefault}),                 \
                  [](const void* params, ParamMap& out) {                                        \
                    out.set(#first, static_cast<const UnaryParams*>(params)->a);                 \
                    out.set(#second, static_cast<const UnaryParams*>(params)->b);                \
                  })

#define TENON_CALL_UNARY0(name, functor, id, help)                                                \
  Tensor name(const Tensor& x) {                                                                  \
    constexpr UnaryParams kParams{};                                                              \
    return gate::run(k##functor, {&x}, &kParams);                                                 \
  }                                                                                               \
  void name##InPlace(const Tensor& x) {                                                           \
    changeOne(k##functor##InPlace, k##functor, x, UnaryParams{}, functions::functor::kKeepsZero); \
  }
#define TENON_CALL_UNARY1(name, functor, id, help, first, firstDefault)                  \
  Tensor name(const Tensor& x, Number first) {                                           \
    return runWithNumbers<functions::functor>(k##functor, x, first, 0);                  \
  }                                                                                      \
  void name##InPlace(const Tensor& x, Number first) {                                    \
    changeWithNumbers<functions::functor>(k##functor##InPlace, k##functor, x, first, 0); \
  }
#define TENON_CALL_UNARY2(name, functor, id, help, first, firstDefault, second, secondDefault) \
  Tensor name(const Tensor& x, Number first, Number second) {                                  \
    return runWithNumbers<functions::functor>(k##functor, x, first, second);                   \
  }                                                                                            \
  void name##InPlace(const Tensor& x, Number first, Number second) {                           \
    changeWithNumbers<functions::functor>(k##functor##InPlace, k##functor, x, first, second);  \
  }

#define TENON_LIST_UNARY(name, functor, ...) \
  ops.push_back(&k##functor);                \
  ops.push_back(&k##functor##InPlace);       \
  if (functions::functor::kSaves != functions::Saves::Nothing) ops.push_back(&k##functor##Backward);
