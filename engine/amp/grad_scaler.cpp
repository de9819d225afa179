// SPDX-License-Identifier: Apache-2.0
// The scale of losses, and which steps are left out.
#include "engine/amp/grad_scaler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/memory/scope.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/optimizer/optimizer.h"

namespace tenon::amp {
namespace {

constexpr float kLeastScale = std::numeric_limits<float>::min();

void need(bool holds, const char* option, const char* wanted, double got) {
  if (!holds)
    throw Error(Code::Input,
                fmt::format("gradient scaler: {} must be {}, got {}", option, wanted, got));
}

GradScalerOptions checked(const GradScalerOptions& options) {
  need(options.scale > 0 && std::isfinite(static_cast<float>(options.scale)), "scale",
       "above 0 and finite as f32", options.scale);
  need(options.growth > 1 && std::isfinite(options.growth), "growth", "above 1", options.growth);
  need(options.backoff > 0 && options.backoff < 1, "backoff", "above 0 and below 1",
       options.backoff);
  need(options.interval >= 1, "interval", "at least 1", static_cast<double>(options.interval));
  return options;
}

/// Lists of gradients that one call takes: those of one type.
using ByType = std::map<DType, std::vector<Tensor>>;

ByType gradientsOf(std::span<const OptimizedParameter> parameters) {
  ByType all;
  for (const OptimizedParameter& parameter : parameters) {
    const Tensor gradient = autograd::gradOf(parameter.tensor);
    if (!gradient.defined()) continue;
    if (gradient.dtype() != DType::F32 && gradient.dtype() != DType::F64)
      throw Error(Code::Type,
                  fmt::format("gradient scaler: the gradient of '{}' must be f32 or f64, since 16 "
                              "bits lose what unscaling gives; got {}: keep parameters in f32",
                              parameter.name, describe(gradient)));
    all[gradient.dtype()].push_back(gradient);
  }
  return all;
}

/// What recordings of memory say of the scaler's tensors.
memory::Scope ownScope() {
  memory::Scope scope = memory::currentScope();
  scope.op = memory::internName("grad_scaler");
  return scope;
}

int64_t& numberIn(const Tensor& tensor) { return *tensor.data<int64_t>(); }

}  // namespace

GradScaler::GradScaler(const GradScalerOptions& options) : options_(checked(options)) {
  if (!options_.enabled) return;
  const memory::ScopeGuard scoped(ownScope());
  scale_ = Tensor::full({}, options.scale);
  tracker_ = Tensor::zeros({}, DType::I64);
  skipped_ = Tensor::zeros({}, DType::I64);
}

Tensor GradScaler::scale(const Tensor& loss) const {
  if (!options_.enabled) return loss;
  const memory::ScopeGuard scoped(ownScope());
  // A tensor of its own: what backward keeps of it must not change with update().
  return mul(loss, Tensor::full({}, scaleFactor()));
}

bool GradScaler::unscale(const Optimizer& optimizer,
                         std::span<const OptimizedParameter> parameters) {
  if (!options_.enabled) return true;
  Progress& progress = progress_[&optimizer];
  if (progress.stage == Stage::Unscaled)
    throw Error(Code::Usage,
                "gradient scaler: unscale was called already for this optimizer since the last "
                "update");
  if (progress.stage == Stage::Stepped)
    throw Error(Code::Usage, "gradient scaler: unscale was called after this optimizer's step");
  const memory::ScopeGuard scoped(ownScope());
  const ByType gradients = gradientsOf(parameters);
  std::vector<Unscaling> calls;  // without memory for them nothing has happened
  calls.reserve(gradients.size());
  for (const auto& [type, list] : gradients) calls.emplace_back(list, 1 / scaleFactor());
  progress.stage = Stage::Unscaled;  // also if it fails halfway: nothing is divided twice
  for (const Unscaling& call : calls)
    if (!call.run()) progress.overflow = true;
  progress.checked = !calls.empty();
  return !progress.overflow;
}

bool GradScaler::step(Optimizer& optimizer, std::span<const OptimizedParameter> parameters,
                      double learningRate) {
  if (!options_.enabled) {
    optimizer.step(learningRate);
    return true;
  }
  if (progress_[&optimizer].stage == Stage::Stepped)
    throw Error(Code::Usage,
                "gradient scaler: step was called already for this optimizer since the last "
                "update");
  if (progress_[&optimizer].stage == Stage::Ready) unscale(optimizer, parameters);
  Progress& progress = progress_[&optimizer];
  if (!progress.checked)
    throw Error(Code::Usage, "gradient scaler: no parameter of this optimizer has a gradient");
  if (!progress.overflow) optimizer.step(learningRate);
  progress.stage = Stage::Stepped;  // a step that failed may be made again
  if (progress.overflow) ++numberIn(skipped_);
  return !progress.overflow;
}

void GradScaler::update() {
  if (!options_.enabled) return;
  bool checked = false;
  bool overflow = false;
  for (const auto& [optimizer, progress] : progress_) {
    checked = checked || progress.checked;
    overflow = overflow || progress.overflow;
  }
  if (!checked)
    throw Error(Code::Usage, "gradient scaler: nothing was unscaled since the last update");
  progress_.clear();
  float& scale = *scale_.data<float>();
  int64_t& tracker = numberIn(tracker_);
  if (overflow) {
    // Below it 1 / scale would not be finite.
    scale = std::max(static_cast<float>(scale * options_.backoff), kLeastScale);
    tracker = 0;
    return;
  }
  if (++tracker < options_.interval) return;
  const auto grown = static_cast<float>(scale * options_.growth);
  if (std::isfinite(grown)) scale = grown;
  tracker = 0;
}

double GradScaler::scaleFactor() const { return options_.enabled ? *scale_.data<float>() : 1; }
int64_t GradScaler::growthTracker() const { return options_.enabled ? numberIn(tracker_) : 0; }
int64_t GradScaler::skippedSteps() const { return options_.enabled ? numberIn(skipped_) : 0; }

std::vector<OptimizerState> GradScaler::state() const {
  if (!options_.enabled) return {};
  return {{"scaler/scale", scale_},
          {"scaler/growth_tracker", tracker_},
          {"scaler/skipped_steps", skipped_}};
}

}  // namespace tenon::amp
