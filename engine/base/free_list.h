// SPDX-License-Identifier: Apache-2.0
// FreeList: memory of small objects that come and go with every operator, kept by each thread for
// reuse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "engine/base/export.h"

namespace tenon {

/// Blocks of one size. Define it as
/// `[[gnu::tls_model("initial-exec")]] constinit thread_local FreeList name;` so that reaching it
/// costs one instruction. What a thread kept is freed when the thread ends. Under the address
/// sanitizer nothing is kept, so that it sees every use after free.
class FreeList {
 public:
  /// Memory for an object of `bytes`, the same for every call on a list.
  void* take(size_t bytes) {
    Link* const kept = first_;
    if (kept == nullptr) return ::operator new(bytes);
    first_ = kept->next;
    --count_;
    return kept;
  }
  /// Takes back what `take` gave, on this thread or another.
  void give(void* memory) noexcept {
#ifndef __SANITIZE_ADDRESS__
    if (state_ == State::New) [[unlikely]]
      keepFromNowOn();
    if (state_ == State::Keeping && count_ < kMost) {
      first_ = new (memory) Link{first_};
      ++count_;
      return;
    }
#endif
    ::operator delete(memory);
  }
  /// Blocks kept now.
  uint32_t count() const noexcept { return count_; }

 private:
  friend struct ThreadFreeLists;
  struct Link {
    Link* next;
  };
  enum class State : uint8_t { New, Keeping, Closed };
  static constexpr uint32_t kMost = 512;

  TENON_API void keepFromNowOn() noexcept;
  void close() noexcept;

  Link* first_ = nullptr;
  FreeList* nextList_ = nullptr;
  uint32_t count_ = 0;
  State state_ = State::New;
};

}  // namespace tenon
