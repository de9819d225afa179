// SPDX-License-Identifier: GPL-3.0-or-later
// The models behind Inspect on a recording made by hand: memory, links, list, details.
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/panels/inspect_recording.h"
#include "ui/panels/block_list/block_list_model.h"
#include "ui/panels/memory_track/memory_stack.h"
#include "ui/panels/node_details/node_details_model.h"
#include "ui/panels/recordings/recordings_model.h"
#include "ui/session/recorded_step.h"
#include "ui/session/step_texts.h"
#include "ui/widgets/format.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

using namespace tenon;
using namespace tenon::ui;

namespace {

using Mode = QAbstractItemModelTester::FailureReportingMode;
using tenon::testing::handGraph;
using tenon::testing::handMemory;

std::shared_ptr<const StepData> handStep() {
  return readStep(encode(handGraph()), encode(handMemory()));
}

RecordingInfo recording(qint64 run, qint64 step, qint64 createdUs) {
  RecordingInfo info;
  info.key = {run, step};
  info.createdUs = createdUs;
  info.graphArtifact = createdUs * 10;
  info.memoryArtifact = createdUs * 10 + 1;
  return info;
}

}  // namespace

class InspectModelsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void savedBytesAddUp();
  void ticksAreStrict();
  void blocksLiveAsRecorded();
  void aBlockHasTheCategoryOfTheTime();
  void renamedBlocksAreCountedRight();
  void sumsEqualTheReplay();
  void trackEqualsTheSums();
  void doubtIsSaid();
  void blocksBelongToNodes();
  void listOfLiveBlocks();
  void listWithoutMemory();
  void detailsOfNodes();
  void detailsOfTheStep();
  void recordingsNewestFirst();
  void damagedBytes();
  void wordsForTimes();
};

void InspectModelsTest::savedBytesAddUp() {
  qint64 saved = 0;
  for (const RecordedNode& node : handGraph().nodes) saved += savedBytes(node);
  QCOMPARE(saved, 4096 + 4096 + 1024 + 512);
  QList<DetailSection> sections = stepDetails(*handStep(), 0);
  QCOMPARE(sections[0].rows.last().amount, formatBytes(saved));
}

void InspectModelsTest::ticksAreStrict() {
  const GraphRecording graph = handGraph();
  const MemoryRecording memory = handMemory();
  QCOMPARE(stepOrigin(&graph, memory), 1000);
  QCOMPARE(stepOrigin(nullptr, memory), 1150);
  const auto step = handStep();
  QCOMPARE(step->memory->ticks(), std::vector<qint64>({150, 220, 230, 270, 450, 510, 511}));
  QCOMPARE(step->memory->end(), 511);
}

void InspectModelsTest::blocksLiveAsRecorded() {
  const auto step = handStep();
  const StepMemory& memory = *step->memory;
  QCOMPARE(memory.blocks().size(), size_t{5});
  const StepBlock& weight = memory.blocks()[static_cast<size_t>(memory.find(1))];
  QVERIFY(!weight.made);
  QCOMPARE(weight.begin, 0);
  QCOMPARE(weight.end, StepMemory::kForever);
  const auto output = static_cast<size_t>(memory.find(20));
  QCOMPARE(memory.blocks()[output].begin, 150);
  QCOMPARE(memory.blocks()[output].end, 270);
  QCOMPARE(memory.birth(output).stream, 3U);
  QCOMPARE(memory.layer(output), QStringLiteral("conv"));
  QCOMPARE(memory.op(output), QStringLiteral("conv2d"));
  QCOMPARE(memory.birth(static_cast<size_t>(memory.find(10))).bytes, 1024U);
  QCOMPARE(memory.find(99), -1);
}

void InspectModelsTest::aBlockHasTheCategoryOfTheTime() {
  using memory::Category;
  const auto step = handStep();
  const StepMemory& memory = *step->memory;
  const auto at = [&](quint64 block, qint64 tick) {
    return memory.categoryAt(static_cast<size_t>(memory.find(block)), tick);
  };
  QCOMPARE(at(21, 220), Category::Temporary);
  QCOMPARE(at(21, 229), Category::Temporary);
  QCOMPARE(at(21, 230), Category::Activation);
  QCOMPARE(at(21, 0), Category::Temporary);  // before its life
  QCOMPARE(at(30, 509), Category::Temporary);
  QCOMPARE(at(30, 510), Category::Gradient);
  QCOMPARE(at(1, memory.end()), Category::Parameter);
  QCOMPARE(memory.lastCategory(static_cast<size_t>(memory.find(30))), Category::Gradient);
  QCOMPARE(memory.categories(static_cast<size_t>(memory.find(21))),
           (std::vector<CategoryChange>{{220, Category::Temporary}, {230, Category::Activation}}));
  QCOMPARE(memory.categories(static_cast<size_t>(memory.find(20))).size(), size_t{1});
}

