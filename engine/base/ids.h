// SPDX-License-Identifier: Apache-2.0
// Ids of runs, checkpoints and recordings: short texts that sort by the time they were made.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "engine/base/clock.h"
#include "engine/base/export.h"

namespace tenon {

/// Makes ids like "20261129T164601250-7f3k9q": UTC time in milliseconds and 30 random bits.
///
/// Ids of one maker strictly increase, also when the clock is set back; ids of two processes differ
/// except with probability 1e-9 for two made in the same millisecond. They are safe as file names.
/// @thread next() may be called from any thread.
class TENON_API IdMaker {
 public:
  /// `clock` must outlive the maker.
  explicit IdMaker(const Clock& clock = systemClock()) : clock_(clock) {}
  std::string next();

 private:
  const Clock& clock_;
  std::mutex mutex_;
  int64_t lastMs_ = INT64_MIN;
};

/// True for texts of the form that IdMaker makes.
TENON_API bool isId(std::string_view text) noexcept;

}  // namespace tenon
