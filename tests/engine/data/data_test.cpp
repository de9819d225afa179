// SPDX-License-Identifier: Apache-2.0
// Reader, transforms, split and loader: values, orders, and every way a file can be wrong.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <stop_token>
#include <thread>

#include "engine/base/error.h"
#include "engine/data/loader/loader.h"
#include "engine/data/pipeline.h"
#include "engine/data/reader_def.h"
#include "tests/support/idx_files.h"

namespace tenon {
namespace {

using testing::gzipped;
using testing::idxBytes;
using testing::TemporaryFolder;
using testing::writeBytes;

class Data : public ::testing::Test {
 protected:
  void SetUp() override { setenv("TENON_CACHE", folder.path("cache").c_str(), 1); }

  DataSpec spec() const {
    DataSpec data;
    data.reader = {"idx", {{"images", std::string("i.gz")}, {"labels", std::string("l.gz")}}};
    data.classes = {"a", "b", "c"};
    return data;
  }
  void write(const std::string& images, const std::string& labels) const {
    writeBytes(folder.path("i.gz"), images);
    writeBytes(folder.path("l.gz"), labels);
  }
  void writeGood(uint32_t count = 6) const {
    std::vector<uint8_t> pixels(count * 4);
    std::vector<uint8_t> labels(count);
    for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint8_t>(i * 5);
    for (size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<uint8_t>(i % 3);
    write(gzipped(idxBytes({count, 2, 2}, pixels)), gzipped(idxBytes({count}, labels)));
  }
  /// The only issue of opening the data, as one line without the folder.
  std::string issue(const DataSpec& data) const {
    const DataPipeline pipeline = openData(data, folder.path());
    if (pipeline.issues.size() != 1) return "issues: " + std::to_string(pipeline.issues.size());
    std::string line = issueLine(pipeline.issues[0]);
    for (size_t at; (at = line.find(folder.path() + "/")) != std::string::npos;)
      line.erase(at, folder.path().size() + 1);
    return line;
  }
  std::string issue() const { return issue(spec()); }

  TemporaryFolder folder;
};

std::vector<float> floats(const Dataset& data, int64_t index, const SampleContext& context = {}) {
  std::vector<float> out(static_cast<size_t>(data.meta().shape.numel()));
  data.get(index, context, std::as_writable_bytes(std::span(out)));
  return out;
}

TEST_F(Data, ReadsGzippedAndPlainFilesAndCachesTheDecodedOnes) {
  writeGood();
  for (int round = 0; round < 2; ++round) {  // the second comes from the cache
    const DataPipeline data = openData(spec(), folder.path());
    ASSERT_TRUE(data.ok()) << issueLine(data.issues[0]);
    EXPECT_EQ(data.training->size(), 6);
    EXPECT_EQ(data.training->meta().shape, (Shape{1, 2, 2}));
    EXPECT_EQ(data.training->meta().classes, 3);
    std::vector<std::byte> pixels(4);
    EXPECT_EQ(data.training->get(4, {}, pixels), 1);
    EXPECT_EQ(pixels[3], std::byte{19 * 5});
    EXPECT_EQ(classCounts(*data.training), (std::vector<int64_t>{2, 2, 2}));
  }
  EXPECT_FALSE(std::filesystem::is_empty(folder.path("cache")));
  write(idxBytes({1, 2, 2}, {1, 2, 3, 4}), idxBytes({1}, {2}));
  EXPECT_TRUE(openData(spec(), folder.path()).ok());
}

TEST_F(Data, OnceStopIsRequestedNothingIsUnpacked) {
  writeGood();
  std::stop_source stop;
  stop.request_stop();
  try {
    openData(spec(), folder.path(), stop.get_token());
    FAIL() << "opened in spite of the stop";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Stopped);
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path("cache")));
  EXPECT_TRUE(openData(spec(), folder.path()).ok());  // and nothing is left of it
}

TEST_F(Data, AChangedFileIsNotTakenFromTheCache) {
  writeGood(6);
  ASSERT_EQ(openData(spec(), folder.path()).training->size(), 6);
  writeGood(9);
  // Where a file system's clock ticks slowly, both writes would bear one time.
  for (const char* name : {"i.gz", "l.gz"}) {
    const auto written = std::filesystem::last_write_time(folder.path(name));
    std::filesystem::last_write_time(folder.path(name), written + std::chrono::seconds(2));
  }
  EXPECT_EQ(openData(spec(), folder.path()).training->size(), 9);
}

TEST_F(Data, WithoutAWritableCacheItStillWorks) {
  writeGood();
  setenv("TENON_CACHE", "/proc/nowhere", 1);
  EXPECT_TRUE(openData(spec(), folder.path()).ok());
}

TEST_F(Data, MissingFilesNameThePackage) {
  DataSpec data = spec();
  data.reader.params.set("images",
                         std::string("/usr/share/datasets/no-such-set/train-images-idx3-ubyte.gz"));
  writeGood();
  EXPECT_EQ(issue(data),
            "/usr/share/datasets/no-such-set/train-images-idx3-ubyte.gz: field "
            "'data.reader.images': the data set is not there: "
            "/usr/share/datasets/no-such-set/train-images-idx3-ubyte.gz comes with the package "
            "dataset-no-such-set (apt install "
            "dataset-no-such-set)");
}

TEST_F(Data, TruncatedGzip) {
  writeGood();
  const std::string whole = gzipped(idxBytes({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}));
  for (size_t keep : {whole.size() - 1, whole.size() - 9, whole.size() / 2, size_t{12}}) {
    writeBytes(folder.path("i.gz"), whole.substr(0, keep));
    EXPECT_NE(issue().find("i.gz: field 'data.reader.images': 'i.gz' is cut off"),
              std::string::npos)
        << keep << ": " << issue();
  }
}

TEST_F(Data, CorruptGzip) {
  writeGood();
  std::string bytes = gzipped(idxBytes({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}));
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 0x55);  // the checksum
  writeBytes(folder.path("i.gz"), bytes);
  EXPECT_NE(issue().find("'i.gz' is corrupt: incorrect data check"), std::string::npos) << issue();
}