/// There and back, twice the same name, a name after the end, and a block of before the step.
void InspectModelsTest::renamedBlocksAreCountedRight() {
  using memory::Category;
  MemoryRecording recording = handMemory();
  const auto rename = [&](uint64_t block, Category category, int64_t time) {
    memory::Event event;
    event.kind = memory::EventKind::Retag;
    event.block = block;
    event.category = category;
    event.timeNs = time;
    recording.trace.events.push_back(event);
  };
  rename(10, Category::Temporary, 1520);
  rename(10, Category::Temporary, 1530);
  rename(10, Category::Input, 1540);
  rename(21, Category::Gradient, 1550);  // freed at 1510
  const auto step = readStep({}, encode(recording));
  const StepMemory& memory = *step->memory;
  const auto input = static_cast<size_t>(memory.find(10));
  QCOMPARE(memory.categories(input).size(), size_t{3});
  const qint64 renamed = memory.categories(input)[1].tick;
  QCOMPARE(memory.sumsAt(renamed - 1)[static_cast<size_t>(Category::Input)], 1024);
  QCOMPARE(memory.sumsAt(renamed)[static_cast<size_t>(Category::Input)], 0);
  QCOMPARE(memory.sumsAt(renamed)[static_cast<size_t>(Category::Temporary)], 1024);
  QCOMPARE(memory.sumsAt(memory.end())[static_cast<size_t>(Category::Input)], 1024);
  QCOMPARE(memory.lastCategory(static_cast<size_t>(memory.find(21))), Category::Activation);
  BlockListModel model;
  const auto word = [&](qint64 tick) {
    model.setInstant(step, tick);
    return model.index(model.rowOf(10), BlockListModel::Category).data().toString();
  };
  QCOMPARE(word(renamed - 1), categoryTitle(Category::Input));
  QCOMPARE(word(renamed), categoryTitle(Category::Temporary));
  QVERIFY(model.index(model.rowOf(10), 0)
              .data(Qt::ToolTipRole)
              .toString()
              .contains(categoryTitle(Category::Input)));  // what it becomes
  QCOMPARE(word(memory.end()), categoryTitle(Category::Input));
}

void InspectModelsTest::sumsEqualTheReplay() {
  const auto step = handStep();
  const StepMemory& memory = *step->memory;
  const auto replay = memory::replayCategories(memory.recording().trace);
  const auto total = [](const auto& sums) {
    qint64 bytes = 0;
    for (const auto each : sums) bytes += static_cast<qint64>(each);
    return bytes;
  };
  QCOMPARE(replay.size(), memory.ticks().size() + 1);
  qint64 peak = total(memory.sumsAt(0));
  QCOMPARE(peak, total(replay[0]));
  for (size_t i = 0; i < memory.ticks().size(); ++i) {
    const StepMemory::Sums sums = memory.sumsAt(memory.ticks()[i]);
    for (size_t c = 0; c < sums.size(); ++c)
      QCOMPARE(sums[c], static_cast<qint64>(replay[i + 1][c]));
    qint64 live = 0;
    for (const int block : memory.liveAt(memory.ticks()[i]))
      live += memory.blocks()[static_cast<size_t>(block)].bytes;
    QCOMPARE(live, total(sums));
    peak = std::max(peak, total(sums));
  }
  QCOMPARE(memory.peakBytes(), peak);
  QCOMPARE(memory.peakBytes(), static_cast<qint64>(memory.recording().peakBytes));
  QCOMPARE(memory.peakTick(), 220);
  QVERIFY(memory.agrees());
}

