// SPDX-License-Identifier: Apache-2.0
// A first-in first-out queue between threads that blocks when it is full or empty and wakes on a
// stop token.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace tenon {

/// Holds at most `capacity` items. After close() nothing more is taken in, but what is inside can
/// be popped.
/// @thread All functions may be called from any thread.
template <class T>
class BoundedQueue {
 public:
  /// A capacity of 0 counts as 1.
  explicit BoundedQueue(size_t capacity) : capacity_(capacity == 0 ? 1 : capacity) {}
  BoundedQueue(const BoundedQueue&) = delete;
  BoundedQueue& operator=(const BoundedQueue&) = delete;

  /// Waits for room. False if the queue was closed or `stop` was requested; the item is then
  /// untouched.
  bool push(T&& item, const std::stop_token& stop = {}) {
    std::unique_lock lock(mutex_);
    bool ready =
        roomOrClosed_.wait(lock, stop, [this] { return closed_ || items_.size() < capacity_; });
    if (!ready || closed_) return false;
    items_.push_back(std::move(item));
    lock.unlock();
    itemOrClosed_.notify_one();
    return true;
  }

  /// False, and the item untouched, if there is no room or the queue is closed.
  bool tryPush(T&& item) {
    {
      std::lock_guard lock(mutex_);
      if (closed_ || items_.size() >= capacity_) return false;
      items_.push_back(std::move(item));
    }
    itemOrClosed_.notify_one();
    return true;
  }

  /// Waits for an item. None if `stop` was requested and nothing is inside, or if the queue is
  /// closed and empty.
  std::optional<T> pop(const std::stop_token& stop = {}) {
    std::unique_lock lock(mutex_);
    itemOrClosed_.wait(lock, stop, [this] { return closed_ || !items_.empty(); });
    return takeFront(lock);
  }

  std::optional<T> tryPop() {
    std::unique_lock lock(mutex_);
    return takeFront(lock);
  }

  /// Wakes everybody; push() fails from now on.
  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    roomOrClosed_.notify_all();
    itemOrClosed_.notify_all();
  }

  bool closed() const {
    std::lock_guard lock(mutex_);
    return closed_;
  }
  size_t size() const {
    std::lock_guard lock(mutex_);
    return items_.size();
  }
  size_t capacity() const noexcept { return capacity_; }

 private:
  std::optional<T> takeFront(std::unique_lock<std::mutex>& lock) {
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    lock.unlock();
    roomOrClosed_.notify_one();
    return item;
  }

  const size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable_any roomOrClosed_;
  std::condition_variable_any itemOrClosed_;
  std::deque<T> items_;
  bool closed_ = false;
};

}  // namespace tenon