TEST_F(Data, HeadsThatLie) {
  writeGood();
  const std::string labels = gzipped(idxBytes({6}, {0, 1, 2, 0, 1, 2}));
  write(gzipped(idxBytes({2, 2, 2}, {1, 2, 3})), labels);
  EXPECT_NE(issue().find("holds 19 bytes of data, its head says 24"), std::string::npos) << issue();
  write(gzipped(idxBytes({1, 2, 2}, {1, 2, 3, 4, 5})), labels);
  EXPECT_NE(issue().find("goes on after the 20 bytes"), std::string::npos) << issue();
  write(gzipped(idxBytes({0xffffffff, 0xffffffff, 0xffffffff}, {})), labels);
  EXPECT_NE(issue().find("too large"), std::string::npos) << issue();
  write(gzipped(idxBytes({100000, 100, 100}, {1})), labels);
  EXPECT_NE(issue().find("packed bytes, its head promises"), std::string::npos) << issue();
  std::string type = idxBytes({1, 2, 2}, {1, 2, 3, 4});
  type[2] = 0x0d;
  write(gzipped(type), labels);
  EXPECT_NE(issue().find("holds IDX type 0x0d, wanted unsigned bytes (0x08)"), std::string::npos)
      << issue();
  write(gzipped("hello, this is a text"), labels);
  EXPECT_NE(issue().find("is no IDX file"), std::string::npos) << issue();
  write("", labels);
  EXPECT_NE(issue().find("is no IDX file"), std::string::npos) << issue();
}

TEST_F(Data, LabelOutsideTheClassesNamesTheRow) {
  write(gzipped(idxBytes({3, 1, 1}, {0, 0, 0})), gzipped(idxBytes({3}, {0, 7, 1})));
  EXPECT_EQ(issue(),
            "l.gz: row 1: field 'data.reader.labels': label 7 is outside the 3 classes (0 to 2)");
}

TEST_F(Data, CountsMustMatch) {
  write(gzipped(idxBytes({3, 1, 1}, {0, 0, 0})), gzipped(idxBytes({2}, {0, 1})));
  EXPECT_EQ(issue(), "l.gz: field 'data.reader.labels': 3 images but 2 labels");
}

TEST_F(Data, PathsStayInsideTheFolder) {
  writeGood();
  DataSpec data = spec();
  data.reader.params.set("images", std::string("../i.gz"));
  EXPECT_NE(issue(data).find("../i.gz"), std::string::npos) << issue(data);
}

TEST_F(Data, TransformsGiveExactValues) {
  writeGood();
  DataSpec data = spec();
  data.transforms = {
      {"scale", {{"divide_by", 255.0}}},
      {"normalize", {{"mean", std::vector<double>{0.25}}, {"std", std::vector<double>{0.5}}}}};
  const DataPipeline pipeline = openData(data, folder.path());
  ASSERT_TRUE(pipeline.ok());
  ASSERT_EQ(pipeline.stages.size(), 3U);
  EXPECT_FLOAT_EQ(floats(*pipeline.training, 1)[2], (30.0F / 255.0F - 0.25F) / 0.5F);
}

TEST_F(Data, TransformIssuesNameTheirPlace) {
  writeGood();
  DataSpec data = spec();
  data.transforms = {{"normalize", {}}};
  EXPECT_EQ(issue(data),
            "field 'data.transforms.0': normalize wants f32 values, got u8: put 'scale' before it");
  data.transforms = {{"scale", {}}, {"normalise", {}}};
  EXPECT_EQ(
      issue(data),
      "field 'data.transforms.1': there is no transform 'normalise'; did you mean 'normalize'?");
  data.transforms = {{"scale", {}}, {"normalize", {{"mean", std::vector<double>{1, 2}}}}};
  EXPECT_EQ(issue(data),
            "field 'data.transforms.1.mean': wants one number for each of 1 channels, got 2");
}

