// SPDX-License-Identifier: GPL-3.0-or-later
// From the places of a slider to the strength of smoothing: fine where it matters, near 1.
#pragma once

namespace tenon::ui {

/// The slider goes from 0 (no smoothing) to this.
inline constexpr int kSmoothingPlaces = 100;

/// Weight of the past, 0 to 0.999, for a place of the slider.
[[nodiscard]] double smoothingOfPlace(int place);
/// The nearest place for a weight.
[[nodiscard]] int placeOfSmoothing(double decay);

}  // namespace tenon::ui
