// SPDX-License-Identifier: Apache-2.0
// Saves checkpoints on a thread of its own; one is under way at a time and kept until it is on the
// disk.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "engine/base/error.h"
#include "engine/store/checkpoints.h"

namespace tenon {

struct CheckpointWriter::Impl {
  Impl(std::shared_ptr<Store> storeIn, CheckpointWriterOptions optionsIn)
      : store(std::move(storeIn)), options(std::move(optionsIn)) {
    thread = std::thread([this] { loop(); });
  }

  void loop();
  /// Waits until the job is done or was tried in vain; false in the second case.
  bool waitForJob(std::unique_lock<std::mutex>& lock);
  [[noreturn]] void throwTrouble() { throw Error(trouble.code, trouble.message, trouble.osError); }
  bool trySave(const CheckpointData& data);
  void enterTrouble(const StoreTrouble& now);

  std::shared_ptr<Store> store;
  CheckpointWriterOptions options;

  std::mutex mutex;  // guards what follows; not held while saving
  std::condition_variable wake;
  std::condition_variable settled;
  std::optional<CheckpointData> job;
  bool stopping = false;
  bool retryNow = false;
  uint64_t attempts = 0;
  StoreTrouble trouble;

  std::atomic<bool> inTrouble{false};
  bool saved = false;  // the writer's own: the job is saved, only old ones are still to go
  std::thread thread;
};

void CheckpointWriter::Impl::enterTrouble(const StoreTrouble& now) {
  {
    const std::lock_guard lock(mutex);
    trouble = now;
  }
  if (!inTrouble.exchange(true) && options.onTrouble) options.onTrouble(now);
}

bool CheckpointWriter::Impl::trySave(const CheckpointData& data) {
  std::optional<CheckpointInfo> info;
  try {
    if (!saved) {
      if (options.beforeSave) options.beforeSave();
      std::vector<PartView> views;
      views.reserve(data.parts.size());
      for (const Part& part : data.parts) views.push_back({part.name, part.meta, part.data});
      info = store->checkpoints().save(data.head, views);
      saved = true;
    }
    if (info && options.onSaved) options.onSaved(*info);
    store->checkpoints().retain(data.head.run, data.retention);
  } catch (const Error& error) {
    enterTrouble({error.code(), error.osError(), error.what()});
    return false;
  } catch (const std::bad_alloc&) {
    enterTrouble({Code::Memory, 0, "[store] out of memory while saving a checkpoint"});
    return false;
  }
  saved = false;
  if (inTrouble.exchange(false) && options.onRecovered) options.onRecovered();
  return true;
}

void CheckpointWriter::Impl::loop() {
  std::unique_lock lock(mutex);
  while (true) {
    if (!inTrouble) {
      wake.wait(lock, [this] { return stopping || job; });
    } else {
      const auto pause = std::chrono::milliseconds(options.retryIntervalMs);
      wake.wait_for(lock, pause, [this] { return stopping || retryNow; });
    }
    retryNow = false;
    if (!job) return;
    const CheckpointData& data = *job;
    lock.unlock();
    const bool done = trySave(data);
    lock.lock();
    ++attempts;
    if (done) job.reset();
    settled.notify_all();
    if (stopping) return;
  }
}

bool CheckpointWriter::Impl::waitForJob(std::unique_lock<std::mutex>& lock) {
  if (job && inTrouble) {
    retryNow = true;
    wake.notify_one();
  }
  const uint64_t before = attempts;
  settled.wait(lock, [&] { return !job || (inTrouble && attempts > before); });
  return !job;
}

CheckpointWriter::CheckpointWriter(std::shared_ptr<Store> store, CheckpointWriterOptions options)
    : impl_(std::make_unique<Impl>(std::move(store), std::move(options))) {}

CheckpointWriter::~CheckpointWriter() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->wake.notify_one();
  impl_->thread.join();
}

void CheckpointWriter::submit(CheckpointData&& data) {
  std::unique_lock lock(impl_->mutex);
  if (!impl_->waitForJob(lock)) impl_->throwTrouble();
  impl_->job = std::move(data);
  impl_->wake.notify_one();
}

void CheckpointWriter::wait() {
  std::unique_lock lock(impl_->mutex);
  if (!impl_->waitForJob(lock)) impl_->throwTrouble();
}

void CheckpointWriter::retry() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->retryNow = true;
  }
  impl_->wake.notify_one();
}

bool CheckpointWriter::inTrouble() const { return impl_->inTrouble; }

}  // namespace tenon
