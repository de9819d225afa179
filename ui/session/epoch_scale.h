// SPDX-License-Identifier: GPL-3.0-or-later
// EpochScale: from a step to a place on the epoch axis, learnt from the rows themselves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tenon::ui {

/**
 * The store keeps whole epochs; a curve wants fractions. A row of step s (from 1) in epoch e (from
 * 0) says that an epoch has at least s / (e + 1) steps; the last row of any epoch makes that exact.
 */
class EpochScale {
 public:
  /// The number is known from elsewhere (the live run); 0: it is not.
  void hint(double stepsPerEpoch) { hint_ = std::max(hint_, stepsPerEpoch); }

  void learn(int64_t step, int32_t epoch) {
    if (epoch < 0 || step <= 0) return;
    atLeast_ = std::max(atLeast_, static_cast<double>(step) / (epoch + 1));
    lastEpoch_ = std::max(lastEpoch_, epoch);
  }

  /// Epochs since the start at the end of a step.
  double at(int64_t step, int32_t epoch) const {
    // In a first epoch that nothing is known of, a fraction would be invented.
    const double length = hint_ > 0 ? hint_ : lastEpoch_ > 0 ? std::ceil(atLeast_) : 0;
    if (length <= 0) return std::max(epoch, 0);
    return std::clamp(static_cast<double>(step) / length, static_cast<double>(epoch),
                      static_cast<double>(epoch) + 1);
  }

 private:
  double hint_ = 0;
  double atLeast_ = 0;
  int32_t lastEpoch_ = 0;
};

}  // namespace tenon::ui
