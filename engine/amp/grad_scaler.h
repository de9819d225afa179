// SPDX-License-Identifier: Apache-2.0
// GradScaler: keeps small f16 gradients from vanishing. The loss is multiplied by a scale that
// grows while all goes well and shrinks, with that step left out, when a gradient overflows (P.
// Micikevicius et al., "Mixed precision training", 2018). bf16 has the range of f32 and needs none.
//
//     autograd::backward(scaler.scale(loss));
//     scaler.unscale(*optimizer, parameters);  // only if gradients are looked at before the step
//     clipGradNorm(parameters, 1);
//     if (scaler.step(*optimizer, parameters, rate)) ++scheduledSteps;
//     scaler.update();
#pragma once

#include <map>
#include <span>
#include <vector>

#include "engine/optim/optimizer_def.h"

namespace tenon::amp {

/// PyTorch's defaults.
struct GradScalerOptions {
  double scale = 65536;     ///< to begin with, > 0
  double growth = 2;        ///< factor after `interval` steps without overflow, > 1
  double backoff = 0.5;     ///< factor after an overflow, > 0 and < 1
  int64_t interval = 2000;  ///< steps, >= 1
  bool enabled = true;      ///< false: losses and gradients are left as they are
};

class TENON_API GradScaler {
 public:
  /// @throws Error(Code::Input) naming the option that is out of its range.
  explicit GradScaler(const GradScalerOptions& options = {});

  /// loss * scale. An f16 loss without axes becomes f32, so that it does not overflow itself.
  Tensor scale(const Tensor& loss) const;
  /// Divides all gradients of the parameters by the scale and looks for Inf and NaN among them, in
  /// one pass. Once for each optimizer and update.
  /// @returns whether there were none, so that the step will be made
  /// @throws Error(Code::Usage) a second time, or after that optimizer's step; Error(Code::Type)
  /// for
  ///   16-bit gradients, whose small values would vanish again.
  bool unscale(const Optimizer& optimizer, std::span<const OptimizedParameter> parameters);
  /// Unscales if that is not done yet; then steps unless a gradient was Inf or NaN.
  /// @param learningRate as Optimizer::step
  /// @returns whether the optimizer stepped; if not, its schedule must not either.
  /// @throws Error(Code::Usage) a second time before update(), or if no parameter has a gradient.
  bool step(Optimizer& optimizer, std::span<const OptimizedParameter> parameters,
            double learningRate);
  /// Once all optimizers have stepped: the next scale. If a gradient of any optimizer was Inf or
  /// NaN, it is scale * backoff, but at least the least normal f32; after `interval` updates
  /// without, scale * growth, unless that is Inf.
  /// @throws Error(Code::Usage) if nothing was unscaled since the last update.
  void update();

  /// 1 while not enabled.
  double scaleFactor() const;
  /// Updates since the last overflow or growth.
  int64_t growthTracker() const;
  /// Steps that were left out, of all optimizers; part of the state.
  int64_t skippedSteps() const;
  bool enabled() const { return options_.enabled; }
  /// What a checkpoint keeps, to be restored in place; to be saved after update().
  std::vector<OptimizerState> state() const;

 private:
  enum class Stage { Ready, Unscaled, Stepped };
  /// What was done for an optimizer since the last update.
  struct Progress {
    Stage stage = Stage::Ready;
    bool checked = false;  ///< there were gradients
    bool overflow = false;
  };

  GradScalerOptions options_;
  // Undefined while not enabled.
  Tensor scale_;    ///< f32 []
  Tensor tracker_;  ///< i64 []
  Tensor skipped_;  ///< i64 []
  std::map<const Optimizer*, Progress> progress_;
};

}  // namespace tenon::amp
