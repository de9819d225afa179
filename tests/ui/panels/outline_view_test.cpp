// SPDX-License-Identifier: GPL-3.0-or-later
// The outline over a checked project: what a person collapsed stays so when a check is done; its
// edits, filter, sorting and CSV.
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <functional>

#include "tests/ui/panels/inspect_session.h"
#include "ui/panels/outline/outline_model.h"
#include "ui/panels/outline/outline_view.h"
#include "ui/session/document_edits.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

using testing::InspectSession;
using testing::shown;
constexpr int kLong = InspectSession::kLong;
/// Of the outline in a window of 1280x800.
constexpr int kPanelHeight = 102;

class OutlineViewTest final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { new ThemeController(*qApp, ThemeController::Choice::Dark, this); }
  void collapsedStaysCollapsed();
  void keysDeleteAndRename();
  void theMenuHasTheEditsAndTheTable();
  void filtersSortsAndSaves();
  void editsOnlyWhatIsInSight();
  void aLowPanelShowsItsRows();
  void inALowPanelTheMenuBringsTheFilter();

 private:
  /// The toy project in an outline with the focus.
  struct Stage {
    InspectSession session;
    std::unique_ptr<OutlineView> view;
    TreeView* tree = nullptr;

    bool open() {
      tenon::testing::writeToyProject(session.folder.path());
      session.document.open(QString::fromStdString(session.folder.path()));
      if (!QTest::qWaitFor([&] { return session.check.isCurrent(); }, kLong)) return false;
      view = shown<OutlineView>(session.context);
      tree = view->findChild<TreeView*>();
      view->activateWindow();
      tree->setFocus();
      return QTest::qWaitFor([&] { return tree->hasFocus() && tree->model()->rowCount() == 9; },
                             kLong);
    }
    QStringList rows() const {
      QStringList found;
      for (int row = 0; row < tree->model()->rowCount(); ++row)
        found.append(tree->model()->index(row, 0).data().toString());
      return found;
    }
    void choose(const char* layer) {
      tree->setCurrentIndex(tree->model()->index(int(rows().indexOf(QLatin1String(layer))), 0));
    }
    bool has(const char* layer) { return session.document.spec().graph->find(layer) != nullptr; }
  };
};

void OutlineViewTest::keysDeleteAndRename() {
  Stage s;
  QVERIFY(s.open());
  const QStringList before = s.rows();
  s.choose("act");
  QTest::keyClick(s.tree, Qt::Key_Delete);
  QVERIFY(!s.has("act"));
  // The one below is selected, here as everywhere.
  const QString next = before.at(before.indexOf(QStringLiteral("act")) + 1);
  QCOMPARE(s.session.selection.nodes(), QStringList{next});
  QTRY_COMPARE_WITH_TIMEOUT(s.rows().size(), 8, kLong);
  QTRY_COMPARE(s.tree->currentIndex().data().toString(), next);
  s.session.document.undo();
  QVERIFY(s.has("act"));
  QTRY_COMPARE_WITH_TIMEOUT(s.rows().size(), 9, kLong);

  s.choose("fc");
  s.session.prompts.answer = QStringLiteral(" head ");
  QTest::keyClick(s.tree, Qt::Key_F2);
  QVERIFY(s.has("head") && !s.has("fc"));
  QCOMPARE(s.session.selection.nodes(), QStringList{QStringLiteral("head")});
  QTRY_VERIFY_WITH_TIMEOUT(s.rows().contains(QStringLiteral("head")), kLong);
  QVERIFY(s.session.prompts.notices.isEmpty());
  s.session.prompts.answer = QStringLiteral("conv");  // taken
  QTest::keyClick(s.tree, Qt::Key_F2);
  QVERIFY(s.has("head"));
  QCOMPARE(s.session.prompts.notices.size(), 1);
  QVERIFY(s.session.prompts.notices.first().contains(QStringLiteral("“conv”")));
}

