// SPDX-License-Identifier: Apache-2.0
// Builds the networks of make_trainings.py: whatever is changed here is to be changed there.
#include "tests/engine/train/whole_networks.h"

#include <cmath>

#include "engine/autograd/autograd.h"
#include "engine/ops/attention/attention.h"
#include "engine/ops/batch_norm/batch_norm.h"
#include "engine/ops/conv2d/conv2d.h"
#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/index/index.h"
#include "engine/ops/layer_norm/layer_norm.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/pool2d/pool2d.h"
#include "engine/ops/recurrent/recurrent.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"

namespace tenon::testing {
namespace {

uint64_t mixed(uint64_t index, uint64_t seed) {
  constexpr uint64_t kMask = 0xFFFFFFFF;
  uint64_t h = (index * 0x9E3779B1 + seed * 0x85EBCA6B) & kMask;
  h = ((h ^ (h >> 15)) * 0x2C1B3C6D) & kMask;
  h = ((h ^ (h >> 12)) * 0x297A2D39) & kMask;
  return h ^ (h >> 15);
}

Tensor mlp(DrawnWeights& w, const Tensor& x, const Tensor& t) {
  const Tensor first = tanh(w.linear("first", x, 32));
  const Tensor second = relu(w.linear("second", first, 24));
  return crossEntropy(w.linear("last", second, 5), t);
}

Tensor cnn(DrawnWeights& w, const Tensor& x, const Tensor& t) {
  const Pool2dParams halved{.kernel = {2, 2}, .stride = {2, 2}};
  Tensor y = w.batchNorm("norm1", w.conv("conv1", x, 8, 3, 1, 1), true);
  y = maxPool2d(y, halved);
  y = avgPool2d(relu(w.conv("conv2", y, 16, 3, 1, 1)), halved);
  return crossEntropy(w.linear("last", flatten(y, 1), 6), t);
}

Tensor residual(DrawnWeights& w, const std::string& name, const Tensor& x, int64_t out,
                int64_t stride) {
  Tensor y = w.batchNorm(name + ".norm1", w.conv(name + ".conv1", x, out, 3, stride, 1), true);
  y = w.batchNorm(name + ".norm2", w.conv(name + ".conv2", y, out, 3, 1, 1), false);
  Tensor beside = x;
  if (stride != 1 || x.size(1) != out)
    beside = w.batchNorm(name + ".norm3", w.conv(name + ".conv3", x, out, 1, stride), false);
  return relu(add(y, beside));
}

Tensor resnet18(DrawnWeights& w, const Tensor& x, const Tensor& t) {
  Tensor y = w.batchNorm("stem.norm", w.conv("stem.conv", x, 8, 3, 1, 1), true);
  for (int stage = 0; stage < 4; ++stage)
    for (int block = 0; block < 2; ++block)
      y = residual(w, std::to_string(stage) + "." + std::to_string(block), y, int64_t{8} << stage,
                   stage > 0 && block == 0 ? 2 : 1);
  return crossEntropy(w.linear("last", mean(y, {2, 3}), 10), t);
}

Tensor lstm(DrawnWeights& w, const Tensor& x, const Tensor& t) {
  constexpr int64_t kHidden = 16;
  RecurrentWeights weights;
  weights.input = w("wi", {4 * kHidden, x.size(2)}, 0.4);
  weights.hidden = w("wh", {4 * kHidden, kHidden}, 0.25);
  weights.inputBias = w("bi", {4 * kHidden}, 0.25);
  weights.hiddenBias = w("bh", {4 * kHidden}, 0.25);
  RecurrentOptions options;
  options.kind = RecurrentKind::Lstm;
  options.batchFirst = true;
  const Tensor y = recurrent(x, {weights}, {}, options).y;
  return crossEntropy(w.linear("last", select(y, 1, -1), 5), t);
}

Tensor attended(DrawnWeights& w, const std::string& name, const Tensor& x) {
  constexpr int64_t kHeads = 2;
  const int64_t batch = x.size(0), steps = x.size(1), wide = x.size(2);
  const auto heads = [&](const char* part) {
    const Tensor all = w.linear(name + part, x, wide);
    return transpose(reshape(all, {batch, steps, kHeads, wide / kHeads}), 1, 2);
  };
  const Tensor q = heads(".query"), k = heads(".key"), v = heads(".value");
  AttentionOptions options;
  options.causal = true;
  const Tensor y = attention(q, k, v, options);
  return w.linear(name + ".out", reshape(transpose(y, 1, 2), {batch, steps, wide}), wide);
}

Tensor gpt(DrawnWeights& w, const Tensor& x, const Tensor& t) {
  constexpr int64_t kWide = 32, kTokens = 19;
  const Tensor tokens = embedding(w("tokens", {kTokens, kWide}, 0.5), x);
  Tensor y = add(tokens, w("places", {x.size(1), kWide}, 0.5));
  for (const std::string block : {"0", "1"}) {
    y = add(y, attended(w, block + ".attention", w.layerNorm(block + ".norm1", y)));
    const Tensor z = w.linear(block + ".wide", w.layerNorm(block + ".norm2", y), 4 * kWide);
    y = add(y, w.linear(block + ".narrow", gelu(z), kWide));
  }
  const Tensor logits = w.linear("head", w.layerNorm("norm", y), kTokens);
  return crossEntropy(reshape(logits, {-1, kTokens}), reshape(t, {-1}));
}

}  // namespace

std::vector<double> drawnNumbers(int64_t count, uint64_t seed) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers.push_back(static_cast<double>(mixed(static_cast<uint64_t>(i), seed)) / 2147483648.0 -
                      1.0);
  return numbers;
}

