// SPDX-License-Identifier: GPL-3.0-or-later
// A mode's page from a panel table: default arrangement, moving, keeping and refusing kept
// arrangements, floating docks that come and go with the mode.
#include "ui/shell/mode_page.h"

#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QSettings>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <functional>

#include "ui/session/commands.h"
#include "ui/session/panel_context.h"
#include "ui/shell/arrangement.h"
#include "ui/shell/dock_title.h"
#include "ui/shell/focus_order.h"
#include "ui/shell/mode_stack.h"
#include "ui/shell/session.h"
#include "ui/shell/shell_prompts.h"

namespace tenon::ui {
namespace {

/// A panel with something to remember.
class NotePanel final : public QLabel, public PanelMemory {
 public:
  explicit NotePanel(QWidget* parent) : QLabel(parent) { setFocusPolicy(Qt::StrongFocus); }
  QByteArray savePanel() const override { return text().toUtf8(); }
  bool restorePanel(const QByteArray& state) override {
    setText(QString::fromUtf8(state));
    return true;
  }
};

QWidget* makeNote(PanelContext&, QWidget* parent) { return new NotePanel(parent); }

PanelDef define(const char* id, const char* title, const std::vector<Placement>& placements) {
  return {QString::fromLatin1(id), title, "help", QStringLiteral("layer"), placements, &makeNote};
}

const PanelDef& centre() {
  static const PanelDef def = define("centre", "Middle", {{Mode::Train, Area::Centre}});
  return def;
}
const PanelDef& left() {
  static const PanelDef def =
      define("left", "Left", {{Mode::Train, Area::Left, 0, {200, 0}}, {Mode::Data, Area::Left}});
  return def;
}
const PanelDef& below() {
  static const PanelDef def = define("below", "Below", {{Mode::Train, Area::Bottom, 0, {0, 140}}});
  return def;
}
const PanelDef& tab() {
  static const PanelDef def = define("tab", "Tab", {{Mode::Train, Area::Bottom, 1, {}, true}});
  return def;
}
const PanelDef& strip() {
  static const PanelDef def =
      define("strip", "Strip", {{Mode::Train, Area::Top, 0, {}, false, true}});
  return def;
}
const PanelDef& later() {
  static const PanelDef def =
      define("later", "Later", {{Mode::Train, Area::Right, 0, {}, false, false, true}});
  return def;
}

using Definition = const PanelDef& (*)();
constexpr Definition kPanels[] = {&below, &centre, &later, &left, &strip, &tab};
constexpr Definition kFewer[] = {&centre, &left};

class NoCommands final : public Commands {
 public:
  QAction* action(const QString&) const override { return nullptr; }
  void openProject(const QString&) override {}
};

}  // namespace

class ModePageTest final : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<QTemporaryDir> dir_;
  std::unique_ptr<QSettings> store_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<QWidget> host_;
  std::unique_ptr<ShellPrompts> prompts_;
  std::unique_ptr<NoCommands> commands_;
  std::unique_ptr<PanelContext> context_;

  std::unique_ptr<ModePage> page(PanelTable panels = kPanels) {
    auto made = std::make_unique<ModePage>(Mode::Train, panels, *context_, *store_);
    made->resize(1200, 700);
    made->show();
    made->enter();
    if (!QTest::qWaitForWindowExposed(made.get())) qWarning("not exposed");
    QTest::qWait(20);
    return made;
  }
  static QDockWidget* dock(const ModePage& page, const char* id) {
    return page.dockWindow()->findChild<QDockWidget*>(QLatin1String("dock.") + QLatin1String(id));
  }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    store_ =
        std::make_unique<QSettings>(dir_->filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
    session_ = std::make_unique<Session>(*store_, dir_->path());
    host_ = std::make_unique<QWidget>();
    prompts_ = std::make_unique<ShellPrompts>(*host_);
    commands_ = std::make_unique<NoCommands>();
    context_.reset(new PanelContext{session_->document, session_->check, session_->run,
                                    session_->requests, session_->runs, session_->selection,
                                    session_->navigation, *prompts_, *commands_, session_->recents,
                                    session_->settings});
  }
  void cleanup() {
    context_.reset();
    prompts_.release();  // host_ owns it
    host_.reset();
    session_.reset();
    store_.reset();
    dir_.reset();
  }