void OutlineViewTest::theMenuHasTheEditsAndTheTable() {
  Stage s;
  QVERIFY(s.open());
  s.choose("act");
  QStringList texts;
  QTimer::singleShot(0, this, [&] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (!menu) return;
    for (QAction* action : menu->actions()) {
      texts.append(action->text());
      if (action->text() == QStringLiteral("&Delete")) action->trigger();
    }
    menu->close();
  });
  Q_EMIT s.tree->contextMenuRequested(s.view->mapToGlobal(QPoint(20, 20)));
  const QStringList wanted{"Re&name...", "&Delete", "", "&Copy", "Save as CS&V...", "C&olumns"};
  QCOMPARE(texts, wanted);
  QVERIFY(!s.has("act"));
}

void OutlineViewTest::filtersSortsAndSaves() {
  Stage s;
  QVERIFY(s.open());
  const QStringList order = s.rows();
  s.choose("fc");
  auto* search = s.view->findChild<SearchField*>();
  search->setText(QStringLiteral("CONV"));
  QTRY_COMPARE(s.rows(), QStringList{QStringLiteral("conv")});
  QCOMPARE(s.session.selection.nodes(), QStringList{QStringLiteral("fc")});  // out of sight only
  s.session.prompts.answer = QString::fromStdString(s.session.folder.path("layers.csv"));
  for (QAction* action : s.view->actions())
    if (action->text() == QStringLiteral("Save as CS&V...")) action->trigger();
  QFile file(s.session.prompts.answer);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QStringList lines = QString::fromUtf8(file.readAll()).split(QStringLiteral("\r\n"));
  QCOMPARE(lines.size(), 3);
  QCOMPARE(lines[0], QStringLiteral("Layer,Kind,Output,Parameters"));
  QVERIFY2(lines[1].startsWith(QStringLiteral("conv,")), qPrintable(lines[1]));
  search->clear();
  QTRY_COMPARE(s.rows(), order);
  s.tree->sortByColumn(OutlineModel::Layer, Qt::DescendingOrder);
  QStringList sorted = order;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  QCOMPARE(s.rows(), sorted);
}

void OutlineViewTest::editsOnlyWhatIsInSight() {
  Stage s;
  QVERIFY(s.open());
  const auto action = [&](const char* id) {
    return s.view->findChild<QAction*>(QLatin1String(id));
  };
  s.session.selection.setNodes({QStringLiteral("fc"), QStringLiteral("conv")});
  QVERIFY(action("outline.remove")->isEnabled());
  QVERIFY(!action("outline.rename")->isEnabled());  // two
  auto* search = s.view->findChild<SearchField*>();
  search->setText(QStringLiteral("act"));
  QTRY_COMPARE(s.rows(), QStringList{QStringLiteral("act")});
  QVERIFY(!action("outline.remove")->isEnabled() && !action("outline.rename")->isEnabled());
  QTest::keyClick(s.tree, Qt::Key_Delete);
  QVERIFY(s.has("fc") && s.has("conv"));
  search->setText(QStringLiteral("conv"));
  QTRY_COMPARE(s.rows(), QStringList{QStringLiteral("conv")});
  s.session.prompts.answer = QStringLiteral("first");
  s.tree->setFocus();
  QTest::keyClick(s.tree, Qt::Key_F2);  // the one that is seen
  QVERIFY(s.has("first") && !s.has("conv") && s.has("fc"));
  s.session.document.undo();
  s.session.selection.setNodes({QStringLiteral("fc"), QStringLiteral("conv")});
  QTRY_VERIFY(action("outline.remove")->isEnabled());
  QTest::keyClick(s.tree, Qt::Key_Delete);
  QVERIFY(s.has("fc") && !s.has("conv"));
}

void OutlineViewTest::inALowPanelTheMenuBringsTheFilter() {
  Stage s;
  QVERIFY(s.open());
  s.view->resize(800, kPanelHeight);
  auto* search = s.view->findChild<SearchField*>();
  QTRY_VERIFY(!search->isVisible());
  QStringList texts;
  QTimer::singleShot(0, this, [&] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (!menu) return;
    for (QAction* action : menu->actions()) texts.append(action->text());
    QTest::keyClick(menu, Qt::Key_F);
    menu->close();
  });
  Q_EMIT s.tree->contextMenuRequested(s.view->mapToGlobal(QPoint(20, 20)));
  QCOMPARE(texts.count(QStringLiteral("&Filter...")), 1);
  QTRY_VERIFY(search->isVisible());
  s.view->activateWindow();  // nobody gives it back without a desktop
  QTRY_VERIFY(search->hasFocus());
  QTest::keyClicks(search, QStringLiteral("conv"));
  QTRY_COMPARE(s.rows(), QStringList{QStringLiteral("conv")});
  s.tree->setFocus();
  QTest::qWait(20);
  QVERIFY(search->isVisible());
}

