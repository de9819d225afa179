// SPDX-License-Identifier: Apache-2.0
// A few threads for reading, writing and preparing data. Not for the arithmetic of a step.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <future>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "engine/base/export.h"

namespace tenon {

/// Runs tasks in the order they came. Destroying it stops it.
/// @thread submit() and stop() may be called from any thread but not stop() from a task.
class TENON_API ThreadPool {
 public:
  /// `count` threads (at least 1), seen by the system under `name` (15 characters).
  ThreadPool(size_t count, const std::string& name);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Queues `work()` or `work(std::stop_token)`; the token is set by stop(). What it throws comes
  /// out of the future's get(); a task that stop() dropped throws std::future_error (broken
  /// promise) there.
  template <class Work>
  auto submit(Work work) {
    if constexpr (std::is_invocable_v<Work&, std::stop_token>) {
      return enqueue([work = std::move(work), token = stop_.get_token()]() mutable {
        return work(std::move(token));
      });
    } else {
      return enqueue(std::move(work));
    }
  }

  /// Requests stop of running tasks, drops those that wait, and joins the threads.
  void stop();

  size_t threads() const noexcept { return count_; }
  /// Tasks that have not begun.
  size_t waiting() const;

 private:
  template <class Work>
  auto enqueue(Work work) {
    using Result = std::invoke_result_t<Work&>;
    std::packaged_task<Result()> task(std::move(work));
    std::future<Result> future = task.get_future();
    add(std::packaged_task<void()>([task = std::move(task)]() mutable { task(); }));
    return future;
  }

  void add(std::packaged_task<void()> task);
  void work(const std::string& name);

  const size_t count_;
  std::stop_source stop_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::packaged_task<void()>> tasks_;
  std::vector<std::thread> threads_;
};

}  // namespace tenon
