// SPDX-License-Identifier: Apache-2.0
// Host calls for kernels: workspace comes from the caching allocator, so that it is seen in its
// history.
#include "engine/ops/gate/host.h"

#include <string>

#include "engine/base/error.h"
#include "engine/base/log.h"
#include "engine/memory/cpu_allocator.h"

namespace tenon::gate {
namespace {

void* takeWorkspace(size_t bytes, void** handle) {
  try {
    memory::Block* block = memory::cpuAllocator().allocate({bytes});
    *handle = block;
    return block->data;
  } catch (const Error&) {
    return nullptr;
  }
}

void releaseWorkspace(void* handle) {
  if (handle) memory::cpuAllocator().free(static_cast<memory::Block*>(handle));
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

}  // namespace tenon::gate
