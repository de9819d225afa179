// SPDX-License-Identifier: Apache-2.0
// Tells AddressSanitizer which bytes of our memory may be touched; nothing in other builds.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace tenon::memory {

#if defined(__SANITIZE_ADDRESS__)
/// Poisoned bytes behind every block of host memory.
inline constexpr size_t kRedZoneBytes = 64;
inline void poison(const void* data, size_t bytes) { __asan_poison_memory_region(data, bytes); }
inline void unpoison(const void* data, size_t bytes) { __asan_unpoison_memory_region(data, bytes); }
#else
inline constexpr size_t kRedZoneBytes = 0;
inline void poison(const void*, size_t) {}
inline void unpoison(const void*, size_t) {}
#endif

}  // namespace tenon::memory
