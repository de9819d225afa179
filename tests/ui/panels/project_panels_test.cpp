// SPDX-License-Identifier: GPL-3.0-or-later
// What the panels of Model and Data show: nodes and wires of the canvas, issues, pictures, counts.
#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include "engine/base/error.h"
#include "engine/graph/check.h"
#include "ui/panels/canvas/canvas_graph.h"
#include "ui/panels/class_counts/class_counts_view.h"
#include "ui/panels/gallery/gallery_model.h"
#include "ui/panels/gallery/sample_images.h"
#include "ui/panels/issues/issues_model.h"
#include "ui/widgets/image_grid.h"

using namespace tenon;
using namespace tenon::ui;

namespace {

using Mode = QAbstractItemModelTester::FailureReportingMode;

/// Three samples [channels, 1, 2] whose values count up; the last one is damaged.
class CountingDataset final : public Dataset {
 public:
  explicit CountingDataset(int64_t channels) { meta_.shape = Shape{channels, 1, 2}; }
  int64_t size() const override { return 3; }
  const SampleMeta& meta() const override { return meta_; }
  int64_t get(int64_t index, const SampleContext&, std::span<std::byte> values) const override {
    if (index == 2) throw Error(Code::Input, "sample 2 is damaged");
    for (size_t i = 0; i < values.size(); ++i) values[i] = std::byte(10 * index + int64_t(i));
    return target(index);
  }
  int64_t target(int64_t index) const override { return index - 1; }

 private:
  SampleMeta meta_;
};

GraphSpec spec(const std::vector<NodeSpec>& nodes, std::vector<EdgeSpec> edges) {
  GraphSpec graph;
  for (const NodeSpec& node : nodes) graph.nodes.push_back(std::make_shared<const NodeSpec>(node));
  graph.edges = std::move(edges);
  return graph;
}

GraphSpec smallGraph() {
  return spec({{"x", "input", {}}, {"act", "relu", {}}, {"bad", "no_such_layer", {}}},
              {{"x", "", "act", ""}, {"act", "", "bad", ""}});
}

Issue issue(Severity severity, const char* text, const char* node) {
  Issue issue;
  issue.severity = severity;
  issue.text = text;
  issue.place.node = node;
  return issue;
}

}  // namespace

class ProjectPanelsTest final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void canvasShowsNodesAndWires();
  void canvasMarksWhatIsTrained();
  void canvasMarksManyQuickly();
  void canvasKnowsWhatNeedsAPlace();
  void canvasFindsTheWireOfTheProject();
  void issuesAreSortedBySeverity();
  void samplesBecomePictures();
  void galleryLoadsWhatIsMissing();
  void classesAreNamed();
};

void ProjectPanelsTest::canvasShowsNodesAndWires() {
  const CheckedGraph graph = checkGraph(smallGraph(), {{{kFreeSize, 1, 28, 28}, DType::F32}, 10});
  LayoutSpec layout;
  layout.positions["x"] = {40, 50};
  const GraphData data = canvasGraph(graph, graph.issues, layout, {{"act", {1, 2}}, {"x", {9, 9}}});
  QCOMPARE(data.nodes.size(), 3);
  QCOMPARE(data.edges.size(), 2);  // the one into the unknown layer too
  const GraphNode* x = data.node(QStringLiteral("x"));
  const GraphNode* act = data.node(QStringLiteral("act"));
  const GraphNode* bad = data.node(QStringLiteral("bad"));
  QVERIFY(x && act && bad);
  QCOMPARE(x->position, QPointF(40, 50));
  QCOMPARE(act->position, QPointF(1, 2));
  QCOMPARE(bad->position, QPointF(0, 0));
  QCOMPARE(act->family, int(findLayer("relu")->family));
  QCOMPARE(act->state, NodeState::Normal);
  QCOMPARE(bad->state, NodeState::Error);
  QVERIFY(bad->problems > 0);
  QVERIFY(!bad->tip.isEmpty());
  QCOMPARE(bad->kind, QStringLiteral("no_such_layer"));
  QCOMPARE(data.edges[0].from, QStringLiteral("x"));
  QCOMPARE(data.edges[0].to, QStringLiteral("act"));
  QCOMPARE(data.edges[0].label, QStringLiteral("N×1×28×28"));
}

