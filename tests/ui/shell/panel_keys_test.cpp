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
    QString nameOf(const char* command) {
      QString text = window.action(QLatin1String(command))->text();
      return text.remove(u'&');
    }
    /// All that the page says in words.
    QString said() {
      QStringList texts;
      for (const QLabel* label : page->findChildren<QLabel*>()) texts.append(label->text());
      return texts.join(u'|');
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
    // Not in the step graph, where nothing can be deleted.
    QCOMPARE(f.cell(f.rowOf(QStringLiteral("Delete what is selected"), {}), 2),
             QStringLiteral("Canvas"));
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

  void nobodyTakesTheKeyOfAnother() {
    const QTemporaryDir dir;
    Frame f(dir);
    const int run = f.rowOf(QStringLiteral("Run"), QStringLiteral("Everywhere"));
    const int fit = f.rowOf(QStringLiteral("Show the whole graph"), QStringLiteral("Canvas"));
    const int rename = f.rowOf(QStringLiteral("Rename..."), QStringLiteral("Runs"));
    QVERIFY(run >= 0 && fit >= 0 && rename >= 0);
    f.press(run, Qt::Key_F);  // a command acts in every panel too
    QVERIFY(f.says(QStringLiteral("F belongs to Show the whole graph.")));
    f.press(run, Qt::Key_F2);
    QVERIFY(f.says(QStringLiteral("F2 belongs to Rename....")));
    f.press(run, Qt::Key_F8);
    QVERIFY(f.says(QStringLiteral("F8 belongs to Step.")));
    QCOMPARE(f.cell(run, 1), QStringLiteral("F5"));
    QCOMPARE(f.window.action(QLatin1String(command::kRun))->shortcut(), QKeySequence(Qt::Key_F5));
    f.press(fit, QKeySequence(Qt::Key_G, Qt::Key_H));
    QVERIFY(f.says(QStringLiteral("A key of panels is a single stroke, not G, H.")));
    QCOMPARE(f.cell(fit, 1), QStringLiteral("F"));
    // Whoever presses the longer one gets the shorter one.
    f.press(run, QKeySequence(Qt::CTRL | Qt::Key_K, QKeyCombination(Qt::Key_R)));
    QVERIFY2(f.says(QStringLiteral("Ctrl+K, R begins like Ctrl+K, which belongs to %1.")
                        .arg(f.nameOf(command::kPalette))),
             qPrintable(f.said()));
    f.press(run, QKeySequence(Qt::Key_F, Qt::Key_R));
    QVERIFY2(f.says(QStringLiteral("F, R begins like F, which belongs to Show the whole graph.")),
             qPrintable(f.said()));
    QCOMPARE(f.cell(run, 1), QStringLiteral("F5"));
    f.press(run, QKeySequence(Qt::CTRL | Qt::Key_J,
                              QKeyCombination(Qt::Key_R)));  // a command's may be more
    QVERIFY(f.says(QStringLiteral("Changed.")));
    f.press(rename, Qt::Key_F);  // the graph is in another panel
    QVERIFY(f.says(QStringLiteral("Changed.")));
  }

  void nobodyTakesTheBeginningOfAnother() {
    const QTemporaryDir dir;
    Frame f(dir);
    const int run = f.rowOf(QStringLiteral("Run"), QStringLiteral("Everywhere"));
    const int fit = f.rowOf(QStringLiteral("Show the whole graph"), QStringLiteral("Canvas"));
    f.press(run, QKeySequence(Qt::Key_J, Qt::Key_R));
    QVERIFY(f.says(QStringLiteral("Changed.")));
    for (const char* step : {command::kPause, command::kStop}) {
      f.press(f.rowOf(f.nameOf(step), QStringLiteral("Everywhere")), Qt::Key_J);
      QVERIFY2(f.says(QStringLiteral("J begins like J, R, which belongs to Run.")),
               qPrintable(f.said()));
    }
    f.press(fit, Qt::Key_J);
    QVERIFY2(f.says(QStringLiteral("J begins like J, R, which belongs to Run.")),
             qPrintable(f.said()));
    QCOMPARE(f.cell(fit, 1), QStringLiteral("F"));
    f.press(fit, Qt::Key_R);  // an end is no beginning
    QVERIFY(f.says(QStringLiteral("Changed.")));
  }

  /// The default brings alternatives with it, which another may have taken meanwhile.
  void theDefaultTakesNoKeyOfAnother() {
    const QTemporaryDir dir;
    Frame f(dir);
    const int run = f.rowOf(QStringLiteral("Run"), QStringLiteral("Everywhere"));
    const auto toDefault = [&f](int row) {
      f.table()->setCurrentSourceRow(row);
      for (QPushButton* button : f.page->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Default")) button->click();
    };
    const int fit = f.rowOf(QStringLiteral("Fit the plot and follow"), QStringLiteral("Loss"));
    QVERIFY(run >= 0 && fit >= 0);
    QCOMPARE(f.cell(fit, 1), QStringLiteral("Home"));  // and 0
    f.press(run, Qt::Key_0);
    QVERIFY2(f.says(QStringLiteral("0 belongs to Fit the plot and follow.")), qPrintable(f.said()));
    for (const char* other : {"Fit the plot and follow", "Show the whole track"}) {
      f.press(f.rowOf(QLatin1String(other), {}), Qt::Key_J);
      QVERIFY2(f.says(QStringLiteral("Changed.")), qPrintable(f.said()));
    }
    f.press(run, Qt::Key_0);
    QVERIFY2(f.says(QStringLiteral("Changed.")), qPrintable(f.said()));
    toDefault(fit);
    QVERIFY2(f.says(QStringLiteral("0 belongs to Run.")), qPrintable(f.said()));
    QCOMPARE(f.cell(fit, 1), QStringLiteral("J"));

    QAction* redo = f.window.action(QLatin1String(command::kRedo));
    const QKeySequence usual = redo->shortcut();
    const int redoRow = f.rowOf(f.nameOf(command::kRedo), QStringLiteral("Everywhere"));
    QVERIFY(redoRow >= 0);
    f.press(redoRow, Qt::Key_F12);
    QVERIFY2(f.says(QStringLiteral("Changed.")), qPrintable(f.said()));
    f.press(run, QKeySequence(Qt::CTRL | Qt::Key_Y));
    QVERIFY2(f.says(QStringLiteral("Changed.")), qPrintable(f.said()));
    toDefault(redoRow);
    QVERIFY2(f.says(QStringLiteral("Ctrl+Y belongs to Run.")), qPrintable(f.said()));
    QCOMPARE(redo->shortcuts(), {QKeySequence(Qt::Key_F12)});
    f.press(redoRow, usual);  // typed is as good as the button
    QVERIFY2(f.says(QStringLiteral("Ctrl+Y belongs to Run.")), qPrintable(f.said()));
    toDefault(run);
    toDefault(redoRow);
    QCOMPARE(redo->shortcuts(), QList<QKeySequence>({usual, Qt::CTRL | Qt::Key_Y}));
  }

  /// Nobody could go back to the default of a command that gives way to another one.
  void defaultsAreFree() {
    const QTemporaryDir dir;
    Frame f(dir);
    for (int row = 0; row < f.table()->sourceModel()->rowCount(); ++row) {
      if (f.cell(row, 1).isEmpty()) continue;
      f.table()->setCurrentSourceRow(row);
      if (!f.page->findChild<QKeySequenceEdit*>()->isEnabled()) continue;
      f.press(row, QKeySequence(f.cell(row, 1), QKeySequence::NativeText));
      QVERIFY2(f.says(QStringLiteral("Changed.")), qPrintable(f.cell(row, 0)));
    }
  }

  void aKeyTakenAwayCanComeBack() {
    const QTemporaryDir dir;
    {
      Frame f(dir);
      f.press(f.rowOf(QStringLiteral("Show the whole graph"), QStringLiteral("Canvas")), {});
      QVERIFY(f.says(QStringLiteral("Changed.")));
    }
    Frame f(dir);
    const int row = f.rowOf(QStringLiteral("Show the whole graph"), QStringLiteral("Canvas"));
    QVERIFY(row >= 0);
    QCOMPARE(f.cell(row, 1), QString());
    f.table()->setCurrentSourceRow(row);
    for (QPushButton* button : f.page->findChildren<QPushButton*>()) button->click();
    QCOMPARE(f.cell(row, 1), QStringLiteral("F"));
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