void InspectModelsTest::trackEqualsTheSums() {
  const auto step = handStep();
  const auto source = memoryStack(*step->memory);
  QCOMPARE(source->size(), step->memory->blocks().size());
  QCOMPARE(source->peakBytes(), step->memory->peakBytes());
  QCOMPARE(source->peakTime(), step->memory->peakTick());
  // Each category as the allocator counted it at the time: a block lies where its name says then.
  const auto replay = memory::replayCategories(step->memory->recording().trace);
  const std::vector<qint64>& ticks = step->memory->ticks();
  for (size_t i = 0; i < ticks.size(); ++i) {
    const std::vector<std::int64_t> bytes = source->bytesAt(ticks[i]);
    for (size_t place = 0; place < kStackedCategories.size(); ++place) {
      const qint64 shown = place < bytes.size() ? bytes[place] : 0;
      QCOMPARE(shown,
               static_cast<qint64>(replay[i + 1][static_cast<size_t>(kStackedCategories[place])]));
    }
  }
  const qint64 renamed = step->memory->find(21);  // temporary from 220, an activation from 230
  const auto temporary = static_cast<size_t>(stackedPlace(memory::Category::Temporary));
  QCOMPARE(source->bytesAt(229)[temporary], 4096 + 4096);
  QCOMPARE(source->bytesAt(230)[temporary], 4096);
  QCOMPARE(source->block(renamed)->start, 220);
  QCOMPARE(source->block(renamed)->end, 511);
  QCOMPARE(source->block(renamed)->category, stackedPlace(memory::Category::Activation));
  const QList<TrackCategory> categories = stackCategories(Theme::dark());
  QCOMPARE(categories.size(), memory::kCategoryCount);
  QCOMPARE(categories[stackedPlace(memory::Category::Gradient)].name, QStringLiteral("Gradients"));
  QSet<QRgb> colours;
  for (const TrackCategory& category : categories) colours.insert(category.colour.rgb());
  QCOMPARE(colours.size(), categories.size());
  QCOMPARE(blockLines(*step, step->memory->find(20)),
           QStringList{QStringLiteral("conv, conv2d, forward")});
  QCOMPARE(blockLines(*step, -1), QStringList());
}

void InspectModelsTest::doubtIsSaid() {
  QVERIFY(memoryDoubt(*handStep()->memory).isEmpty());
  MemoryRecording other = handMemory();
  other.peakBytes += 512;
  const auto differs = readStep({}, encode(other));
  QVERIFY(!differs->memory->agrees());
  QVERIFY(memoryDoubt(*differs->memory).contains(formatBytes(9728)));
  QVERIFY(memoryDoubt(*differs->memory).contains(formatBytes(10240)));
  other = handMemory();
  other.trace.dropped = 5;
  const auto dropped = readStep({}, encode(other));
  QVERIFY(!dropped->memory->agrees());
  QVERIFY(memoryDoubt(*dropped->memory).startsWith(u'5'));
}

void InspectModelsTest::blocksBelongToNodes() {
  const auto step = handStep();
  const auto nodeOf = [&](quint64 block) { return step->links.nodeOf(step->memory->find(block)); };
  QCOMPARE(nodeOf(20), 0);
  QCOMPARE(nodeOf(21), 1);
  QCOMPARE(nodeOf(30), 5);  // backward nodes name no outputs: the kernel's time tells
  QCOMPARE(nodeOf(1), 0);   // who reads the weight first
  QCOMPARE(nodeOf(10), 0);
  QCOMPARE(step->links.nodeOf(-1), -1);
  QCOMPARE(step->links.nodeOf(99), -1);
  QCOMPARE(step->links.blocksOf(0), std::vector<int>{step->memory->find(20)});
  QCOMPARE(step->links.blocksOf(5), std::vector<int>{step->memory->find(30)});
  QVERIFY(step->links.blocksOf(7).empty());
}

