// SPDX-License-Identifier: GPL-3.0-or-later
// Time trained at each of many instants, asked in their order.
#pragma once

#include <QtGlobal>
#include <cstddef>

#include "engine/store/trained_time.h"

namespace tenon::ui {

/// Walks along the spans of a run: what TrainedTime sums up for one instant, in one pass for all.
class TrainedClock final {
 public:
  /// `time` outlives this.
  explicit TrainedClock(const TrainedTime& time) : time_(time) {}

  /// Microseconds trained until `timeUs`. An instant before the last one begins the walk anew.
  [[nodiscard]] qint64 until(qint64 timeUs);

 private:
  const TrainedTime& time_;
  std::size_t span_ = 0;  ///< the first that does not end before lastUs_
  qint64 doneUs_ = 0;     ///< in the spans before it
  qint64 lastUs_ = 0;
};

}  // namespace tenon::ui
