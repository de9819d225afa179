// SPDX-License-Identifier: Apache-2.0
// The clock of a live run: its time of day, which never goes back, and the time that it trains.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/base/clock.h"
#include "engine/store/trained_time.h"

namespace tenon {

/// Training goes on, or waits (a pause, a full disk).
struct TrainingChange {
  bool trains = true;
  int64_t timeUs = 0;
};
using TrainingChanges = std::vector<TrainingChange>;

/// The one source of all times that the writer of a run tells (spans, rows, events, signs of life):
/// the time of day when the writer began, and from there on the monotonic clock, which neither a
/// clock that is set nor a machine that sleeps moves on. A time of day that has jumped forward (a
/// sleep, a clock set ahead) is taken over between two spans; one that was set back is not, so that
/// spans never overlap and what is logged later has a later time, but for the milliseconds of
/// stampUs().
/// @thread stampUs() and nowUs() from any thread, all others under one lock
class TrainingClock {
 public:
  /// `before`: what the store has of the run; a span that goes on there goes on here, and time
  /// begins where its spans end if the clock was set back since.
  TrainingClock(const Clock& clock, const TrainedTime& before);

  /// Training goes on or waits from now on; adds what the store is to hear, nothing if it was so
  /// already.
  void training(bool goesOn, TrainingChanges& news);
  /// To be called before each sign of life: where the time of day has run ahead of this clock, one
  /// span ends, this clock jumps, and the next span begins, so that what a reader adds up is the
  /// time trained.
  void follow(TrainingChanges& news);
  /// Trained until now, earlier sessions included.
  int64_t trainedUs() const { return doneUs_ + (trains_ ? nowUs() - beginUs_ : 0); }
  /// The time of this clock, in microseconds since 1970 UTC.
  int64_t nowUs() const;
  /// The same for a row, cheap: of the machine's clock at most some milliseconds ago.
  int64_t stampUs() const;

 private:
  const Clock& clock_;
  const bool ofMachine_;
  std::atomic<int64_t> aheadUs_{0};  ///< this clock less the monotonic one; never shrinks
  int64_t doneUs_ = 0;               ///< of spans that have ended
  bool trains_ = false;
  int64_t beginUs_ = 0;  ///< of the span that goes on
};

}  // namespace tenon
