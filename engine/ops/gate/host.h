// SPDX-License-Identifier: Apache-2.0
// The table of calls a kernel may make back into the engine.
#pragma once

#include <cstddef>
#include <string>

#include "engine/backend/api/kernel.h"
#include "engine/base/export.h"

namespace tenon::gate {

/// The engine's host table: workspace from the CPU's caching allocator, log.
const TenonHost& engineHost();

/// Why the calling thread's last request for workspace was not met, as the allocator told it; empty
/// if none was refused since the last call of this.
std::string takeWorkspaceRefusal();

/// Workspace set aside for the kernels that the calling thread runs while this lives: one that asks
/// for at most `bytes` gets this memory, so that its call cannot fail halfway for want of it. One
/// at a time; within another it does nothing.
/// @throws Error(Code::Memory)
class TENON_API WorkspaceReserve {
 public:
  explicit WorkspaceReserve(size_t bytes);
  ~WorkspaceReserve();
  WorkspaceReserve(const WorkspaceReserve&) = delete;
  WorkspaceReserve& operator=(const WorkspaceReserve&) = delete;

 private:
  bool own_ = false;
};

}  // namespace tenon::gate
