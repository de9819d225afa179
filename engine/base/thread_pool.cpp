// SPDX-License-Identifier: Apache-2.0
// The threads of a pool and their queue.
#include "engine/base/thread_pool.h"

#include <pthread.h>

#include <algorithm>

namespace tenon {

ThreadPool::ThreadPool(size_t count, const std::string& name) : count_(std::max<size_t>(1, count)) {
  threads_.reserve(count_);
  for (size_t i = 0; i < count_; ++i) threads_.emplace_back([this, name] { work(name); });
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() {
  stop_.request_stop();
  std::deque<std::packaged_task<void()>> dropped;
  std::vector<std::thread> joining;
  {
    std::lock_guard lock(mutex_);
    dropped.swap(tasks_);
    joining.swap(threads_);
  }
  for (std::thread& thread : joining) thread.join();
}

size_t ThreadPool::waiting() const {
  std::lock_guard lock(mutex_);
  return tasks_.size();
}

void ThreadPool::add(std::packaged_task<void()> task) {
  {
    std::lock_guard lock(mutex_);
    if (stop_.stop_requested()) return;  // destroying the task breaks its promise
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void ThreadPool::work(const std::string& name) {
  pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
  while (true) {
    std::packaged_task<void()> task;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, stop_.get_token(), [this] { return !tasks_.empty(); });
      if (stop_.stop_requested() || tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace tenon
