// SPDX-License-Identifier: GPL-3.0-or-later
// Places, the way back, and where issues lead.
#include "ui/session/navigation.h"

#include <QSignalSpy>
#include <QTest>

#include "ui/session/texts.h"

namespace tenon::ui {

class NavigationTest final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void goesBackAndForth() {
    Selection selection;
    Navigation navigation(selection);
    QSignalSpy arrived(&navigation, &Navigation::arrived);
    QSignalSpy focus(&navigation, &Navigation::focusWanted);
    navigation.clear(Mode::Train);
    QVERIFY(!navigation.canGoBack());
    Destination layer;
    layer.mode = Mode::Model;
    layer.node = QStringLiteral("conv1");
    navigation.go(layer);
    QCOMPARE(selection.currentNode(), QStringLiteral("conv1"));
    navigation.go(Mode::Results);
    QVERIFY(navigation.canGoBack());
    QVERIFY(!navigation.canGoForward());
    selection.setNodes({});
    navigation.back();
    QCOMPARE(navigation.current().mode, Mode::Model);
    QCOMPARE(selection.currentNode(), QStringLiteral("conv1"));
    navigation.back();
    QCOMPARE(navigation.current().mode, Mode::Train);
    navigation.forward();
    QCOMPARE(navigation.current().node, QStringLiteral("conv1"));
    navigation.go(Mode::Data);  // cuts off what was ahead
    QVERIFY(!navigation.canGoForward());
    QCOMPARE(arrived.count(), 7);
    const int before = arrived.count();
    navigation.go(Mode::Data);  // the same place: no new entry, but who asked arrives
    QCOMPARE(arrived.count(), before + 1);
    QCOMPARE(focus.count(), arrived.count());
    navigation.back();
    QCOMPARE(navigation.current().mode, Mode::Model);
  }

  void keepsAHundredPlaces() {
    Selection selection;
    Navigation navigation(selection);
    for (int i = 0; i < 300; ++i) {
      Destination to;
      to.mode = Mode::Results;
      to.run = i + 1;
      navigation.go(to);
    }
    int steps = 0;
    while (navigation.canGoBack()) {
      navigation.back();
      ++steps;
    }
    QCOMPARE(steps, 99);
  }

  void issuesLeadToTheirPlace() {
    Issue issue;
    issue.place.node = "conv1";
    issue.place.field = "graph.nodes.conv1.padding";
    Destination to = destinationOf(issue);
    QCOMPARE(to.mode, Mode::Model);
    QCOMPARE(to.node, QStringLiteral("conv1"));
    QCOMPARE(to.field, QStringLiteral("padding"));
    QCOMPARE(to.panel, QStringLiteral("properties"));
    QCOMPARE(issuePlace(issue), QStringLiteral("Layer conv1, padding"));

    issue = {};
    issue.place.field = "data.reader.images";
    QCOMPARE(destinationOf(issue).mode, Mode::Data);
    issue.place.field = "train.optimizer.lr";
    QCOMPARE(destinationOf(issue).mode, Mode::Train);
    QCOMPARE(destinationOf(issue).field, QStringLiteral("train.optimizer.lr"));
    QCOMPARE(destinationOf(issue).panel, QStringLiteral("training"));
    QVERIFY(destinationOf(issue) == destinationOf(QStringLiteral("train.optimizer.lr")));
    issue.text = "{1} before {0}";
    issue.args = {"a", "b"};
    QCOMPARE(issueMessage(issue), QStringLiteral("b before a"));
  }

  void selectionSaysEachChangeOnce() {
    Selection selection;
    QSignalSpy nodes(&selection, &Selection::nodesChanged);
    QSignalSpy block(&selection, &Selection::blockChanged);
    selection.setNodes({QStringLiteral("a")});
    selection.setNodes({QStringLiteral("a")});
    QCOMPARE(nodes.count(), 1);
    selection.setRecording({1, 5});
    selection.setBlock(77);
    selection.setRecording({1, 6});  // other blocks
    QCOMPARE(selection.block(), quint64(0));
    QCOMPARE(block.count(), 2);
    selection.clear();
    QVERIFY(!selection.recording().isValid());
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::NavigationTest)
#include "navigation_test.moc"