/// In the panel of a small window, in the lowest that a header and three rows fit into, and in the
/// lowest that has the filter too.
void OutlineViewTest::aLowPanelShowsItsRows() {
  Stage s;
  QVERIFY(s.open());
  const auto* search = s.view->findChild<SearchField*>();
  QVERIFY(search->isVisible());
  const auto areWhole = [&s] {
    for (const int row : {0, 1, 2}) {
      const QRect at = s.tree->visualRect(s.tree->model()->index(row, 0));
      if (at.isEmpty() || !s.tree->viewport()->rect().contains(at)) return false;
    }
    return true;
  };
  s.tree->scrollToTop();
  // Narrower than its columns it also has to show a scroll bar.
  constexpr int kWidth = 712;
  QVERIFY(kWidth >= s.tree->header()->length() + s.tree->verticalScrollBar()->sizeHint().width());
  const int lowest = s.tree->header()->height() + 3 * measure::kRow;
  QVERIFY(lowest <= kPanelHeight);
  for (const int height : {kPanelHeight, lowest}) {
    s.view->resize(kWidth, height);
    QTRY_VERIFY(!search->isVisible() && s.tree->height() == height);
    QTRY_VERIFY(areWhole());
  }
  for (int height = kPanelHeight; !search->isVisible(); ++height) {
    QVERIFY(height < 2 * kPanelHeight);
    s.view->resize(kWidth, height);
    QTest::qWait(0);
  }
  QTRY_VERIFY(areWhole());
  QVERIFY(s.view->height() > kPanelHeight);
}

void OutlineViewTest::collapsedStaysCollapsed() {
  InspectSession session;
  tenon::testing::writeToyProject(session.folder.path());
  session.document.open(QString::fromStdString(session.folder.path()));
  QVERIFY(QTest::qWaitFor([&] { return session.check.isCurrent(); }, kLong));
  LayoutSpec layout;
  layout.positions = {{"conv", {0, 0}}, {"bn", {0, 100}}, {"act", {400, 0}}, {"pool", {400, 100}}};
  layout.frames.push_back({"f1", "Start", {-10, -10, 220, 200}});
  layout.frames.push_back({"f2", "End", {390, -10, 220, 200}});
  edits::setLayout(session.document, QStringLiteral("frames"), layout);
  OutlineView view(session.context);
  view.resize(600, 300);
  view.show();
  auto* tree = view.findChild<TreeView*>();
  const auto frame = [&](const char* id) {
    for (int row = 0; row < tree->model()->rowCount(); ++row) {
      const QModelIndex index = tree->model()->index(row, 0);
      if (index.data(OutlineModel::kFrameRole).toString() == QLatin1String(id)) return index;
    }
    return QModelIndex();
  };
  QVERIFY(tree->isExpanded(frame("f1")) && tree->isExpanded(frame("f2")));
  tree->setExpanded(frame("f2"), false);
  QSignalSpy checked(&session.check, &LiveCheck::changed);
  session.check.checkNow();
  QVERIFY(checked.wait(kLong));
  QVERIFY(tree->isExpanded(frame("f1")) && !tree->isExpanded(frame("f2")));
  QVERIFY(edits::renameNode(session.document, QStringLiteral("fc"), QStringLiteral("head")));
  const auto* model = view.findChild<OutlineModel*>();
  QVERIFY(
      QTest::qWaitFor([&] { return model->indexOfNode(QStringLiteral("head")).isValid(); }, kLong));
  QVERIFY(tree->isExpanded(frame("f1")) && !tree->isExpanded(frame("f2")));
}

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::OutlineViewTest)
#include "outline_view_test.moc"