  void buildsTheDefault() {
    const auto made = page();
    const QMainWindow& window = *made->dockWindow();
    QCOMPARE(window.centralWidget()->findChild<NotePanel*>()->objectName(),
             QStringLiteral("centre"));
    QCOMPARE(window.dockWidgetArea(dock(*made, "left")), Qt::LeftDockWidgetArea);
    QCOMPARE(window.dockWidgetArea(dock(*made, "below")), Qt::BottomDockWidgetArea);
    QCOMPARE(window.tabifiedDockWidgets(dock(*made, "below")),
             QList<QDockWidget*>{dock(*made, "tab")});
    QVERIFY(dock(*made, "later")->isHidden());
    QVERIFY(!dock(*made, "strip"));
    QVERIFY(made->panel(QStringLiteral("strip"))->isVisible());
    QCOMPARE(made->panel(QStringLiteral("left"))->accessibleName(), QStringLiteral("Left"));
    QVERIFY(qAbs(dock(*made, "left")->width() - 200) <= 4);
    // The place of the two below is 140 high with its tabs.
    const auto* tabs = window.findChild<QTabBar*>();
    QVERIFY(tabs && tabs->isVisible());
    QVERIFY(qAbs(dock(*made, "below")->height() + tabs->height() - 140) <= 4);
    QCOMPARE(made->panelActions().size(), 4);
  }

  /// Panels are made in another order than a person reads them, and get something later.
  void tabReadsLeftCentreBottom() {
    const FocusOrder order;
    const auto made = page();
    for (NotePanel* panel : made->findChildren<NotePanel*>()) {
      auto* box = new QLabel(panel);  // takes no focus, holds something that does
      auto* field = new QWidget(box);
      field->setFocusPolicy(Qt::StrongFocus);
      field->setObjectName(QStringLiteral("in-") + panel->objectName());
      field->resize(20, 20);
      box->show();
    }
    made->dockWindow()->findChild<QTabBar*>()->setObjectName(QStringLiteral("tabs"));
    const auto visited = [&made](const QString& hidden) {
      QStringList names;
      QWidget* const first = made->panel(QStringLiteral("strip"));
      QWidget* next = first;
      do {
        const QString name = next->objectName();
        if ((next->focusPolicy() & Qt::TabFocus) && next->isVisible() && !name.endsWith(hidden))
          names.append(name);
        next = next->nextInFocusChain();
      } while (next != first);
      return names.join(u' ');
    };
    QTRY_COMPARE(
        visited(QStringLiteral("tab")),
        QStringLiteral("strip in-strip left in-left centre in-centre tabs below in-below"));
    dock(*made, "tab")->raise();
    QTRY_COMPARE(visited(QStringLiteral("below")),
                 QStringLiteral("strip in-strip left in-left centre in-centre tabs tab in-tab"));
  }

  void keepsArrangementAndPanels() {
    {
      const auto made = page();
      made->dockWindow()->addDockWidget(Qt::RightDockWidgetArea, dock(*made, "left"));
      dock(*made, "below")->close();
      qobject_cast<QLabel*>(made->panel(QStringLiteral("centre")))->setText(QStringLiteral("mine"));
      made->save();
    }
    const auto again = page();
    QCOMPARE(again->dockWindow()->dockWidgetArea(dock(*again, "left")), Qt::RightDockWidgetArea);
    QVERIFY(dock(*again, "below")->isHidden());
    QCOMPARE(qobject_cast<QLabel*>(again->panel(QStringLiteral("centre")))->text(),
             QStringLiteral("mine"));
    again->resetArrangement();
    QCOMPARE(again->dockWindow()->dockWidgetArea(dock(*again, "left")), Qt::LeftDockWidgetArea);
    QVERIFY(dock(*again, "below")->isVisible());
  }

