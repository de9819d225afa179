// SPDX-License-Identifier: Apache-2.0
// Workers take batch numbers in order and put batches into numbered places; next() hands them out
// in order.
#include "engine/data/loader/loader.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/philox.h"
#include "engine/memory/scope.h"

namespace tenon {

std::vector<int64_t> sampleOrder(int64_t size, bool shuffle, uint64_t seed, int64_t epoch) {
  if (shuffle) {
    const philox::Key key = philox::foldIn(philox::makeKey(seed, philox::Purpose::Shuffle),
                                           static_cast<uint64_t>(epoch));
    return philox::permutation(size, key);
  }
  std::vector<int64_t> order(static_cast<size_t>(size));
  std::iota(order.begin(), order.end(), int64_t{0});
  return order;
}

namespace {

/// A batch or what went wrong with it.
struct Slot {
  Batch batch;
  std::exception_ptr failure;
};

}  // namespace

struct Loader::Impl {
  DatasetPtr dataset;
  LoaderOptions options;
  std::vector<int64_t> order;
  int64_t epoch = 0;
  int64_t waited = 0;

  std::mutex mutex;
  std::condition_variable_any changed;
  int64_t nextToMake = 0;  // guarded by mutex, as all below
  int64_t nextToGive = 0;
  std::map<int64_t, Slot> ready;
  std::vector<std::jthread> workers;

  int64_t batches() const {
    const int64_t size = dataset->size();
    return options.dropLast ? size / options.batchSize
                            : (size + options.batchSize - 1) / options.batchSize;
  }
  Batch make(int64_t number) const;
  Slot makeSafely(int64_t number) const;
  void work(const std::stop_token& stop);
  void startWorkers();
  void stopWorkers();
  std::optional<Batch> take(const std::stop_token& stop);
};

Batch Loader::Impl::make(int64_t number) const {
  const int64_t first = number * options.batchSize;
  const int64_t count = std::min(options.batchSize, dataset->size() - first);
  const SampleMeta& meta = dataset->meta();
  Shape shape{count};
  for (int64_t size : meta.shape.span()) shape.push(size);
  memory::Scope scope;
  scope.phase = memory::Phase::Data;
  scope.op = memory::internName("batch");
  const memory::ScopeGuard scoped(scope);
  Batch batch;
  batch.values = Tensor::empty(shape, meta.dtype, {}, memory::Category::Input);
  batch.targets = Tensor::empty({count}, DType::I64, {}, memory::Category::Input);
  batch.number = number;
  auto* values = static_cast<std::byte*>(batch.values.rawData());
  auto* targets = batch.targets.data<int64_t>();
  const SampleContext context{options.seed, epoch};
  for (int64_t i = 0; i < count; ++i, values += meta.bytes()) {
    const int64_t index = order[static_cast<size_t>(first + i)];
    batch.indices.push_back(index);
    try {
      targets[i] = dataset->get(index, context, {values, static_cast<size_t>(meta.bytes())});
    } catch (Error& error) {
      error.addContext("sample " + std::to_string(index));
      throw;
    }
  }
  return batch;
}

Slot Loader::Impl::makeSafely(int64_t number) const {
  Slot place;
  try {
    place.batch = make(number);
  } catch (...) {
    place.failure = std::current_exception();
  }
  return place;
}

void Loader::Impl::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex);
  while (true) {
    const int64_t ahead = options.workers * options.prefetch;
    const bool go = changed.wait(
        lock, stop, [&] { return nextToMake >= batches() || nextToMake < nextToGive + ahead; });
    if (!go || stop.stop_requested() || nextToMake >= batches()) return;
    const int64_t number = nextToMake++;
    lock.unlock();
    Slot place = makeSafely(number);
    lock.lock();
    ready.emplace(number, std::move(place));
    changed.notify_all();
  }
}

void Loader::Impl::startWorkers() {
  for (int64_t i = 0; i < options.workers; ++i)
    workers.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

void Loader::Impl::stopWorkers() {
  for (std::jthread& worker : workers) worker.request_stop();
  workers.clear();  // joins
  ready.clear();
}

std::optional<Batch> Loader::Impl::take(const std::stop_token& stop) {
  std::unique_lock lock(mutex);
  const int64_t began = monotonicNs();
  const bool there = changed.wait(lock, stop, [&] { return ready.contains(nextToGive); });
  waited += monotonicNs() - began;
  if (!there) return std::nullopt;
  Slot place = std::move(ready.at(nextToGive));
  ready.erase(nextToGive++);
  changed.notify_all();
  lock.unlock();
  if (place.failure) std::rethrow_exception(place.failure);
  return std::move(place.batch);
}

Loader::Loader(DatasetPtr dataset, LoaderOptions options) : impl_(std::make_unique<Impl>()) {
  if (options.batchSize < 1)
    throw Error(Code::Usage, "batch size is at least 1, got " + std::to_string(options.batchSize));
  impl_->dataset = std::move(dataset);
  impl_->options = options;
  impl_->options.workers = std::max<int64_t>(options.workers, 0);
  impl_->options.prefetch = std::max<int64_t>(options.prefetch, 1);
}

Loader::~Loader() { impl_->stopWorkers(); }

int64_t Loader::batchesPerEpoch() const { return impl_->batches(); }

void Loader::start(int64_t epoch, int64_t firstBatch) {
  Impl& m = *impl_;
  m.stopWorkers();
  m.order = sampleOrder(m.dataset->size(), m.options.shuffle, m.options.seed, epoch);
  m.epoch = epoch;
  m.waited = 0;
  m.nextToMake = m.nextToGive = firstBatch;
  m.startWorkers();
}

std::optional<Batch> Loader::next(std::stop_token stop) {
  Impl& m = *impl_;
  if (m.nextToGive >= m.batches() || stop.stop_requested()) return std::nullopt;
  if (m.options.workers > 0) return m.take(stop);
  const int64_t began = monotonicNs();
  Batch batch = m.make(m.nextToGive++);
  m.waited += monotonicNs() - began;
  return batch;
}

int64_t Loader::waitedNs() const { return impl_->waited; }

}  // namespace tenon
