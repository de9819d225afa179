// SPDX-License-Identifier: Apache-2.0
// Temporary memory of a kernel's call, from the caching allocator; given back at its end.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/backend/api/kernel.h"

namespace tenon::cpu {

class Workspace {
 public:
  /// Of 0 bytes there is none. May be made inside parallelFor.
  Workspace(const TenonHost& host, size_t bytes) : host_(host) {
    if (bytes) data_ = host.takeWorkspace(bytes, &handle_);
  }
  ~Workspace() {
    if (handle_) host_.releaseWorkspace(handle_);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// Null if there was no memory, or none was wanted.
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  const TenonHost& host_;
  void* handle_ = nullptr;
  void* data_ = nullptr;
};

/// Room for `count` elements.
template <class T>
size_t bytesFor(int64_t count) {
  return static_cast<size_t>(count) * sizeof(T);
}

}  // namespace tenon::cpu
