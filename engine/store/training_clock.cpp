// SPDX-License-Identifier: Apache-2.0
// Spans and stamps by the monotonic clock, laid over the time of day.
#include "engine/store/training_clock.h"

#include <time.h>

#include <algorithm>
#include <limits>

namespace tenon {
namespace {

/// Slow corrections of the time of day stay below it.
constexpr int64_t kMostDriftUs = 1'000'000;

int64_t coarseMonotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

TrainingClock::TrainingClock(const Clock& clock, const TrainedTime& before)
    : clock_(clock), ofMachine_(&clock == &systemClock()) {
  int64_t startUs = clock_.wallNs() / 1000;
  for (const TrainedSpan& span : before.spans()) {
    const bool goesOn = span.endUs == std::numeric_limits<int64_t>::max();
    startUs = std::max(startUs, goesOn ? span.beginUs : span.endUs);
    if (goesOn) {
      trains_ = true;
      beginUs_ = span.beginUs;
    } else {
      doneUs_ += std::max<int64_t>(0, span.endUs - span.beginUs);
    }
  }
  aheadUs_ = startUs - clock_.monotonicNs() / 1000;
}

void TrainingClock::training(bool goesOn, TrainingChanges& news) {
  if (trains_ == goesOn) return;
  const int64_t now = nowUs();
  if (trains_) {
    doneUs_ += now - beginUs_;
  } else {
    beginUs_ = now;
  }
  trains_ = goesOn;
  news.push_back({goesOn, now});
}

void TrainingClock::follow(TrainingChanges& news) {
  const int64_t jumpUs = clock_.wallNs() / 1000 - nowUs();
  if (jumpUs <= kMostDriftUs) return;
  const bool trained = trains_;
  training(false, news);
  aheadUs_ += jumpUs;
  training(trained, news);
}

int64_t TrainingClock::nowUs() const { return clock_.monotonicNs() / 1000 + aheadUs_; }

int64_t TrainingClock::stampUs() const {
  const int64_t nowNs = ofMachine_ ? coarseMonotonicNs() : clock_.monotonicNs();
  return nowNs / 1000 + aheadUs_.load(std::memory_order_relaxed);
}

}  // namespace tenon
