// SPDX-License-Identifier: Apache-2.0
// Random operators that fill a tensor ("uniform_", "normal_", "bernoulli_", "randint_",
// "permutation_") and "bernoulli" of a tensor of chances.
#include "engine/ops/random/random.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/overwrite_grad.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

/// The largest finite number of a floating type.
double largestOf(DType dtype) {
  switch (dtype) {
    case DType::F16:
      return 65504;
    case DType::BF16:
      return 0x1.FEp127;
    case DType::F32:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

template <class... Arguments>
[[noreturn]] void refuse(const OpCall& call, fmt::format_string<Arguments...> text,
                         Arguments&&... arguments) {
  throw Error(Code::Usage, fmt::format("[{}] {}", call.op.id,
                                       fmt::format(text, std::forward<Arguments>(arguments)...)));
}

void uniformMeta(const OpCall& call, std::span<TensorMeta> out) {
  likeFirst(call, out);
  needFloating(call, 0);
  const auto& p = call.as<UniformParams>();
  if (!(p.low < p.high)) refuse(call, "low must be below high, got {} and {}", p.low, p.high);
  const double most = largestOf(out[0].dtype);
  if (!(std::fabs(p.low) <= most && std::fabs(p.high) <= most && p.high - p.low <= most))
    refuse(call, "{} .. {} and its length must be numbers of {}", p.low, p.high,
           dtypeName(out[0].dtype));
}

void normalMeta(const OpCall& call, std::span<TensorMeta> out) {
  likeFirst(call, out);
  needFloating(call, 0);
  const auto& p = call.as<NormalParams>();
  if (!std::isfinite(p.mean) || !std::isfinite(p.std) || !(p.std >= 0))
    refuse(call, "mean must be finite and std finite and >= 0, got {} and {}", p.mean, p.std);
}

void checkChance(const OpCall& call) {
  const double p = call.as<BernoulliParams>().p;
  if (!(p >= 0 && p <= 1)) refuse(call, "p must be 0 .. 1, got {}", p);
}

void bernoulliInPlaceMeta(const OpCall& call, std::span<TensorMeta> out) {
  likeFirst(call, out);
  if (out[0].dtype != DType::Bool) needFloating(call, 0);
  checkChance(call);
}

void bernoulliMeta(const OpCall& call, std::span<TensorMeta> out) {
  likeFirst(call, out);
  needFloating(call, 0);
}

void randintMeta(const OpCall& call, std::span<TensorMeta> out) {
  likeFirst(call, out);
  if (out[0].dtype != DType::I32) needType(call, 0, DType::I64);
  const auto& p = call.as<RandintParams>();
  if (p.low >= p.high) refuse(call, "low must be below high, got {} and {}", p.low, p.high);
  using Narrow = std::numeric_limits<int32_t>;
  if (out[0].dtype == DType::I32 && (p.low < Narrow::min() || p.high - 1 > Narrow::max()))
    refuse(call, "i32 does not hold all of {} .. {}", p.low, p.high - 1);
}

void permutationMeta(const OpCall& call, std::span<TensorMeta> out) {
  likeFirst(call, out);
  needType(call, 0, DType::I64);
  if (out[0].shape.ndim() != 1)
    throw Error(Code::Shape, fmt::format("[{}] order must have one axis, got {}", call.op.id,
                                         describe(call.input(0))));
}

void describeUniform(const void* params, ParamMap& out) {
  const auto* p = static_cast<const UniformParams*>(params);
  out.set("low", p->low);
  out.set("high", p->high);
}
void describeNormal(const void* params, ParamMap& out) {
  const auto* p = static_cast<const NormalParams*>(params);
  out.set("mean", p->mean);
  out.set("std", p->std);
}
void describeRandint(const void* params, ParamMap& out) {
  const auto* p = static_cast<const RandintParams*>(params);
  out.set("low", p->low);
  out.set("high", p->high);
}
void describeBernoulli(const void* params, ParamMap& out) {
  out.set("p", static_cast<const BernoulliParams*>(params)->p);
}

using Values = SampleInput::Values;

/// Shapes in which an operator is tested that fills a tensor.
template <class P>
std::vector<OpSample> fillSamples(const P& params, Values values = Values::Uniform) {
  std::vector<OpSample> samples;
  for (const Shape& shape : {Shape{5, 37}, Shape{}, Shape{2, 16, 3, 3}, Shape{2, 5, 3, 3},
                             Shape{0, 3}, Shape{3, 2, 2, 7}})
    samples.push_back({toString(shape), {{shape, values, 0, 3}}, sampleParams(params), {}});
  return samples;
}

/// Adds a call that is refused with these words.
template <class P>
void addRefused(std::vector<OpSample>& samples, const char* name, const P& params,
                std::vector<std::string> words, Values values = Values::Uniform) {
  samples.push_back({name, {{{3}, values, 0, 3}}, sampleParams(params), std::move(words)});
}

std::vector<OpSample> uniformSamples() {
  auto all = fillSamples(UniformParams{-2, 5});
  addRefused(all, "nothing between", UniformParams{2, 2}, {"low", "below high", "2 and 2"});
  addRefused(all, "no number", UniformParams{0, std::nan("")}, {"below high", "nan"});
  addRefused(all, "too long", UniformParams{-1.5e308, 1.5e308}, {"numbers of f64"});
  addRefused(all, "integers", UniformParams{0, 1}, {"floating"}, Values::Index);
  return all;
}

std::vector<OpSample> normalSamples() {
  auto all = fillSamples(NormalParams{1.5, 0.5});
  addRefused(all, "negative std", NormalParams{0, -1}, {"std", "-1"});
  addRefused(all, "integers", NormalParams{0, 1}, {"floating"}, Values::Index);
  return all;
}

std::vector<OpSample> bernoulliInPlaceSamples() {
  auto all = fillSamples(BernoulliParams{0.3});
  for (const OpSample& sample : fillSamples(BernoulliParams{0.6}, Values::Bool))
    all.push_back(sample);
  addRefused(all, "impossible", BernoulliParams{1.25}, {"0 .. 1", "1.25"});
  addRefused(all, "integers", BernoulliParams{0.5}, {"floating"}, Values::Index);
  return all;
}

std::vector<OpSample> bernoulliSamples() {
  const auto with = [](const Shape& shape, double low, double high) {
    return SampleInput{shape, Values::Uniform, low, high, false};
  };
  return {{"rows", {with({5, 37}, 0, 1)}, {}, {}},
          {"images", {with({2, 5, 3, 3}, 0, 1)}, {}, {}},
          {"a scalar", {with({}, 0, 1)}, {}, {}},
          {"nothing", {with({0, 2}, 0, 1)}, {}, {}},
          {"impossible", {with({4}, 1.5, 2)}, {}, {"element 0", "0 .. 1"}},
          {"integers", {{{3}, Values::Index, 0, 2}}, {}, {"floating"}}};
}

std::vector<OpSample> randintSamples() {
  auto all = fillSamples(RandintParams{-3, 1000}, Values::Index);
  addRefused(all, "nothing between", RandintParams{4, 4}, {"below high", "4 and 4"}, Values::Index);
  addRefused(all, "fractions", RandintParams{0, 4}, {"i64", "f64"});
  return all;
}

std::vector<OpSample> permutationSamples() {
  return {{"some", {{{41}, Values::Index, 0, 3}}, {}, {}},
          {"one", {{{1}, Values::Index, 0, 3}}, {}, {}},
          {"none", {{{0}, Values::Index, 0, 3}}, {}, {}},
          {"two axes", {{{2, 3}, Values::Index, 0, 3}}, {}, {"one axis", "[2, 3]"}},
          {"fractions", {{{3}}}, {}, {"i64"}}};
}

constexpr auto kPurpose = philox::Purpose::Operator;

const OpDef kUniform = {.id = "uniform_",
                        .help = "Every element becomes a random number between two.",
                        .inputNames = {"t"},
                        .paramBytes = sizeof(UniformParams),
                        .meta = &uniformMeta,
                        .mutates = 1,
                        .random = kPurpose,
                        .grad = &overwriteGrad,
                        .describe = &describeUniform,
                        .samples = &uniformSamples};
const OpDef kNormal = {.id = "normal_",
                       .help = "Every element becomes a normally distributed random number.",
                       .inputNames = {"t"},
                       .paramBytes = sizeof(NormalParams),
                       .meta = &normalMeta,
                       .mutates = 1,
                       .random = kPurpose,
                       .grad = &overwriteGrad,
                       .describe = &describeNormal,
                       .samples = &normalSamples};
const OpDef kBernoulliInPlace = {.id = "bernoulli_",
                                 .help = "Every element becomes 1 with one chance, else 0.",
                                 .inputNames = {"t"},
                                 .paramBytes = sizeof(BernoulliParams),
                                 .meta = &bernoulliInPlaceMeta,
                                 .mutates = 1,
                                 .random = kPurpose,
                                 .grad = &overwriteGrad,
                                 .describe = &describeBernoulli,
                                 .samples = &bernoulliInPlaceSamples};
const OpDef kBernoulli = {.id = "bernoulli",
                          .help = "1 with the chance that each element says, else 0.",
                          .inputNames = {"p"},
                          .meta = &bernoulliMeta,
                          .random = kPurpose,
                          .nonDifferentiable = 1,
                          .samples = &bernoulliSamples};
const OpDef kRandint = {.id = "randint_",
                        .help = "Every element becomes a random whole number between two.",
                        .inputNames = {"t"},
                        .paramBytes = sizeof(RandintParams),
                        .meta = &randintMeta,
                        .mutates = 1,
                        .random = kPurpose,
                        .describe = &describeRandint,
                        .samples = &randintSamples};
const OpDef kPermutation = {.id = "permutation_",
                            .help = "The elements become 0, 1, 2, ... in a random order.",
                            .inputNames = {"order"},
                            .meta = &permutationMeta,
                            .mutates = 1,
                            .random = kPurpose,
                            .samples = &permutationSamples};
const OpDef* const kOps[] = {&kUniform,   &kNormal,  &kBernoulliInPlace,
                             &kBernoulli, &kRandint, &kPermutation};

}  // namespace

OpDefList opDefs_random();
OpDefList opDefs_random() { return {kOps, sizeof(kOps) / sizeof(kOps[0])}; }

void uniformInPlace(const Tensor& t, double low, double high) {
  const UniformParams params{low, high};
  gate::run(kUniform, {&t}, &params);
}
void normalInPlace(const Tensor& t, double mean, double std) {
  const NormalParams params{mean, std};
  gate::run(kNormal, {&t}, &params);
}
void bernoulliInPlace(const Tensor& t, double p) {
  const BernoulliParams params{p};
  gate::run(kBernoulliInPlace, {&t}, &params);
}
void randintInPlace(const Tensor& t, int64_t low, int64_t high) {
  const RandintParams params{low, high};
  gate::run(kRandint, {&t}, &params);
}

Tensor uniform(const Shape& shape, double low, double high, DType dtype) {
  const Tensor t = Tensor::empty(shape, dtype);
  uniformInPlace(t, low, high);
  return t;
}
Tensor normal(const Shape& shape, double mean, double std, DType dtype) {
  const Tensor t = Tensor::empty(shape, dtype);
  normalInPlace(t, mean, std);
  return t;
}
Tensor bernoulli(const Shape& shape, double p, DType dtype) {
  const Tensor t = Tensor::empty(shape, dtype);
  bernoulliInPlace(t, p);
  return t;
}
Tensor bernoulli(const Tensor& p) { return gate::run(kBernoulli, {&p}); }
Tensor randint(const Shape& shape, int64_t low, int64_t high, DType dtype) {
  const Tensor t = Tensor::empty(shape, dtype);
  randintInPlace(t, low, high);
  return t;
}
Tensor permutation(int64_t n) {
  if (n < 0)
    throw Error(Code::Usage, fmt::format("[permutation_] wants n >= 0 numbers, got {}", n));
  const Tensor order = Tensor::empty({n}, DType::I64);
  gate::run(kPermutation, {&order});
  return order;
}

}  // namespace tenon
