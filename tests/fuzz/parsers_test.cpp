// SPDX-License-Identifier: Apache-2.0
// Everything that reads bytes which others may have written: project files, data sets, stored
// recordings and databases. Short here for every change; the Soak forms run in `./dev soak`.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/data/pipeline.h"
#include "engine/observe/graph_recording.h"
#include "engine/observe/memory_recording.h"
#include "engine/project/project_file.h"
#include "engine/schema/json.h"
#include "engine/store/artifacts.h"
#include "engine/store/checkpoints.h"
#include "engine/store/events.h"
#include "engine/store/metrics.h"
#include "engine/store/point_pack.h"
#include "engine/store/runs.h"
#include "engine/train/predictions.h"
#include "engine/train/trainer.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/support/idx_files.h"

namespace tenon {
namespace {

using testing::Bytes;
using testing::bytesOf;
using testing::Corpus;
using testing::fuzz;
using testing::FuzzPlan;
using testing::longRun;
using testing::shortRun;
using testing::TemporaryFolder;
using testing::writeBytes;

using View = std::span<const std::byte>;

std::string_view textOf(View bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Bytes fileBytes(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return bytesOf(text.str());
}

void write(const std::string& path, View bytes) { writeBytes(path, std::string(textOf(bytes))); }

/// What a short training leaves behind; made once.
struct Trained {
  TemporaryFolder folder;
  Bytes project, metrics, checkpoints, graph, memory, predictions;

  static const Trained& get() {
    static const Trained made;
    return made;
  }

 private:
  Trained() {
    setenv("TENON_CACHE", "/proc/nowhere", 1);  // nothing is cached, so nothing piles up
    const std::string file = testing::writeToyProject(folder.path(), R"("epochs": 1, )", 32);
    {
      const std::shared_ptr<Store> store = Store::open(folder.path());
      TrainControl control;
      control.recordNextStep();
      TrainSink sink;
      const RunId run =
          Trainer({readProject(file).project, folder.path()}, store, control, sink).run().run;
      const auto artifact = [&](const char* kind) {
        return store->artifacts().read(store->artifacts().list(run, kind)[0].id);
      };
      graph = artifact("graph");
      memory = artifact("memory");
      predictions = artifact("predictions");
    }
    project = fileBytes(file);
    metrics = fileBytes(folder.path("tenon.sqlite"));
    checkpoints = fileBytes(folder.path("checkpoints.sqlite"));
  }
};

const std::vector<std::string> kJsonWords = {"{",
                                             "}",
                                             "[",
                                             "]",
                                             ":",
                                             ",",
                                             "\"",
                                             "\\u0000",
                                             "\\ud800",
                                             "-",
                                             "1e999",
                                             "1e-999",
                                             "99999999999999999999",
                                             "null",
                                             "true",
                                             "\"id\":",
                                             "\"type\":",
                                             "[[[[[[[[[[[[[[[[",
                                             "\"train\":{",
                                             "\"optimizer\":{",
                                             "\"edges\":[",
                                             "\xff\xfe",
                                             "//"};

void jsonText(const FuzzPlan& plan) {
  const Corpus corpus = {Trained::get().project, bytesOf(R"([1, -2.5e3, "a\n", {"b": null}])"),
                         fileBytes(TENON_SOURCE_DIR "/projects/fashion-mnist/project.tenon")};
  fuzz(corpus, plan, [](View bytes) {
    const Json json = parseJson(textOf(bytes));
    EXPECT_EQ(canonicalJson(parseJson(writeJson(json))), canonicalJson(json));
  });
}
TEST(Fuzz, Json) { jsonText(shortRun(kJsonWords)); }
TEST(SoakFuzz, Json) { jsonText(longRun(kJsonWords)); }

void projectFile(const FuzzPlan& plan) {
  const Corpus corpus = {Trained::get().project,
                         fileBytes(TENON_SOURCE_DIR "/projects/fashion-mnist/project.tenon")};
  fuzz(corpus, plan, [](View bytes) {
    const ReadResult read = readProjectText(textOf(bytes), "p.tenon");
    throwIfErrors(read.issues);
    const std::string written = projectText(read.project);
    const ReadResult again = readProjectText(written, "p.tenon");
    throwIfErrors(again.issues, Code::Internal);
    EXPECT_EQ(projectText(again.project), written);
  });
}
TEST(Fuzz, ProjectFile) { projectFile(shortRun(kJsonWords)); }
TEST(SoakFuzz, ProjectFile) { projectFile(longRun(kJsonWords)); }

void graphRecording(const FuzzPlan& plan) {
  fuzz({Trained::get().graph}, plan, [](View bytes) { encode(decodeGraph(bytes)); });
}
TEST(Fuzz, GraphRecording) { graphRecording(shortRun()); }
TEST(SoakFuzz, GraphRecording) { graphRecording(longRun()); }

void memoryRecording(const FuzzPlan& plan) {
  fuzz({Trained::get().memory}, plan, [](View bytes) {
    const MemoryRecording recording = decodeMemory(bytes);
    blockLives(recording);
    memory::replayCategories(recording.trace);
  });
}
TEST(Fuzz, MemoryRecording) { memoryRecording(shortRun()); }
TEST(SoakFuzz, MemoryRecording) { memoryRecording(longRun()); }

void predictions(const FuzzPlan& plan) {
  fuzz({Trained::get().predictions}, plan, [](View bytes) { encode(decodePredictions(bytes)); });
}
TEST(Fuzz, Predictions) { predictions(shortRun()); }
TEST(SoakFuzz, Predictions) { predictions(longRun()); }

void metricPack(const FuzzPlan& plan) {
  std::vector<MetricRow> even;
  std::vector<MetricRow> uneven;
  for (int64_t i = 0; i < 300; ++i) {
    even.push_back({i, i * 1000, 0.5, 0});
    uneven.push_back({i * i * i, int64_t{1} << (i % 60), 1.0 / static_cast<double>(i + 1),
                      static_cast<int32_t>(i % 7)});
  }
  // Without a checksum, as in older stores, changes come further.
  const auto older = [](Bytes pack) {
    pack[0] = std::byte{1};
    pack.resize(pack.size() - 4);
    return pack;
  };
  const Corpus corpus = {packPoints(even), packPoints(uneven), older(packPoints(even)),
                         older(packPoints(uneven))};
  fuzz(corpus, plan, [](View bytes) {
    std::vector<MetricRow> rows;
    unpackPoints(bytes, rows);
  });
}
TEST(Fuzz, MetricPack) { metricPack(shortRun()); }
TEST(SoakFuzz, MetricPack) { metricPack(longRun()); }

/// Images with good labels or the other way round, plain and packed.
void idxFiles(const FuzzPlan& plan) {
  const TemporaryFolder folder;
  setenv("TENON_CACHE", "/proc/nowhere", 1);
  DataSpec data;
  data.reader = {"idx", {{"images", std::string("i")}, {"labels", std::string("l")}}};
  data.classes = {"a", "b", "c"};
  const std::string images = testing::idxBytes({3, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const std::string labels = testing::idxBytes({3}, {0, 2, 1});
  const auto open = [&] {
    const DataPipeline pipeline = openData(data, folder.path());
    throwIfErrors(pipeline.issues);
    classCounts(*pipeline.training);
    std::vector<std::byte> sample(static_cast<size_t>(pipeline.training->meta().bytes()));
    for (int64_t i = 0; i < pipeline.training->size(); ++i) pipeline.training->get(i, {}, sample);
  };
  writeBytes(folder.path("l"), labels);
  fuzz({bytesOf(images), bytesOf(testing::gzipped(images))}, plan, [&](View bytes) {
    write(folder.path("i"), bytes);
    open();
  });
  writeBytes(folder.path("i"), images);
  fuzz({bytesOf(labels), bytesOf(testing::gzipped(labels))}, plan, [&](View bytes) {
    write(folder.path("l"), bytes);
    open();
  });
}
TEST(Fuzz, IdxFiles) { idxFiles(shortRun()); }
TEST(SoakFuzz, IdxFiles) { idxFiles(longRun()); }

void metricsDatabase(const FuzzPlan& plan) {
  const TemporaryFolder folder;
  fuzz({Trained::get().metrics}, plan, [&](View bytes) {
    write(folder.path("tenon.sqlite"), bytes);
    const auto store = Store::open(folder.path(), OpenMode::ReadOnly);
    for (const RunInfo& run : store->runs().list()) {
      for (const SeriesInfo& series : store->metrics().series(run.id))
        store->metrics().readRows(series.id, 0, std::min<int64_t>(series.rows, 10000));
      store->events().read(run.id);
      for (const auto& artifact : store->artifacts().list(run.id))
        store->artifacts().read(artifact.id);
    }
  });
}
TEST(Fuzz, MetricsDatabase) { metricsDatabase(shortRun()); }
TEST(SoakFuzz, MetricsDatabase) { metricsDatabase(longRun()); }

void checkpointDatabase(const FuzzPlan& plan) {
  const TemporaryFolder folder;
  write(folder.path("tenon.sqlite"), Trained::get().metrics);
  const auto store = Store::open(folder.path());
  const RunId run = store->runs().list().at(0).id;
  fuzz({Trained::get().checkpoints}, plan, [&](View bytes) {
    write(folder.path("checkpoints.sqlite"), bytes);
    const auto fresh = Store::open(folder.path(), OpenMode::ReadOnly);
    if (const auto newest = fresh->checkpoints().newestWhole(run))
      fresh->checkpoints().load(newest->id);
  });
}
TEST(Fuzz, CheckpointDatabase) { checkpointDatabase(shortRun()); }
TEST(SoakFuzz, CheckpointDatabase) { checkpointDatabase(longRun()); }

}  // namespace
}  // namespace tenon
