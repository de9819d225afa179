// SPDX-License-Identifier: Apache-2.0
// The state of a thread that operators look at: gradient mode, generator, listeners. One object a
// thread.
#pragma once

#include <cstdint>

#include "engine/base/export.h"
#include "engine/base/small_vector.h"

namespace tenon {

/// Source of random calls: the numbers drawn depend on (seed, rank, purpose, call number, element
/// index) only.
struct Generator {
  uint64_t seed = 0;
  uint64_t calls = 0;  ///< random operators called so far; part of a checkpoint
  uint32_t rank = 0;   ///< of this process, so that each draws numbers of its own
};

namespace gate {

class Listener;

/// Counts what the gate did on this thread.
struct Counters {
  uint64_t launches = 0;  ///< kernels run
  uint64_t reorders = 0;  ///< layout conversions among them
};

struct ThreadState {
  bool gradMode = true;
  bool deterministic = false;
  Generator ownGenerator;
  Generator* generator = &ownGenerator;
  SmallVector<Listener*, 4> listeners;
  Counters counters;
};

/// Where the calling thread's state is, once it was made; initial-exec and constinit, so that
/// reading it is one instruction.
[[gnu::tls_model("initial-exec")]] TENON_API extern constinit thread_local ThreadState* ownState;
/// Makes the calling thread's state.
TENON_API ThreadState& makeThreadState();

/// The calling thread's state.
inline ThreadState& threadState() {
  ThreadState* const made = ownState;
  return made != nullptr ? *made : makeThreadState();
}

/// Switches recording of gradients for a block of code.
class GradModeGuard {
 public:
  explicit GradModeGuard(bool on) : state_(threadState()), saved_(state_.gradMode) {
    state_.gradMode = on;
  }
  ~GradModeGuard() { state_.gradMode = saved_; }
  GradModeGuard(const GradModeGuard&) = delete;
  GradModeGuard& operator=(const GradModeGuard&) = delete;

 private:
  ThreadState& state_;
  bool saved_;
};

/// No gradients are recorded while this lives.
struct NoGradGuard : GradModeGuard {
  NoGradGuard() : GradModeGuard(false) {}
};

/// Makes random operators draw from `generator` while this lives.
class GeneratorGuard {
 public:
  explicit GeneratorGuard(Generator& generator) : state_(threadState()), saved_(state_.generator) {
    state_.generator = &generator;
  }
  ~GeneratorGuard() { state_.generator = saved_; }
  GeneratorGuard(const GeneratorGuard&) = delete;
  GeneratorGuard& operator=(const GeneratorGuard&) = delete;

 private:
  ThreadState& state_;
  Generator* saved_;
};

}  // namespace gate
}  // namespace tenon
