// SPDX-License-Identifier: Apache-2.0
// Who is asking for memory: the interned (layer, op, phase, step) that allocator events and
// recordings carry.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/base/export.h"

namespace tenon::memory {

/// Number of an interned name; 0 is the empty name. Names live as long as the process.
using NameId = uint32_t;
/// Interns `name` (thread-safe). The same text always gives the same number.
TENON_API NameId internName(std::string_view name);
/// The text of an interned name.
TENON_API std::string_view nameText(NameId id);

/// The part of a training step in which something happens.
enum class Phase : uint8_t { None, Data, Forward, Loss, Backward, Optimizer, Validation, Inspect };
TENON_API std::string_view phaseName(Phase phase);

/// What the current thread is working on. `step` is -1 outside a run.
struct Scope {
  NameId layer = 0;
  NameId op = 0;
  Phase phase = Phase::None;
  int64_t step = -1;
};

/// Storage of `currentScope`; initial-exec and constinit, so that reading it is one instruction.
[[gnu::tls_model("initial-exec")]] TENON_API extern constinit thread_local Scope threadScope;

/// The calling thread's scope. Changing it is changing plain thread-local memory.
inline Scope& currentScope() { return threadScope; }

/// Sets the scope for a block of code and puts the old one back.
class ScopeGuard {
 public:
  explicit ScopeGuard(const Scope& scope) : saved_(currentScope()) { currentScope() = scope; }
  ~ScopeGuard() { currentScope() = saved_; }
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;

 private:
  Scope saved_;
};

}  // namespace tenon::memory
