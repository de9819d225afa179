// SPDX-License-Identifier: Apache-2.0
// The thread that writes a live run: takes what was logged, commits it, keeps it while it cannot.
#include "engine/store/run_writer.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/store/checkpoints.h"
#include "engine/store/database.h"
#include "engine/store/database_options.h"
#include "engine/store/live_runs.h"
#include "engine/store/row_queue.h"
#include "engine/store/run_batch.h"
#include "engine/store/training_clock.h"

namespace tenon {
namespace {

constexpr auto kHeartbeat = std::chrono::seconds(1);
/// Full chunks in the queue at which the writer does not wait for the interval to end (262,144
/// rows).
constexpr size_t kHurryChunks = 64;

}  // namespace

struct RunWriter::Impl {
  Impl(std::shared_ptr<Store> storeIn, RunId runIn, RunWriterOptions optionsIn)
      : store(std::move(storeIn)),
        run(runIn),
        options(std::move(optionsIn)),
        trained(*options.clock, store->runs().trainedTime(run)),
        database(metricsDatabase(*store, 8192)),
        batch(run, database),
        rowsWritten(batch.rowsWritten()) {
    runWriterBegan(database.file(), run);
    thread = std::thread([this] { loop(); });
  }

  void loop();
  void waitForWork(std::unique_lock<std::mutex>& lock, bool troubled);
  void takeIn();
  bool tryWrite();
  /// False if it throws; then the writer is in trouble.
  template <typename Call>
  bool attempt(Call call);
  void announce(const std::vector<ArtifactInfo>& stored);
  void enterTrouble(const StoreTrouble& now);
  void leaveTrouble();
  void stop();

  std::shared_ptr<Store> store;
  RunId run;
  RunWriterOptions options;
  RowQueue queue;

  std::mutex mutex;  // guards the block below; never held while writing
  std::condition_variable wake;
  std::condition_variable settled;
  std::vector<std::pair<std::string, std::string>> metrics;  // name and unit
  std::unordered_map<std::string, uint32_t> metricNumbers;
  RunNews news;
  TrainingClock trained;
  size_t waitingBytes = 0;  // of artifacts not committed yet
  uint64_t wanted = 0;      // tickets given out by flush()
  uint64_t written = 0;     // all tickets up to here are on the disk
  uint64_t tried = 0;       // all tickets up to here have been tried
  bool retryNow = false;
  bool stopping = false;
  StoreTrouble trouble;

