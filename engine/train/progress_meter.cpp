// SPDX-License-Identifier: Apache-2.0
// Rates are differences between the newest mark and one up to five seconds older.
#include "engine/train/progress_meter.h"

#include <limits>

namespace tenon {
namespace {
constexpr int64_t kWindowNs = 5'000'000'000;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
}  // namespace

void ProgressMeter::restart(int64_t nowNs) {
  marks_.clear();
  samples_ = steps_ = waitNs_ = 0;
  marks_.push_back({nowNs, 0, 0, 0});
}

void ProgressMeter::step(int64_t nowNs, int64_t samples, int64_t dataWaitNs) {
  samples_ += samples;
  waitNs_ += dataWaitNs;
  ++steps_;
  marks_.push_back({nowNs, samples_, steps_, waitNs_});
  while (marks_.size() > 2 && nowNs - marks_[1].timeNs > kWindowNs) marks_.pop_front();
}

double ProgressMeter::samplesPerSecond() const {
  if (marks_.size() < 2) return kUnknown;
  const Mark& a = marks_.front();
  const Mark& b = marks_.back();
  return static_cast<double>(b.samples - a.samples) * 1e9 /
         static_cast<double>(b.timeNs - a.timeNs + 1);
}

double ProgressMeter::secondsPerStep() const {
  if (marks_.size() < 2) return kUnknown;
  const Mark& a = marks_.front();
  const Mark& b = marks_.back();
  return static_cast<double>(b.timeNs - a.timeNs) * 1e-9 / static_cast<double>(b.steps - a.steps);
}

double ProgressMeter::dataWaitShare() const {
  if (marks_.size() < 2) return 0;
  const Mark& a = marks_.front();
  const Mark& b = marks_.back();
  return static_cast<double>(b.waitNs - a.waitNs) / static_cast<double>(b.timeNs - a.timeNs + 1);
}

}  // namespace tenon
