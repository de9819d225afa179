// SPDX-License-Identifier: GPL-3.0-or-later
// The scale of the smoothing slider.
#include "ui/panels/loss/smoothing_scale.h"

#include <algorithm>
#include <cmath>

namespace tenon::ui {
namespace {

constexpr double kMostDecay = 0.999;

}  // namespace

double smoothingOfPlace(int place) {
  // Each place lengthens the memory 1 / (1 - decay) by the same factor.
  const double share = std::clamp(place, 0, kSmoothingPlaces) / double{kSmoothingPlaces};
  return 1 - std::pow(1 - kMostDecay, share);
}

int placeOfSmoothing(double decay) {
  const double bounded = std::clamp(decay, 0.0, kMostDecay);
  const double share = std::log(1 - bounded) / std::log(1 - kMostDecay);
  return static_cast<int>(std::lround(share * kSmoothingPlaces));
}

}  // namespace tenon::ui