  std::atomic<bool> hurry{false};
  std::atomic<bool> inTrouble{false};
  // The writer's own.
  Database database;
  RunBatch batch;
  std::atomic<int64_t> rowsWritten;
  std::chrono::steady_clock::time_point lastWrite = std::chrono::steady_clock::now();
  std::thread thread;
};

void RunWriter::Impl::waitForWork(std::unique_lock<std::mutex>& lock, bool troubled) {
  const auto pause = troubled ? options.retryInterval : options.commitInterval;
  wake.wait_for(lock, pause, [&] {
    const bool pressed = stopping || wanted > tried || retryNow;
    return pressed || (!troubled && hurry.load(std::memory_order_relaxed));
  });
  retryNow = false;
  hurry.store(false, std::memory_order_relaxed);
}

/// Moves what came in into the batch. Rows are taken before the names, so that each row's name is
/// known.
void RunWriter::Impl::takeIn() {
  RowQueue::Chunks chunks = queue.takeAll();
  std::vector<std::pair<std::string, std::string>> fresh;
  {
    const std::lock_guard lock(mutex);
    fresh.assign(metrics.begin() + static_cast<ptrdiff_t>(batch.seriesCount()), metrics.end());
    trained.follow(news.training);
    batch.take(std::exchange(news, {}));
  }
  for (const auto& [name, unit] : fresh) batch.nameSeries(name, unit);
  batch.take(chunks);
  queue.recycle(std::move(chunks));
}

template <typename Call>
bool RunWriter::Impl::attempt(Call call) {
  try {
    call();
    return true;
  } catch (const Error& error) {
    enterTrouble({error.code(), error.osError(), error.what()});
  } catch (const std::bad_alloc&) {
    enterTrouble({Code::Memory, 0, "[store] out of memory while writing metrics"});
  }
  return false;
}

bool RunWriter::Impl::tryWrite() {
  const int64_t before = batch.rowsWritten();
  std::vector<ArtifactInfo> stored;
  const bool wrote = attempt([&] {
    takeIn();
    const auto now = std::chrono::steady_clock::now();
    if (!batch.empty() || inTrouble || now - lastWrite >= kHeartbeat) {
      stored = batch.write(trained.nowUs());
      lastWrite = now;
    }
  });
  if (!wrote) return false;
  rowsWritten = batch.rowsWritten();
  // The other file of the store is written rarely; without this its loss would be noticed late.
  const bool whole = attempt([&] { store->checkpoints().refuseMisplaced(); });
  if (whole) leaveTrouble();
  if (batch.rowsWritten() != before && options.onRows) options.onRows(run, batch.rowsWritten());
  announce(stored);
  return whole;
}

void RunWriter::Impl::announce(const std::vector<ArtifactInfo>& stored) {
  {
    const std::lock_guard lock(mutex);
    for (const ArtifactInfo& info : stored) waitingBytes -= static_cast<size_t>(info.bytes);
  }
  if (!options.onArtifact) return;
  for (const ArtifactInfo& info : stored) options.onArtifact(info);
}

void RunWriter::Impl::enterTrouble(const StoreTrouble& now) {
  {
    const std::lock_guard lock(mutex);
    trouble = now;
  }
  if (!inTrouble.exchange(true) && options.onTrouble) options.onTrouble(now);
}

void RunWriter::Impl::leaveTrouble() {
  if (inTrouble.exchange(false) && options.onRecovered) options.onRecovered();
}

void RunWriter::Impl::loop() {
  bool stopNow = false;
  while (!stopNow) {
    uint64_t ticket = 0;
    {
      std::unique_lock lock(mutex);
      waitForWork(lock, inTrouble);
      ticket = wanted;
      stopNow = stopping;
    }
    const bool done = tryWrite();
    {
      const std::lock_guard lock(mutex);
      if (done) written = ticket;
      tried = ticket;
    }
    settled.notify_all();
  }
}

void RunWriter::Impl::stop() {
  {
    const std::lock_guard lock(mutex);
    stopping = true;
  }
  wake.notify_one();
  if (thread.joinable()) thread.join();
}

RunWriter::RunWriter(std::shared_ptr<Store> store, RunId run, RunWriterOptions options)
    : impl_(std::make_unique<Impl>(std::move(store), run, std::move(options))) {}

RunWriter::~RunWriter() {
  impl_->stop();
  runWriterEnded(impl_->database.file(), impl_->run);
}

MetricId RunWriter::metric(std::string_view name, std::string_view unit) {
  if (name.empty()) throw Error(Code::Usage, "[store] a metric needs a name");
  const std::lock_guard lock(impl_->mutex);
  const auto next = static_cast<uint32_t>(impl_->metrics.size());
  const auto [found, isNew] = impl_->metricNumbers.emplace(name, next);
  if (isNew) impl_->metrics.emplace_back(name, unit);
  return static_cast<MetricId>(found->second);
}

void RunWriter::log(MetricId metric, int64_t step, int32_t epoch, double value) {
  const QueuedRow row{static_cast<uint32_t>(metric), epoch, step, impl_->trained.stampUs(), value};
  if (impl_->queue.push(row) < kHurryChunks) return;
  // Not under the mutex: a missed notification costs one commit interval at most.
  impl_->hurry.store(true, std::memory_order_relaxed);
  impl_->wake.notify_one();
}

void RunWriter::progress(int64_t step, int32_t epoch) {
  const std::lock_guard lock(impl_->mutex);
  impl_->news.progress = RunProgress{step, epoch};
}

void RunWriter::best(std::string_view metricName, double value, int64_t step) {
  const std::lock_guard lock(impl_->mutex);
  impl_->news.best = BestMetric{std::string(metricName), value, step};
}

void RunWriter::status(RunStatus status, std::string_view failure) {
  const std::lock_guard lock(impl_->mutex);
  impl_->trained.training(status == RunStatus::Running, impl_->news.training);
  impl_->news.status = StatusChange{status, std::string(failure), impl_->trained.nowUs()};
}

void RunWriter::training(bool goesOn) {
  const std::lock_guard lock(impl_->mutex);
  impl_->trained.training(goesOn, impl_->news.training);
}

int64_t RunWriter::trainedUs() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->trained.trainedUs();
}

void RunWriter::settings(std::string_view settings) {
  const std::lock_guard lock(impl_->mutex);
  impl_->news.settings = std::string(settings);
}

void RunWriter::event(Event event) {
  event.run = impl_->run;
  const std::lock_guard lock(impl_->mutex);
  if (event.timeUs == 0) event.timeUs = impl_->trained.nowUs();
  impl_->news.events.push_back(std::move(event));
}

bool RunWriter::artifact(ArtifactInfo info, std::vector<std::byte>&& bytes, Packing packing) {
  refuseTooLarge(info, bytes.size());
  info.run = impl_->run;
  info.bytes = static_cast<int64_t>(bytes.size());
  const std::lock_guard lock(impl_->mutex);
  info.createdUs = impl_->trained.nowUs();
  size_t& waiting = impl_->waitingBytes;
  if (waiting > 0 && waiting + bytes.size() > impl_->options.maxWaitingBytes) return false;
  const size_t more = bytes.size();
  impl_->news.artifacts.push_back({std::move(info), std::move(bytes), packing});
  waiting += more;
  return true;
}

void RunWriter::flush() {
  std::unique_lock lock(impl_->mutex);
  if (impl_->stopping) throw Error(Code::Usage, "[store] this run writer is closed");
  const uint64_t ticket = ++impl_->wanted;
  impl_->wake.notify_one();
  impl_->settled.wait(lock, [&] { return impl_->tried >= ticket; });
  if (impl_->written >= ticket) return;
  const StoreTrouble& trouble = impl_->trouble;
  throw Error(trouble.code, trouble.message, trouble.osError);
}

void RunWriter::retry() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->retryNow = true;
  }
  impl_->wake.notify_one();
}

bool RunWriter::inTrouble() const { return impl_->inTrouble; }

void RunWriter::close() {
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->stopping) return;
  }
  flush();
  impl_->stop();
}

RunId RunWriter::run() const { return impl_->run; }
int64_t RunWriter::rowsWritten() const { return impl_->rowsWritten; }

}  // namespace tenon