TEST_F(Data, RandomFlipDependsOnSeedEpochAndSampleOnly) {
  writeGood(64);
  DataSpec data = spec();
  data.transforms = {{"scale", {}}, {"random_flip", {}}};
  data.split.kind = SplitSpec::Kind::Fraction;
  data.split.fraction = 0.25;
  const DataPipeline pipeline = openData(data, folder.path());
  int flipped = 0;
  for (int64_t i = 0; i < pipeline.training->size(); ++i) {
    const std::vector<float> raw = floats(*pipeline.stages[1], i);
    const std::vector<float> now = floats(*pipeline.training, i, {3, 1});
    EXPECT_EQ(now, floats(*pipeline.training, i, {3, 1}));
    if (now != raw) {
      ++flipped;
      EXPECT_EQ(now[0], raw[1]);
      EXPECT_EQ(now[3], raw[2]);
    }
  }
  EXPECT_GT(flipped, 10);
  EXPECT_LT(flipped, 38);
  for (int64_t i = 0; i < pipeline.validation->size(); ++i)
    EXPECT_EQ(floats(*pipeline.validation, i, {3, 1}), floats(*pipeline.validation, i, {4, 2}));
}

TEST_F(Data, SplitByFractionIsDisjointAndComplete) {
  writeGood(40);
  DataSpec data = spec();
  data.split.kind = SplitSpec::Kind::Fraction;
  data.split.fraction = 0.1;
  const DataPipeline a = openData(data, folder.path());
  EXPECT_EQ(a.training->size(), 36);
  EXPECT_EQ(a.validation->size(), 4);
  std::multiset<std::vector<std::byte>> seen;
  for (const DatasetPtr& part : {a.training, a.validation})
    for (int64_t i = 0; i < part->size(); ++i) {
      std::vector<std::byte> pixels(4);
      part->get(i, {}, pixels);
      seen.insert(pixels);
    }
  EXPECT_EQ(seen.size(), 40U);
}

/// All targets and first pixels of an epoch, in order.
std::vector<float> drain(Loader& loader, int64_t epoch, int64_t first = 0) {
  std::vector<float> out;
  loader.start(epoch, first);
  while (const auto batch = loader.next()) {
    const std::vector<float> values = batch->values.toVector<float>();
    out.insert(out.end(), values.begin(), values.end());
    for (const int64_t target : batch->targets.toVector<int64_t>())
      out.push_back(static_cast<float>(target));
  }
  return out;
}

TEST_F(Data, LoaderGivesTheSameForAnyNumberOfWorkers) {
  writeGood(50);
  DataSpec data = spec();
  data.transforms = {{"scale", {}}, {"random_flip", {}}};
  const DataPipeline pipeline = openData(data, folder.path());
  std::vector<std::vector<float>> results;
  for (const int64_t workers : {0, 1, 2, 4}) {
    Loader loader(pipeline.training, {8, true, false, 9, workers, 2});
    EXPECT_EQ(loader.batchesPerEpoch(), 7);
    results.push_back(drain(loader, 3));
    const std::vector<float> rest = drain(loader, 3, 5);  // from the middle: the same end
    EXPECT_EQ(rest, std::vector<float>(results.back().end() - static_cast<ptrdiff_t>(rest.size()),
                                       results.back().end()));
    EXPECT_NE(drain(loader, 4), results.back());
  }
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
}

TEST_F(Data, LoaderDropsTheLastBatchOnRequest) {
  writeGood(10);
  const DataPipeline pipeline = openData(spec(), folder.path());
  Loader loader(pipeline.training, {4, false, true, 0, 1, 2});
  EXPECT_EQ(loader.batchesPerEpoch(), 2);
  EXPECT_THROW(Loader(pipeline.training, {0}), Error);
}

TEST_F(Data, ABrokenSampleReachesTheTrainerWithItsNumber) {
  class Broken final : public Dataset {
   public:
    int64_t size() const override { return 20; }
    const SampleMeta& meta() const override { return meta_; }
    int64_t target(int64_t) const override { return 0; }
    int64_t get(int64_t index, const SampleContext&, std::span<std::byte>) const override {
      if (index == 11) throw Error(Code::Input, "bad pixel");
      return 0;
    }
    SampleMeta meta_{{1}, DType::U8, 1};
  };
  Loader loader(std::make_shared<Broken>(), {4, false, false, 0, 2, 2});
  loader.start(0);
  try {
    while (loader.next()) {
    }
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "sample 11: bad pixel");
  }
}

TEST_F(Data, AWaitingLoaderCanBeStopped) {
  class Slow final : public Dataset {
   public:
    int64_t size() const override { return 100; }
    const SampleMeta& meta() const override { return meta_; }
    int64_t target(int64_t) const override { return 0; }
    int64_t get(int64_t, const SampleContext&, std::span<std::byte>) const override {
      while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return 0;
    }
    SampleMeta meta_{{1}, DType::U8, 1};
    std::atomic<bool> go{false};
  };
  const auto slow = std::make_shared<Slow>();
  Loader loader(slow, {8, false, false, 0, 1, 2});
  loader.start(0);
  std::stop_source stop;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request_stop();
  });
  EXPECT_FALSE(loader.next(stop.get_token()).has_value());
  slow->go = true;
}

}  // namespace
}  // namespace tenon
