// SPDX-License-Identifier: GPL-3.0-or-later
// Spans passed one after the other.
#include "ui/session/trained_clock.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tenon::ui {

qint64 TrainedClock::until(qint64 timeUs) {
  if (timeUs < std::exchange(lastUs_, timeUs)) {
    span_ = 0;
    doneUs_ = 0;
  }
  const std::vector<TrainedSpan>& spans = time_.spans();
  for (; span_ < spans.size() && spans[span_].endUs <= timeUs; ++span_)
    doneUs_ += std::max<qint64>(0, spans[span_].endUs - spans[span_].beginUs);
  if (span_ == spans.size()) return doneUs_;
  return doneUs_ + std::max<qint64>(0, timeUs - spans[span_].beginUs);
}

}  // namespace tenon::ui
