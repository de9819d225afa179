// SPDX-License-Identifier: Apache-2.0
// Room of its own for every thread of a parallelFor, asked for on the step's thread: what has no
// memory then is told with its operator and layer.
#pragma once

#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/workspace.h"

namespace tenon::cpu {

class TeamRoom {
 public:
  /// For parallelFor(items, 1, ...), `floats` for each range. items > 0.
  TeamRoom(const TenonHost& host, int64_t items, int64_t floats)
      : each_((floats + 15) / 16 * 16),
        ranges_(items < threadCount() ? items : threadCount()),
        longest_((items + ranges_ - 1) / ranges_),
        room_(host, bytesFor<float>(ranges_ * each_)) {}

  /// False if there was no memory.
  bool is() const { return room_.as<float>() != nullptr; }
  /// Of the range that begins with item `begin`.
  float* of(int64_t begin) const { return room_.as<float>() + begin / longest_ * each_; }

 private:
  int64_t each_, ranges_;
  int64_t longest_;  // items of a range
  Workspace room_;
};

}  // namespace tenon::cpu
