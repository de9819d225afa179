// SPDX-License-Identifier: GPL-3.0-or-later
// The page of shortcuts lists the keys of panels too, from where they are made; changed ones act at
// once, in all panels, and are kept.
#include <QAction>
#include <QApplication>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "ui/graphview/graph_view.h"
#include "ui/session/commands.h"
#include "ui/session/panel_def.h"
#include "ui/session/prompts.h"
#include "ui/shell/main_window.h"
#include "ui/shell/mode_stack.h"
#include "ui/shell/session.h"
#include "ui/shell/shortcut_page.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

class PanelKeysTest final : public QObject {
  Q_OBJECT

 private:
  struct Frame {
    explicit Frame(const QTemporaryDir& dir)
        : store(dir.filePath(QStringLiteral("s.ini")), QSettings::IniFormat),
          session(store, dir.filePath(QStringLiteral("data"))) {
      window.action(QLatin1String(command::kShortcuts))->trigger();
      page = window.findChild<ShortcutPage*>();
    }
    QSettings store;
    Session session;
    ThemeController theme{*qApp};
    MainWindow window{WindowParts{session, theme, store, panelDefinitions(), {}}};
    ShortcutPage* page = nullptr;

    TableView* table() { return page->findChild<TableView*>(); }
    QString cell(int row, int column) {
      return table()->sourceModel()->index(row, column).data().toString();
    }
    /// Row of a command whose panels begin with this; -1: none.
    int rowOf(const QString& command, const QString& place) {
      for (int row = 0; row < table()->sourceModel()->rowCount(); ++row)
        if (cell(row, 0) == command && cell(row, 2).startsWith(place)) return row;
      return -1;
    }
    void press(int row, const QKeySequence& keys) {
      table()->setCurrentSourceRow(row);
      auto* edit = page->findChild<QKeySequenceEdit*>();
      edit->setKeySequence(keys);
      Q_EMIT edit->editingFinished();
    }
    bool says(const QString& text) {
      const auto labels = page->findChildren<QLabel*>();
      return std::any_of(labels.begin(), labels.end(),
                         [&](const QLabel* label) { return label->text() == text; });
    }
  };

 private Q_SLOTS:
  void keysOfPanelsAreListed() {
    const QTemporaryDir dir;
    Frame f(dir);
    QTRY_VERIFY(f.table()->sourceModel()->rowCount() > 30);
    const auto listed = [&f](const char* text, const char* place) {
      const int row = f.rowOf(QLatin1String(text), QLatin1String(place));
      return row < 0 ? QStringLiteral("not listed") : f.cell(row, 1);
    };
    QCOMPARE(listed("Run", "Everywhere"), QStringLiteral("F5"));
    QCOMPARE(listed("Show the whole graph", "Canvas, Step graph"), QStringLiteral("F"));
    QCOMPARE(listed("Find in the graph", "Canvas"), QStringLiteral("Ctrl+F"));
    QCOMPARE(listed("Delete what is selected", "Canvas"), QStringLiteral("Del"));
    QCOMPARE(listed("Fit the plot and follow", "Loss"), QStringLiteral("Home"));
    QCOMPARE(listed("Show the whole track", "Memory"), QStringLiteral("Home"));
    QCOMPARE(listed("Rename...", "Runs"), QStringLiteral("F2"));
    QCOMPARE(listed("Delete", "Outline"), QStringLiteral("Del"));
    QCOMPARE(listed("Copy", "Issues"), QStringLiteral("Ctrl+C"));
    // Each once, however many plots there are.
    int plots = 0;
    for (int row = 0; row < f.table()->sourceModel()->rowCount(); ++row)
      plots += f.cell(row, 0) == QStringLiteral("Fit the plot and follow");
    QCOMPARE(plots, 1);
    // What the table answers itself cannot be changed.
    f.table()->setCurrentSourceRow(f.rowOf(QStringLiteral("Copy"), QStringLiteral("Issues")));
    QVERIFY(!f.page->findChild<QKeySequenceEdit*>()->isEnabled());
  }

  void changedKeysActAtOnceAndAreKept() {
    const QTemporaryDir dir;
    const auto fits = [](Frame& f) {
      QStringList keys;
      for (GraphView* view : f.window.findChildren<GraphView*>())
        keys.append(view->keyAction(QStringLiteral("graph.fit"))->shortcut().toString());
      return keys;
    };
    const QStringList two{QStringLiteral("G"), QStringLiteral("G")};
    {
      Frame f(dir);
      const int row = f.rowOf(QStringLiteral("Show the whole graph"), QStringLiteral("Canvas"));
      QVERIFY(row >= 0);
      f.press(row, Qt::Key_F5);
      QVERIFY(f.says(QStringLiteral("F5 belongs to Run.")));
      f.press(row, Qt::Key_Delete);
      QVERIFY(f.says(QStringLiteral("Del belongs to Delete what is selected.")));
      f.press(row, Qt::Key_G);
      QVERIFY(f.says(QStringLiteral("Changed.")));
      QCOMPARE(f.cell(row, 1), QStringLiteral("G"));
      QCOMPARE(fits(f), two);
      auto* view = f.window.findChild<GraphView*>();
      QSignalSpy fitted(view->keyAction(QStringLiteral("graph.fit")), &QAction::triggered);
      QTest::keyClick(view, Qt::Key_F);
      QCOMPARE(fitted.count(), 0);
      QTest::keyClick(view, Qt::Key_G);
      QCOMPARE(fitted.count(), 1);
    }
    Frame f(dir);
    QCOMPARE(fits(f), two);
    const int row = f.rowOf(QStringLiteral("Show the whole graph"), QStringLiteral("Canvas"));
    f.table()->setCurrentSourceRow(row);
    for (QPushButton* button : f.page->findChildren<QPushButton*>()) button->click();
    QCOMPARE(f.cell(row, 1), QStringLiteral("F"));
    QVERIFY(!f.store.contains(QStringLiteral("shortcuts/graph.fit")));
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::PanelKeysTest)
#include "panel_keys_test.moc"