void ProjectPanelsTest::canvasMarksWhatIsTrained() {
  const GraphSpec here = spec(
      {{"same", "relu", {}}, {"equal", "relu", {}}, {"other", "relu", {}}, {"new", "relu", {}}},
      {});
  GraphSpec trained = here;
  trained.nodes[1] = std::make_shared<const NodeSpec>(*here.nodes[1]);
  NodeSpec changed = *here.nodes[2];
  changed.type = "gelu";
  trained.nodes[2] = std::make_shared<const NodeSpec>(changed);
  trained.nodes.pop_back();
  GraphData data;
  for (const char* id : {"same", "equal", "other", "new", "gone"}) {
    GraphNode node;
    node.id = QLatin1String(id);
    data.nodes.append(node);
  }
  data.nodes[1].state = NodeState::Error;
  markRunning(data, here, trained);
  QCOMPARE(data.nodes[0].state, NodeState::Running);
  QCOMPARE(data.nodes[1].state, NodeState::Error);  // stays what is said of it
  data.nodes[1].state = NodeState::Normal;
  markRunning(data, here, trained);
  QCOMPARE(data.nodes[1].state, NodeState::Running);
  for (int i : {2, 3, 4}) QCOMPARE(data.nodes[i].state, NodeState::Normal);
}

void ProjectPanelsTest::canvasMarksManyQuickly() {
  GraphSpec here;
  GraphData data;
  for (int i = 0; i < 20'000; ++i) {
    NodeSpec node;
    node.id = "a_layer_with_a_long_name_" + std::to_string(i);
    node.type = "relu";
    here.nodes.push_back(std::make_shared<const NodeSpec>(node));
    GraphNode shown;
    shown.id = QString::fromStdString(node.id);
    data.nodes.append(shown);
  }
  QElapsedTimer watch;
  watch.start();
  markRunning(data, here, here);
  QVERIFY2(watch.elapsed() < 1000, qPrintable(QString::number(watch.elapsed())));
  QCOMPARE(data.nodes.last().state, NodeState::Running);
}

void ProjectPanelsTest::canvasKnowsWhatNeedsAPlace() {
  const CheckedGraph graph = checkGraph(smallGraph(), {});
  LayoutSpec layout;
  layout.positions["x"] = {0, 0};
  QVERIFY(needsPlaces(graph, layout, {}));
  QVERIFY(needsPlaces(graph, layout, {{"act", {}}}));
  QVERIFY(!needsPlaces(graph, layout, {{"act", {}}, {"bad", {}}}));
}

void ProjectPanelsTest::canvasFindsTheWireOfTheProject() {
  const GraphSpec project = smallGraph();
  const CheckedGraph graph = checkGraph(project, {});
  const GraphEdge shown{QStringLiteral("x"), 0, QStringLiteral("act"), 0, {}, false, {}};
  const std::optional<EdgeSpec> found = specEdge(graph, project, shown);
  QVERIFY(found.has_value());
  QVERIFY(*found == project.edges[0]);
  const GraphEdge backwards{QStringLiteral("act"), 0, QStringLiteral("x"), 0, {}, false, {}};
  QVERIFY(!specEdge(graph, project, backwards).has_value());
  const EdgeSpec made = newSpecEdge(graph, QStringLiteral("x"), 0, QStringLiteral("act"), 0);
  QVERIFY(made == project.edges[0]);
}

