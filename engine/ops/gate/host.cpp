// SPDX-License-Identifier: Apache-2.0
// Host calls for kernels: workspace comes from the caching allocator, so that it is seen in its
// history.
#include "engine/ops/gate/host.h"

#include <string>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/log.h"
#include "engine/memory/cpu_allocator.h"

namespace tenon::gate {
namespace {

thread_local std::string refusal;
thread_local memory::Block* reserve = nullptr;
thread_local bool reserveTaken = false;

void* takeWorkspace(size_t bytes, void** handle) {
  if (reserve != nullptr && !reserveTaken && bytes <= reserve->requested) {
    reserveTaken = true;
    *handle = reserve;
    return reserve->data;
  }
  try {
    memory::Block* block = memory::cpuAllocator().allocate({bytes});
    *handle = block;
    return block->data;
  } catch (const Error& error) {
    refusal = error.what();
    return nullptr;
  }
}

void releaseWorkspace(void* handle) {
  if (handle == nullptr) return;
  if (handle == reserve) {
    reserveTaken = false;
  } else {
    memory::cpuAllocator().free(static_cast<memory::Block*>(handle));
  }
}

void log(int32_t level, const char* text) {
  const auto known = level >= 2 ? LogLevel::Error : level == 1 ? LogLevel::Warning : LogLevel::Info;
  processLog().write(known, "kernel", text);
}

}  // namespace

const TenonHost& engineHost() {
  static constexpr TenonHost kHost = {&takeWorkspace, &releaseWorkspace, &log};
  return kHost;
}

std::string takeWorkspaceRefusal() { return std::exchange(refusal, {}); }

WorkspaceReserve::WorkspaceReserve(size_t bytes) {
  if (reserve != nullptr) return;
  reserve = memory::cpuAllocator().allocate({bytes});
  own_ = true;
}

WorkspaceReserve::~WorkspaceReserve() {
  if (own_) memory::cpuAllocator().free(std::exchange(reserve, nullptr));
}

}  // namespace tenon::gate
