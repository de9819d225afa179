// SPDX-License-Identifier: Apache-2.0
// Threads of kernels and the deterministic option for a block of code.
#pragma once

#include "engine/backend/registry/devices.h"
#include "engine/ops/gate/thread_state.h"

namespace tenon {

/// So many threads, and whether their number may show, while this lives.
class FixedCompute {
 public:
  FixedCompute(int threads, bool deterministic) {
    backend::setThreads(threads);
    gate::threadState().deterministic = deterministic;
  }
  ~FixedCompute() {
    backend::setThreads(0);
    gate::threadState().deterministic = before_;
  }
  FixedCompute(const FixedCompute&) = delete;
  FixedCompute& operator=(const FixedCompute&) = delete;

 private:
  bool before_ = gate::threadState().deterministic;
};

}  // namespace tenon
