// SPDX-License-Identifier: Apache-2.0
// Events: the log of a run for people, e.g. "checkpoint saved" or "loss is not a number".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/store/store.h"

namespace tenon {

class Connection;

/// The numbers are stored; never renumber.
enum class EventLevel { Info = 0, Warning = 1, Error = 2 };

/// One event. `text` is an English template made with TENON_TEXT, `args` fill its {0}, {1}, ...
struct Event {
  int64_t id = 0;  ///< rises with every event of the project; set by the store
  RunId run = 0;   ///< 0: of the project, not of a run
  int64_t timeUs = 0;
  int64_t step = -1;
  EventLevel level = EventLevel::Info;
  std::string code = {};  ///< stable id, e.g. "train.nan-loss"
  std::string text = {};
  std::vector<std::string> args = {};
};

/// The event table. @throws Error (Io, Busy) from every call
class TENON_API Events {
 public:
  explicit Events(Connection& connection) : connection_(connection) {}

  /// Writes at once and returns the id. In a training loop use RunWriter::event.
  int64_t add(const Event& event);
  /// Events of a run (0: of the project) with an id above `afterId`, oldest first, at most `limit`.
  std::vector<Event> read(RunId run, int64_t afterId = 0, int64_t limit = 10000) const;

 private:
  Connection& connection_;
};

}  // namespace tenon