void InspectModelsTest::listOfLiveBlocks() {
  BlockListModel model;
  const QAbstractItemModelTester tester(&model, Mode::QtTest);
  const auto step = handStep();
  model.setInstant(step, step->memory->peakTick());
  QCOMPARE(model.rowCount(), 4);
  QCOMPARE(model.totalBytes(), 9728);
  qint64 sum = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    sum += model.bytesAt(row);
    if (row > 0) QVERIFY(model.bytesAt(row) <= model.bytesAt(row - 1));
  }
  QCOMPARE(sum, model.totalBytes());
  const auto cell = [&](quint64 block, int column, int role = Qt::DisplayRole) {
    return model.index(model.rowOf(block), column).data(role);
  };
  QCOMPARE(cell(21, BlockListModel::Layer).toString(), QStringLiteral("act"));
  QCOMPARE(cell(21, BlockListModel::Op).toString(), QStringLiteral("relu"));
  QCOMPARE(cell(21, BlockListModel::Category).toString(),
           categoryTitle(memory::Category::Temporary));  // an activation from 230 on
  QCOMPARE(cell(21, BlockListModel::Share).toString(), QStringLiteral("42.1\u00A0%"));
  QCOMPARE(cell(20, BlockListModel::Pool).toString(), QStringLiteral("1/2"));
  QCOMPARE(cell(20, BlockListModel::Stream).toString(), QStringLiteral("3"));
  QCOMPARE(cell(20, BlockListModel::Requested, kSortRole).toLongLong(), 4084);
  QCOMPARE(cell(1, BlockListModel::Op).toString(), QStringLiteral("earlier"));
  QCOMPARE(cell(1, BlockListModel::Bytes, kSortRole).toLongLong(), 512);
  QVERIFY(cell(20, 0, Qt::ToolTipRole).toString().contains(QStringLiteral("stream 3, pool 1/2")));
  QCOMPARE(model.rowOf(30), -1);  // not yet
  model.setInstant(step, 230);
  QCOMPARE(cell(21, BlockListModel::Category).toString(),
           categoryTitle(memory::Category::Activation));
  model.setInstant(step, step->memory->end());
  QCOMPARE(model.rowCount(), 3);
  QVERIFY(model.rowOf(30) >= 0);
  QCOMPARE(model.blockAt(99), 0U);
}

void InspectModelsTest::listWithoutMemory() {
  BlockListModel model;
  const QAbstractItemModelTester tester(&model, Mode::QtTest);
  model.setInstant(readStep(encode(handGraph()), {}), 0);
  QCOMPARE(model.rowCount(), 0);
  QCOMPARE(model.totalBytes(), 0);
  QCOMPARE(model.rowOf(1), -1);
}

void InspectModelsTest::detailsOfNodes() {
  NodeDetailsModel model;
  const QAbstractItemModelTester tester(&model, Mode::QtTest);
  const auto step = handStep();
  model.setSections(nodeDetails(*step, 0));
  QStringList titles;
  for (const DetailSection& section : model.sections()) titles.append(section.title);
  QCOMPARE(titles,
           QStringList({QStringLiteral("Inputs"), QStringLiteral("Outputs"),
                        QStringLiteral("Kernels"), QStringLiteral("Memory asked for"),
                        QStringLiteral("Parameters"), QStringLiteral("In the same layer")}));
  QCOMPARE(model.sections().last().rows.size(), 2);  // its two backward nodes
  QCOMPARE(model.sections().last().rows[0].node, 5);
  QCOMPARE(model.sections()[0].note, formatBytes(1536));
  QCOMPARE(model.sections()[0].rows[1],
           (DetailRow{QStringLiteral("conv.weight"), QStringLiteral("128 f32"), formatBytes(512), 1,
                      false, -1}));
  QCOMPARE(model.sections()[4].rows[0].value, QStringLiteral("1, 1"));
  const QModelIndex inputs = model.index(0, 0);
  QCOMPARE(model.rowCount(inputs), 2);
  QCOMPARE(model.index(1, NodeDetailsModel::Name, inputs)
               .data(NodeDetailsModel::kBlockRole)
               .toULongLong(),
           1U);
  model.setSections(nodeDetails(*step, 5));
  QCOMPARE(model.sections()[1].title, QStringLiteral("Saved from forward"));
  QCOMPARE(model.sections()[1].note, formatBytes(1536));
  QCOMPARE(model.sections()[3].rows.size(), 1);  // the gradient of the weight
  QCOMPARE(model.sections()[3].rows[0].block, 30U);
  QVERIFY(nodeDetails(*step, 8).isEmpty());
  QVERIFY(nodeDetails(StepData(), 0).isEmpty());
}

void InspectModelsTest::detailsOfTheStep() {
  const auto step = handStep();
  const QList<DetailSection> sections = stepDetails(*step, step->memory->peakTick());
  QCOMPARE(sections.size(), 2);
  QCOMPARE(sections[0].rows[1].amount, QStringLiteral("8"));
  QCOMPARE(sections[0].rows[2].amount, QStringLiteral("7"));
  QCOMPARE(sections[1].note, formatBytes(9728));
  QCOMPARE(sections[1].rows[0].name, QStringLiteral("Parameters"));
  QCOMPARE(sections[1].rows.last().amount, formatBytes(20480));
  QVERIFY(stepDetails(StepData(), 0).isEmpty());
}

