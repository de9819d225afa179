// SPDX-License-Identifier: Apache-2.0
// Measures the store's figures of docs/performance.md. Run by hand on a quiet machine:
//   test_store --gtest_also_run_disabled_tests --gtest_filter='*DISABLED_Speed*'
// TENON_SPEED_FOLDER names a folder on the disk to measure (default: /var/tmp).
#include <fcntl.h>

#include <algorithm>

#include "engine/store/checkpoints.h"
#include "engine/store/metrics.h"
#include "engine/store/run_writer.h"
#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

class DiskTest : public ::testing::Test {
 protected:
  DiskTest() {
    const char* base = std::getenv("TENON_SPEED_FOLDER");
    std::string name = std::string(base == nullptr ? "/var/tmp" : base) + "/tenon_speed_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~DiskTest() override { std::filesystem::remove_all(folder_); }

  /// Drops a file from the page cache.
  void cool(const std::string& name) const {
    File file(folder_ + "/" + name, FileMode::ReadWrite);
    file.sync();
    posix_fadvise(file.descriptor(), 0, 0, POSIX_FADV_DONTNEED);
  }

  std::string folder_;
};

template <typename Call>
double secondsOf(Call call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST_F(DiskTest, DISABLED_SpeedOfMetrics) {
  constexpr int kRows = 10'000'000;
  auto store = Store::open(folder_);
  RunWriter writer(store, store->runs().create({}));
  const MetricId id = writer.metric("v");
  double burst =
      1;  // seconds for 100,000 rows, the best of ten: without the writer on the same core
  const MetricId other = writer.metric("burst");
  for (int round = 0; round < 10; ++round) {
    burst = std::min(burst, secondsOf([&] {
                       for (int i = 0; i < 100'000; ++i) writer.log(other, i, 0, i);
                     }));
    writer.flush();
  }
  printf("log call in a burst %.1f ns\n", burst / 100'000 * 1e9);
  const double logging = secondsOf([&] {
    for (int i = 0; i < kRows; ++i) writer.log(id, i, i / 1000, static_cast<double>(i) * 1e-7);
  });
  const double all = logging + secondsOf([&] { writer.close(); });
  printf("log call %.1f ns, stored %.2f M rows/s, file %.1f bytes a row\n", logging / kRows * 1e9,
         kRows / all / 1e6,
         static_cast<double>(std::filesystem::file_size(store->metricsPath())) / kRows);
  store.reset();
  cool("tenon.sqlite");
  store = Store::open(folder_);
  for (const char* temperature : {"cold", "warm", "warm"})
    for (const auto& [from, to] : {std::pair<int64_t, int64_t>{0, kRows},
                                   {1'000'000, 4'000'000},
                                   {1'000'000, 1'200'000},
                                   {5'000'000, 5'100'000}}) {
      SeriesView view;
      const double spent = secondsOf([&] {
        view = store->metrics().readSeries(
            {.run = 1, .name = "v", .stepFrom = from, .stepTo = to, .maxPoints = 2000});
      });
      printf("%s: %8lld rows in %4zu buckets: %.2f ms\n", temperature,
             static_cast<long long>(view.rows), view.buckets.size(), spent * 1e3);
    }
}

TEST_F(DiskTest, DISABLED_SpeedOfCheckpoints) {
  constexpr size_t kBytes = size_t{400} << 20;
  std::vector<std::byte> data = pattern(kBytes, 1);
  const auto store = Store::open(folder_);
  std::vector<PartView> parts;
  std::vector<std::string> names;
  for (size_t i = 0; i < 100; ++i) names.push_back("part" + std::to_string(i));
  for (size_t i = 0; i < 100; ++i)
    parts.push_back({names[i], "{}", std::span(data).subspan(i * (kBytes / 100), kBytes / 100)});
  for (uint64_t round = 0; round < 5; ++round) {
    const double raw = secondsOf([&] {
      File file(folder_ + "/raw", FileMode::Replace);
      for (const PartView& part : parts) file.write(part.bytes);
      file.sync();
    });
    removeFile(folder_ + "/raw");
    const std::vector<std::byte> fresh = pattern(kBytes, round + 2);
    std::copy(fresh.begin(), fresh.end(), data.begin());  // `parts` look into it
    const double saving = secondsOf([&] { store->checkpoints().save({.run = 1}, parts); });
    const double retaining = secondsOf([&] { store->checkpoints().retain(1, {}); });
    cool("checkpoints.sqlite");
    const int64_t id = store->checkpoints().newestWhole(1)->id;
    std::vector<std::byte> into(kBytes / 100);
    const auto loadAll = [&] {
      for (const std::string& name : names) store->checkpoints().readPart(id, name, into);
    };
    const double cold = secondsOf(loadAll);
    const double warm = secondsOf(loadAll);
    const double mib = static_cast<double>(kBytes) / (1 << 20);
    printf("raw %.0f MiB/s, save %.0f (%.2f of raw), retain %.3f s, load cold %.0f, warm %.0f\n",
           mib / raw, mib / saving, raw / saving, retaining, mib / cold, mib / warm);
  }
}

}  // namespace
}  // namespace tenon
