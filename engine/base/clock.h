// SPDX-License-Identifier: Apache-2.0
// Time: monotonic nanoseconds for durations, wall time for records, and a clock that tests move by
// hand.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/export.h"

namespace tenon {

/// Nanoseconds since an arbitrary start; never goes back. For durations only.
TENON_API int64_t monotonicNs() noexcept;
/// Nanoseconds since 1970-01-01 UTC; may jump when the system's clock is set.
TENON_API int64_t wallNs() noexcept;

/// Where a component takes its time from; given to it by who makes it, so that tests can replace
/// it.
/// @thread All functions may be called from any thread.
class TENON_API Clock {
 public:
  virtual ~Clock();
  virtual int64_t monotonicNs() const noexcept = 0;
  virtual int64_t wallNs() const noexcept = 0;
};

/// The machine's clock.
TENON_API const Clock& systemClock() noexcept;

/// A clock that stands still until it is moved.
class TENON_API ManualClock final : public Clock {
 public:
  explicit ManualClock(int64_t wallNs = 0) noexcept : wall_(wallNs) {}
  int64_t monotonicNs() const noexcept override { return monotonic_.load(); }
  int64_t wallNs() const noexcept override { return wall_.load(); }
  /// Moves both times on.
  void advance(int64_t ns) noexcept;
  /// Sets the wall time only, as an administrator would.
  void setWall(int64_t ns) noexcept { wall_.store(ns); }

 private:
  std::atomic<int64_t> monotonic_{0};
  std::atomic<int64_t> wall_;
};

/// Wall time as UTC text with milliseconds, e.g. "2026-11-29T16:46:01.250Z". Years 1678 to 2262.
TENON_API std::string isoTime(int64_t wallNs);
/// Reads what isoTime() writes (fraction of 0 to 9 digits optional).
/// @throws Error(Code::Input) when the text is no such time.
TENON_API int64_t parseIsoTime(std::string_view text);

}  // namespace tenon