Tensor drawnClasses(const Shape& shape, uint64_t seed, uint64_t classes) {
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < shape.numel(); ++i)
    indices.push_back(static_cast<int64_t>(mixed(static_cast<uint64_t>(i), seed) % classes));
  return Tensor::fromValues(indices, shape);
}

Tensor DrawnWeights::operator()(const std::string& name, const Shape& shape, double scale,
                                double offset) {
  const auto found = byName_.find(name);
  if (found != byName_.end()) return found->second;
  std::vector<float> values;
  for (const double number : drawnNumbers(shape.numel(), all_.size() + 1))
    values.push_back(static_cast<float>(offset + scale * number));
  const Tensor weight =
      dtype_ == DType::F32
          ? Tensor::fromValues(values, shape)
          : Tensor::fromValues(std::vector<double>(values.begin(), values.end()), shape);
  autograd::setRequiresGrad(weight);
  all_.push_back({name, weight});
  return byName_[name] = weight;
}

Tensor DrawnWeights::linear(const std::string& name, const Tensor& x, int64_t out) {
  const int64_t wide = x.size(-1);
  const double scale = std::sqrt(3.0 / static_cast<double>(wide));
  const Tensor weight = (*this)(name + ".weight", {out, wide}, scale);
  return tenon::linear(x, weight, (*this)(name + ".bias", {out}, 0.1));
}

Tensor DrawnWeights::conv(const std::string& name, const Tensor& x, int64_t out, int64_t kernel,
                          int64_t stride, int64_t padding) {
  const int64_t wide = x.size(1);
  const double scale = std::sqrt(3.0 / static_cast<double>(wide * kernel * kernel));
  const Tensor weight = (*this)(name + ".weight", {out, wide, kernel, kernel}, scale);
  return conv2d(x, weight, {}, {.stride = {stride, stride}, .padding = {padding, padding}});
}

Tensor DrawnWeights::batchNorm(const std::string& name, const Tensor& x, bool relu) {
  const Tensor gamma = (*this)(name + ".weight", {x.size(1)}, 0.1, 1.0);
  const Tensor beta = (*this)(name + ".bias", {x.size(1)}, 0.1);
  return batchNormTraining(x, gamma, beta, 1e-5, relu).y;
}

Tensor DrawnWeights::layerNorm(const std::string& name, const Tensor& x) {
  const Tensor gamma = (*this)(name + ".weight", {x.size(-1)}, 0.1, 1.0);
  const Tensor beta = (*this)(name + ".bias", {x.size(-1)}, 0.1);
  return tenon::layerNorm(x, gamma, beta, {.eps = 1e-5, .axes = 1});
}

const std::map<std::string, WholeNetwork>& wholeNetworks() {
  static const std::map<std::string, WholeNetwork> kAll = {
      {"mlp", {&mlp, {16, 12}, 0, {16}, 5}},
      {"cnn", {&cnn, {8, 1, 12, 12}, 0, {8}, 6}},
      {"resnet18", {&resnet18, {4, 3, 32, 32}, 0, {4}, 10}},
      {"lstm", {&lstm, {8, 12, 6}, 0, {8}, 5}},
      {"gpt", {&gpt, {4, 16}, 19, {4, 16}, 19}}};
  return kAll;
}

}  // namespace tenon::testing
