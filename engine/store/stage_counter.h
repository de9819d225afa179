// SPDX-License-Identifier: Apache-2.0
// Lets a test prove that a kill hit inside a checkpoint write.
#pragma once

#include <cstdint>

namespace tenon {

/// Content of the file that the environment variable TENON_STAGE_FILE names (16 bytes, kept in
/// memory that outlives the process): `begun` > `ended` means that a write was under way.
struct StageCounts {
  uint64_t begun = 0;
  uint64_t ended = 0;
};

/// Counts one checkpoint write for the life of the object; free without TENON_STAGE_FILE.
class StageMark {
 public:
  StageMark();
  ~StageMark();
  StageMark(const StageMark&) = delete;
  StageMark& operator=(const StageMark&) = delete;

 private:
  StageCounts* counts_;  // null without TENON_STAGE_FILE
};

}  // namespace tenon
