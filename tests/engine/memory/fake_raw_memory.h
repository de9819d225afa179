// SPDX-License-Identifier: Apache-2.0
// A device without memory: hands out made-up addresses, keeps books of them and fails on wish.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/memory/allocator.h"

namespace tenon::memory {

inline constexpr size_t kMiB = 1u << 20;

/// Every misuse by the allocator (freeing what is not there, mapping twice, ...) is a test failure.
class FakeRawMemory final : public RawMemory {
 public:
  size_t total = size_t{1} << 40;
  bool canReserve = true;
  int failNextCalls = 0;  ///< so many segment or map calls fail
  int calls = 0;          ///< segment and map calls, failed ones too
  size_t used = 0;
  std::map<uintptr_t, size_t> segments, reservations;
  std::set<uintptr_t> mappedPages;  // of 2 MiB

  void* allocateSegment(size_t bytes) override {
    EXPECT_EQ(bytes % kPage, 0u);
    if (!claim(bytes)) return nullptr;
    return pointer(segments.emplace(newAddress(bytes), bytes).first->first);
  }
  void freeSegment(void* data, size_t bytes) noexcept override {
    const auto it = segments.find(number(data));
    ASSERT_NE(it, segments.end()) << "freed a segment that is not there";
    EXPECT_EQ(it->second, bytes);
    used -= bytes;
    segments.erase(it);
  }
  void* reserve(size_t bytes) override {
    if (!canReserve) return nullptr;
    return pointer(reservations.emplace(newAddress(bytes), bytes).first->first);
  }
  bool map(void* data, size_t bytes) override {
    expectReserved(data, bytes);
    if (!claim(bytes)) return false;
    for (uintptr_t page = number(data); page < number(data) + bytes; page += kPage)
      EXPECT_TRUE(mappedPages.insert(page).second) << "mapped twice";
    return true;
  }
  void unmap(void* data, size_t bytes) noexcept override {
    expectReserved(data, bytes);
    for (uintptr_t page = number(data); page < number(data) + bytes; page += kPage)
      EXPECT_EQ(mappedPages.erase(page), 1u) << "unmapped what was not mapped";
    used -= bytes;
  }
  void unreserve(void* data, size_t bytes) noexcept override {
    const auto it = reservations.find(number(data));
    ASSERT_NE(it, reservations.end());
    EXPECT_EQ(it->second, bytes);
    const auto page = mappedPages.lower_bound(number(data));
    EXPECT_TRUE(page == mappedPages.end() || *page >= number(data) + bytes) << "still mapped";
    reservations.erase(it);
  }
  size_t totalBytes() const override { return total; }
  size_t freeBytes() const override { return total - used; }
  bool hostVisible() const override { return false; }

 private:
  static constexpr uintptr_t kPage = 2 * kMiB;
  static uintptr_t number(const void* data) { return reinterpret_cast<uintptr_t>(data); }
  static void* pointer(uintptr_t address) { return reinterpret_cast<void*>(address); }

  /// Pieces never touch, so that joining across them would show.
  uintptr_t newAddress(size_t bytes) {
    const uintptr_t address = next_;
    next_ += (bytes + kPage - 1) / kPage * kPage + kPage;
    return address;
  }
  bool claim(size_t bytes) {
    ++calls;
    if (failNextCalls > 0) {
      --failNextCalls;
      return false;
    }
    if (used + bytes > total) return false;
    used += bytes;
    return true;
  }
  void expectReserved(void* data, size_t bytes) const {
    auto it = reservations.upper_bound(number(data));
    ASSERT_NE(it, reservations.begin());
    --it;
    EXPECT_LE(number(data) + bytes, it->first + it->second) << "outside the reservation";
    EXPECT_EQ(number(data) % kPage, 0u);
  }

  uintptr_t next_ = uintptr_t{1} << 33;
};

/// Options of scripted traces: nothing in front of the pools.
inline AllocatorOptions plainOptions() {
  return {.expandableSegments = false, .frontCache = false};
}

inline uintptr_t addressOf(const Block* block) { return reinterpret_cast<uintptr_t>(block->data); }

}  // namespace tenon::memory
