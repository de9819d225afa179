// SPDX-License-Identifier: GPL-3.0-or-later
// The outline's tree.
#include <QAbstractItemModelTester>
#include <QIcon>
#include <QImage>
#include <QSignalSpy>
#include <QTest>

#include "engine/graph/check.h"
#include "ui/panels/outline/outline_model.h"
#include "ui/session/frames.h"

using namespace tenon;
using namespace tenon::ui;

namespace {

std::shared_ptr<const CheckedGraph> checkedGraph() {
  GraphSpec graph;
  ParamMap linear;
  linear.set("out_features", int64_t{10});
  const std::vector<NodeSpec> nodes{
      {"x", "input", {}}, {"flat", "flatten", {}}, {"fc", "linear", linear}, {"y", "output", {}}};
  for (const NodeSpec& node : nodes) graph.nodes.push_back(std::make_shared<const NodeSpec>(node));
  graph.edges = {{"x", "", "flat", ""}, {"flat", "", "fc", ""}, {"fc", "", "y", ""}};
  return std::make_shared<const CheckedGraph>(
      checkGraph(graph, {{{kFreeSize, 1, 2, 2}, DType::F32}, 10}));
}

LayoutSpec layoutWithFrame() {
  LayoutSpec layout;
  layout.positions = {{"x", {0, 0}}, {"flat", {0, 100}}, {"fc", {300, 0}}};
  layout.frames.push_back({"f1", "Start", {-10, -10, 220, 200}});
  return layout;
}

QString tree(const QAbstractItemModel& model, const QModelIndex& parent = {}, int depth = 0) {
  QString text;
  for (int row = 0; row < model.rowCount(parent); ++row) {
    QStringList cells;
    for (int column = 0; column < model.columnCount(parent); ++column)
      cells.append(model.index(row, column, parent).data().toString());
    text += QString(2 * depth, u' ') + cells.join(u'|') + u'\n';
    text += tree(model, model.index(row, 0, parent), depth + 1);
  }
  return text;
}

}  // namespace

class OutlineTest final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void framesHoldTheMiddlesOfNodes() {
    const LayoutSpec layout = layoutWithFrame();
    QCOMPARE(frameAt(layout, {0, 0}, {180, 48}), QStringLiteral("f1"));
    QCOMPARE(frameAt(layout, {119, 0}, {180, 48}), QStringLiteral("f1"));  // middle at 209
    QCOMPARE(frameAt(layout, {121, 0}, {180, 48}), QString());
  }

  void layersStandInTheirFrames() {
    OutlineModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setGraph(checkedGraph(), layoutWithFrame(), {});
    const QStringList lines = tree(model).split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 5);
    QVERIFY2(lines[0].startsWith(QStringLiteral("Start|")), qPrintable(lines[0]));
    QVERIFY2(lines[1].startsWith(QStringLiteral("  x|")), qPrintable(lines[1]));
    QVERIFY2(lines[2].startsWith(QStringLiteral("  flat|")), qPrintable(lines[2]));
    QCOMPARE(lines[3], QStringLiteral("fc|Linear|N×10|50"));  // 4 * 10 weights and 10 biases
    model.setGraph(nullptr, {}, {});
    QCOMPARE(model.rowCount(), 0);
  }

  void equalRowsStay() {
    OutlineModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(model.setGraph(checkedGraph(), layoutWithFrame(), {}));
    const QPersistentModelIndex frame = model.index(0, 0);
    const QPersistentModelIndex layer = model.indexOfNode(QStringLiteral("flat"));
    QCOMPARE(frame.data(OutlineModel::kFrameRole).toString(), QStringLiteral("f1"));
    QCOMPARE(layer.data(OutlineModel::kFrameRole).toString(), QString());
    QSignalSpy reset(&model, &OutlineModel::modelReset);
    QSignalSpy changed(&model, &OutlineModel::dataChanged);
    const auto picture = [&] {
      return layer.data(Qt::DecorationRole).value<QIcon>().pixmap(16).toImage();
    };
    const QImage right = picture();
    Issue issue;
    issue.severity = Severity::Error;
    issue.place.node = "flat";
    LayoutSpec renamed = layoutWithFrame();
    renamed.frames[0].title = "Begin";
    QVERIFY(!model.setGraph(checkedGraph(), renamed, {issue}));
    QCOMPARE(reset.count(), 0);
    QCOMPARE(changed.count(), 2);  // the top and what is in the frame
    QVERIFY(frame.isValid() && layer.isValid());
    QCOMPARE(frame.data().toString(), QStringLiteral("Begin"));
    QVERIFY(picture() != right);
    QVERIFY(model.setGraph(checkedGraph(), {}, {}));  // no frame: other rows
    QCOMPARE(reset.count(), 1);
    QVERIFY(!model.setGraph(checkedGraph(), {}, {}));
    QVERIFY(model.setGraph(nullptr, {}, {}));
    QVERIFY(!model.setGraph(nullptr, {}, {}));
  }

  void nodesAreFoundAndFramesAreNone() {
    OutlineModel model;
    model.setGraph(checkedGraph(), layoutWithFrame(), {});
    const QModelIndex flat = model.indexOfNode(QStringLiteral("flat"));
    QCOMPARE(flat.data().toString(), QStringLiteral("flat"));
    QCOMPARE(flat.parent().data().toString(), QStringLiteral("Start"));
    QCOMPARE(flat.parent().data(OutlineModel::kNodeRole).toString(), QString());
    QCOMPARE(flat.data(OutlineModel::kNodeRole).toString(), QStringLiteral("flat"));
    QVERIFY(!model.indexOfNode(QStringLiteral("Start")).isValid());
  }
};

QTEST_MAIN(OutlineTest)
#include "outline_test.moc"
