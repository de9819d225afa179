// SPDX-License-Identifier: Apache-2.0
// What the oneDNN sources share: the engine and stream of a thread, its team, a bounded cache.
#pragma once

#include <cstdio>
#include <cstring>
#include <list>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include <dnnl.hpp>

#include "engine/backend/api/kernel.h"

namespace tenon::cpu::onednn {

/// The one engine; the first call limits oneDNN's instruction set if TENON_CPU asks for it.
const dnnl::engine& cpuEngine();
/// The calling thread's stream.
dnnl::stream& threadStream();
/// Threads that oneDNN is to use for a call from here, told to OpenMP.
int useTeam();

/// oneDNN runs on the calling thread alone while this lives.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int saved_;
  bool outer_;
};

/// Writes a failure's reason for the caller.
inline int32_t failed(const TenonKernelArgs& args, const char* what) {
  if (args.message && args.messageBytes)
    std::snprintf(args.message, args.messageBytes, "oneDNN: %s", what);
  return TENON_FAILED;
}

/// Hash and equality of structs of int64_t as memory.
struct WordHash {
  template <class Key>
  size_t operator()(const Key& key) const noexcept {
    static_assert(std::has_unique_object_representations_v<Key> && sizeof(Key) % 8 == 0);
    uint64_t words[sizeof(Key) / 8];
    std::memcpy(words, &key, sizeof(Key));
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (uint64_t word : words) hash = (hash ^ word) * 0xD6E8FEB86659FD93u + (hash >> 29);
    return static_cast<size_t>(hash ^ (hash >> 32));
  }
};
struct WordEqual {
  template <class Key>
  bool operator()(const Key& a, const Key& b) const noexcept {
    return std::memcmp(&a, &b, sizeof(Key)) == 0;
  }
};

/// Keeps the `limit` most recently used values. References stay valid until the value is dropped.
template <class Key, class Value>
class RecentCache {
 public:
  explicit RecentCache(size_t limit) : limit_(limit) {}

  /// The value of `key`, made by `make()` if it is not there.
  template <class Make>
  Value& get(const Key& key, Make&& make) {
    if (!order_.empty() && WordEqual()(order_.front().first, key)) return order_.front().second;
    if (const auto found = places_.find(key); found != places_.end()) {
      order_.splice(order_.begin(), order_, found->second);
      return order_.front().second;
    }
    order_.emplace_front(key, make());
    places_.emplace(key, order_.begin());
    if (order_.size() > limit_) {
      places_.erase(order_.back().first);
      order_.pop_back();
    }
    return order_.front().second;
  }

 private:
  using Order = std::list<std::pair<Key, Value>>;
  size_t limit_;
  Order order_;  // the most recent first
  std::unordered_map<Key, typename Order::iterator, WordHash, WordEqual> places_;
};

}  // namespace tenon::cpu::onednn