void ProjectPanelsTest::issuesAreSortedBySeverity() {
  IssuesModel model;
  QAbstractItemModelTester tester(&model, Mode::QtTest);
  model.setIssues({issue(Severity::Hint, "hint", ""), issue(Severity::Error, "first", "conv1"),
                   issue(Severity::Warning, "warning", ""), issue(Severity::Error, "second", "")});
  QCOMPARE(model.rowCount(), 4);
  QStringList texts;
  for (int row = 0; row < 4; ++row)
    texts.append(model.index(row, IssuesModel::Text).data().toString());
  QCOMPARE(texts, QStringList({"first", "second", "warning", "hint"}));
  QVERIFY(model.index(0, IssuesModel::Where).data().toString().contains(QLatin1String("conv1")));
  QCOMPARE(model.issue(0).place.node, std::string("conv1"));
  model.setIssues({});
  QCOMPARE(model.rowCount(), 0);
}

void ProjectPanelsTest::samplesBecomePictures() {
  const QImage grey = sampleImage(CountingDataset(1), 1);
  QCOMPARE(grey.size(), QSize(2, 1));
  QCOMPARE(grey.pixelColor(0, 0), QColor(10, 10, 10));
  QCOMPARE(grey.pixelColor(1, 0), QColor(11, 11, 11));
  const QImage colour = sampleImage(CountingDataset(3), 0);
  QCOMPARE(colour.pixelColor(0, 0), QColor(0, 2, 4));
  QCOMPARE(colour.pixelColor(1, 0), QColor(1, 3, 5));
  QVERIFY(sampleImage(CountingDataset(2), 0).isNull());
  QVERIFY(sampleImage(CountingDataset(1), 3).isNull());
  const QHash<int, QImage> images = sampleImages(CountingDataset(1), 0, 2, {});
  QCOMPARE(images.size(), 3);
  QVERIFY(!images[1].isNull());
  QVERIFY(images[2].isNull());  // damaged
}

void ProjectPanelsTest::galleryLoadsWhatIsMissing() {
  GalleryModel model;
  QAbstractItemModelTester tester(&model, Mode::QtTest);
  const auto dataset = std::make_shared<CountingDataset>(1);
  model.setDataset(dataset, {QStringLiteral("Bag")});
  QCOMPARE(model.rowCount(), 3);
  QCOMPARE(model.missing(0, 9), std::pair(0, 2));
  QCOMPARE(model.index(0).data(ImageGrid::kChipTextRole).toString(), QString());
  QCOMPARE(model.index(1).data(ImageGrid::kChipTextRole).toString(), QStringLiteral("Bag"));
  QCOMPARE(model.index(2).data(ImageGrid::kChipTextRole).toString(), QStringLiteral("1"));
  QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
  model.addImages(sampleImages(*dataset, 0, 1, {}));
  QCOMPARE(changed.count(), 1);
  QCOMPARE(model.missing(0, 9), std::pair(2, 2));
  QVERIFY(!model.index(1).data(Qt::DecorationRole).value<QImage>().isNull());
  const auto badge = [&](int row) {
    return model.index(row).data(ImageGrid::kBadgeRole).toString();
  };
  QCOMPARE(badge(2), QString());  // not read yet
  model.addImages(sampleImages(*dataset, 2, 2, {}));
  QCOMPARE(badge(1), QString());
  QCOMPARE(badge(2), QStringLiteral("warning"));
  QVERIFY(
      model.index(2).data(Qt::ToolTipRole).toString().contains(QLatin1String("cannot be read")));
  model.setDataset(nullptr, {});
  QCOMPARE(model.rowCount(), 0);
  QCOMPARE(model.missing(0, 9), std::pair(0, -1));
}

void ProjectPanelsTest::classesAreNamed() {
  const QList<BarRow> rows = classRows({5, 0, 2}, {QStringLiteral("Bag"), QStringLiteral("Coat")});
  QCOMPARE(rows.size(), 3);
  QCOMPARE(rows[0].label, QStringLiteral("Bag"));
  QCOMPARE(rows[0].value, 5.0);
  QCOMPARE(rows[1].role, BarRole::Bad);
  QCOMPARE(rows[2].label, QStringLiteral("2"));
}

QTEST_MAIN(ProjectPanelsTest)
#include "project_panels_test.moc"
