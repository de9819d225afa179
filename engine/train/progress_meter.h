// SPDX-License-Identifier: Apache-2.0
// ProgressMeter: samples a second over the last seconds, time left, share of waiting.
#pragma once

#include <cstdint>
#include <deque>

namespace tenon {

/// @thread one thread. Times are monotonic nanoseconds given by the caller.
class ProgressMeter {
 public:
  /// Forgets the past, e.g. after a pause: rates start anew.
  void restart(int64_t nowNs);
  void step(int64_t nowNs, int64_t samples, int64_t dataWaitNs);
  /// NaN until two steps are known.
  double samplesPerSecond() const;
  double secondsPerStep() const;
  double dataWaitShare() const;

 private:
  struct Mark {
    int64_t timeNs;
    int64_t samples;  // done since restart
    int64_t steps;
    int64_t waitNs;
  };
  std::deque<Mark> marks_;  // of the last seconds
  int64_t samples_ = 0;
  int64_t steps_ = 0;
  int64_t waitNs_ = 0;
};

}  // namespace tenon