  /// A page made in a window that is in sight has no size of its own when it is made.
  void sizesComeBackExactly() {
    const auto sizes = [](ModeStack& stack) {
      QStringList found;
      for (const QDockWidget* each : stack.page()->dockWindow()->findChildren<QDockWidget*>())
        if (!each->visibleRegion().isEmpty())  // not what lies behind another tab
          found << QStringLiteral("%1 %2x%3")
                       .arg(each->objectName())
                       .arg(each->width())
                       .arg(each->height());
      found.sort();
      return found;
    };
    const auto visit = [&](Mode last, const std::function<void(ModeStack&)>& change) {
      ModeStack stack(kPanels, *context_, *store_);
      stack.resize(1200, 700);
      stack.show();
      (void)QTest::qWaitForWindowExposed(&stack);
      QHash<Mode, QStringList> seen;
      for (const Mode mode : {last == Mode::Train ? Mode::Data : Mode::Train, last}) {
        stack.setMode(mode);
        QTest::qWait(50);
        change(stack);
        QTest::qWait(20);
        seen[mode] = sizes(stack);
      }
      stack.save();
      return seen;
    };
    const auto changed = visit(Mode::Train, [](ModeStack& stack) {
      QMainWindow* window = stack.page()->dockWindow();
      auto* left = window->findChild<QDockWidget*>(QStringLiteral("dock.left"));
      window->resizeDocks({left}, {left->width() + 203}, Qt::Horizontal);
      if (auto* low = window->findChild<QDockWidget*>(QStringLiteral("dock.below")))
        window->resizeDocks({low}, {230}, Qt::Vertical);
    });
    QVERIFY(changed[Mode::Train] != changed[Mode::Data]);
    QVERIFY(!changed[Mode::Data].isEmpty());
    const auto nothing = [](ModeStack&) {};
    for (const Mode last : {Mode::Data, Mode::Train}) {
      const auto again = visit(last, nothing);
      for (const Mode mode : {Mode::Data, Mode::Train})
        QCOMPARE(again[mode].join(u' '), changed[mode].join(u' '));
    }
  }

  /// What was never in sight has no sizes that are worth keeping.
  void aPageNeverShownKeepsWhatIsKept() {
    {
      const auto made = page();
      made->dockWindow()->addDockWidget(Qt::RightDockWidgetArea, dock(*made, "left"));
      made->save();
    }
    const QByteArray kept = store_->value(QStringLiteral("arrangement/3/state")).toByteArray();
    QVERIFY(!kept.isEmpty());
    ModePage(Mode::Train, kPanels, *context_, *store_).save();
    QCOMPARE(store_->value(QStringLiteral("arrangement/3/state")).toByteArray(), kept);
  }

  void refusesWhatDoesNotFit() {
    {
      const auto made = page();
      made->dockWindow()->addDockWidget(Qt::RightDockWidgetArea, dock(*made, "left"));
      made->save();
    }
    // Other panels than then: the default.
    const auto fewer = page(kFewer);
    QCOMPARE(fewer->dockWindow()->dockWidgetArea(dock(*fewer, "left")), Qt::LeftDockWidgetArea);
    // Damaged bytes: the default.
    store_->setValue(QStringLiteral("arrangement/3/state"), QByteArray("garbage"));
    const auto damaged = page();
    QCOMPARE(damaged->dockWindow()->dockWidgetArea(dock(*damaged, "left")), Qt::LeftDockWidgetArea);
    QVERIFY(dock(*damaged, "below")->isVisible());
    // Another version.
    store_->setValue(QStringLiteral("arrangement/3/state"),
                     damaged->dockWindow()->saveState(kArrangementVersion + 1));
    QVERIFY(!restoreArrangement(*damaged->dockWindow(), *store_, QStringLiteral("arrangement/3")));
  }

  void floatingDocksFollowTheMode() {
    ModeStack stack(kPanels, *context_, *store_);
    stack.resize(1200, 700);
    stack.show();
    stack.setMode(Mode::Train);
    ModePage* train = stack.page();
    QDockWidget* floating = dock(*train, "left");
    floating->setFloating(true);
    floating->show();
    QVERIFY(floating->isVisible());
    stack.setMode(Mode::Data);
    QVERIFY(!floating->isVisible());
    QVERIFY(stack.page() != train);
    stack.setMode(Mode::Train);
    QVERIFY(floating->isVisible());
    QCOMPARE(stack.page(), train);
  }

  void offScreenDocksComeBack() {
    {
      const auto made = page();
      QDockWidget* floating = dock(*made, "left");
      floating->setFloating(true);
      floating->move(20000, 20000);
      floating->show();
      made->save();
    }
    const auto again = page();
    QDockWidget* floating = dock(*again, "left");
    const bool seen = !floating->isFloating() || floating->frameGeometry().x() < 5000;
    QVERIFY(seen);
  }

  void showsAndFocusesAPanel() {
    const auto made = page();
    made->activateWindow();
    QVERIFY(made->showPanel(QStringLiteral("later")));
    QVERIFY(dock(*made, "later")->isVisible());
    QVERIFY(made->showPanel(QStringLiteral("tab")));
    QVERIFY(!made->showPanel(QStringLiteral("nothing")));
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::ModePageTest)
#include "mode_page_test.moc"
