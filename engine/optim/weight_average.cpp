// SPDX-License-Identifier: Apache-2.0
// Averages of weights: one fused pass an update, by type.
#include "engine/optim/weight_average.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/base/error.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/optimizer/optimizer.h"

namespace tenon {
namespace {

/// Exchanges the bytes of two dense tensors of one type and shape on the host.
void exchange(const Tensor& a, const Tensor& b) {
  auto* x = static_cast<std::byte*>(a.rawData());
  auto* y = static_cast<std::byte*>(b.rawData());
  std::swap_ranges(x, x + a.bytes(), y);
  a.impl()->storage->bumpVersion();
  b.impl()->storage->bumpVersion();
}

}  // namespace

WeightAverage::WeightAverage(std::vector<OptimizedParameter> weights, const Options& options)
    : weights_(std::move(weights)), options_(options) {
  if (!(options_.decay >= 0 && options_.decay < 1))
    throw Error(Code::Input,
                fmt::format("weight average: decay wants to be at least 0 and below 1, "
                            "got {}",
                            options_.decay));
  for (const OptimizedParameter& weight : weights_) {
    const Tensor& tensor = weight.tensor;
    if (tensor.dtype() != DType::F32 && tensor.dtype() != DType::F64)
      throw Error(Code::Type, fmt::format("weight average: '{}' is {}, wanted f32 or f64",
                                          weight.name, dtypeName(tensor.dtype())));
    if (!tensor.isContiguous())
      throw Error(Code::Input,
                  fmt::format("weight average: '{}' wants to be dense row-major", weight.name));
    const std::vector<std::byte> bytes = tensor.toBytes();
    averages_.push_back(
        Tensor::fromBytes(bytes.data(), bytes.size(), tensor.shape(), tensor.dtype()));
    averages_.back().retag(memory::Category::OptimizerState);
    Tensor& share = shares_[tensor.dtype()];
    if (!share) share = Tensor::zeros({}, tensor.dtype());
  }
}
WeightAverage::~WeightAverage() = default;

void WeightAverage::update() {
  if (swapped_)
    throw Error(Code::Usage, "weight average: an update wants the weights themselves in place");
  const auto n = static_cast<double>(updates_);
  const double decay =
      options_.warmUp ? std::min(options_.decay, (1 + n) / (10 + n)) : options_.decay;
  const double share = updates_ == 0 ? 1.0 : 1 - decay;
  for (const auto& [dtype, tensor] : shares_) {
    if (dtype == DType::F64) {
      *tensor.data<double>() = share;
    } else {
      *tensor.data<float>() = static_cast<float>(share);
    }
    std::vector<Tensor> averages;
    std::vector<Tensor> values;
    for (size_t i = 0; i < weights_.size(); ++i) {
      if (weights_[i].tensor.dtype() != dtype) continue;
      averages.push_back(averages_[i]);
      values.push_back(weights_[i].tensor);
    }
    averageInPlace(averages, values, tensor);
  }
  ++updates_;
}

void WeightAverage::swap() {
  for (size_t i = 0; i < weights_.size(); ++i) exchange(weights_[i].tensor, averages_[i]);
  swapped_ = !swapped_;
}

std::vector<OptimizerState> WeightAverage::state() const {
  std::vector<OptimizerState> out;
  for (size_t i = 0; i < weights_.size(); ++i)
    out.push_back({weights_[i].name + "/average", averages_[i]});
  return out;
}

}  // namespace tenon