void InspectModelsTest::recordingsNewestFirst() {
  RunsModel runs;
  RunInfo info;
  info.id = 2;
  info.name = "second";
  runs.update({info});
  RecordingsModel model(runs);
  const QAbstractItemModelTester tester(&model, Mode::QtTest);
  model.setRecordings({recording(1, 5, 100), recording(2, 9, 300), recording(2, 1200, 200)});
  QCOMPARE(model.rowCount(), 3);
  QCOMPARE(model.recordings()[0].key, (RecordingKey{2, 9}));
  QCOMPARE(model.index(1).data().toString(), QStringLiteral("Step 1200"));
  QCOMPARE(model.index(0).data(RecordingsModel::kRunTextRole).toString(),
           QStringLiteral("second, epoch 1"));
  QVERIFY(model.index(2).data(RecordingsModel::kRunTextRole).toString().contains(u'1'));
  QCOMPARE(model.unread(), QList<qint64>({3001, 2001, 1001}));
  QSignalSpy changed(&model, &RecordingsModel::dataChanged);
  model.setPeaks({{3001, 4096}, {2001, -1}});
  QCOMPARE(changed.count(), 1);
  QCOMPARE(model.unread(), QList<qint64>{1001});
  QCOMPARE(model.index(0).data(RecordingsModel::kPeakRole).toString(), formatBytes(4096));
  QVERIFY(model.index(1).data(RecordingsModel::kDamagedRole).toBool());
  QVERIFY(!model.index(2).data(RecordingsModel::kDamagedRole).toBool());
  QCOMPARE(model.rowOf({2, 1200}), 1);
  QCOMPARE(model.rowOf({3, 1}), -1);
  QSignalSpy reset(&model, &RecordingsModel::modelReset);
  model.setRecordings({recording(2, 9, 300), recording(2, 1200, 200), recording(1, 5, 100)});
  QCOMPARE(reset.count(), 0);  // the same ones
  model.setRecordings({recording(2, 1200, 200), recording(1, 5, 100)});
  model.setRecordings({recording(2, 9, 300)});
  QVERIFY(model.unread().isEmpty());  // read once is enough
  model.clear();
  QCOMPARE(model.rowCount(), 0);
  model.setRecordings({recording(2, 9, 300)});
  QCOMPARE(model.unread(), QList<qint64>{3001});  // of another project
}

void InspectModelsTest::damagedBytes() {
  std::vector<std::byte> graph = encode(handGraph());
  graph.resize(graph.size() / 2);
  auto step = readStep(graph, encode(handMemory()));
  QVERIFY(!step->graph);
  QVERIFY(!step->graphProblem.isEmpty());
  QVERIFY(step->memory);  // one damaged part leaves the other
  QVERIFY(step->memoryProblem.isEmpty());
  QCOMPARE(step->links.nodeOf(0), -1);
  std::vector<std::byte> memory = encode(handMemory());
  memory[4] = std::byte{99};  // of a newer Tenon
  step = readStep(encode(handGraph()), memory);
  QVERIFY(step->graph);
  QVERIFY(!step->memory);
  QVERIFY(!step->memoryProblem.isEmpty());
  // Whole bytes that lead nowhere.
  GraphRecording astray = handGraph();
  astray.edges.push_back({0, 0, 50, 0});
  QVERIFY(!readStep(encode(astray), {})->graph);
  astray = handGraph();
  astray.nodes[0].partner = 77;
  QVERIFY(!readStep(encode(astray), {})->graph);
  step = readStep({}, {});
  QVERIFY(!step->graph && !step->memory && step->graphProblem.isEmpty());
}

void InspectModelsTest::wordsForTimes() {
  const auto plain = [](qint64 ns) { return kernelTime(ns).replace(QChar(0x00A0), u' '); };
  QCOMPARE(plain(980), QStringLiteral("980 ns"));
  QCOMPARE(plain(12'400), QStringLiteral("12.4 µs"));
  QCOMPARE(plain(41'000'000), QStringLiteral("41.0 ms"));
  QCOMPARE(plain(1'240'000'000), QStringLiteral("1.24 s"));
  QCOMPARE(tensorShape({128, 1, 28, 28}), QStringLiteral("128×1×28×28"));
  QCOMPARE(tensorShape({}), QStringLiteral("scalar"));
  QCOMPARE(opIcon("batch_norm_relu"), QStringLiteral("norm"));
  QCOMPARE(opIcon("something"), QStringLiteral("layer"));
}

QTEST_MAIN(InspectModelsTest)
#include "inspect_models_test.moc"
