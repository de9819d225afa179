// SPDX-License-Identifier: GPL-3.0-or-later
// From place to place.
#include "tests/screens/walk.h"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QTabBar>
#include <QTextStream>
#include <algorithm>

#include "tests/screens/act.h"
#include "tests/screens/data_words.h"
#include "tests/screens/fault.h"
#include "tests/screens/journal.h"
#include "tests/screens/play.h"
#include "tests/screens/projects.h"
#include "tests/screens/stage.h"
#include "ui/shell/main_window.h"
#include "ui/shell/mode_page.h"
#include "ui/shell/session.h"

namespace tenon::screens {
namespace {

/// Names for the report, the same in every language.
QString placeName(ui::Mode mode) {
  static const QStringList kNames = {QStringLiteral("Welcome"), QStringLiteral("Data"),
                                     QStringLiteral("Model"),   QStringLiteral("Train"),
                                     QStringLiteral("Inspect"), QStringLiteral("Results")};
  return kNames.at(static_cast<int>(mode));
}

class Walker {
 public:
  Walker(Stage& stage, bool pseudo) : stage_(stage), pseudo_(pseudo) {}

  void walkModes(const QString& state) {
    for (const QString& theme : {QStringLiteral("dark"), QStringLiteral("light")}) {
      stage_.setTheme(theme);
      for (const ui::Mode mode : ui::kModes) {
        stage_.session().navigation.go(mode);
        parkPointer();
        settle(900);  // thumbnails and plots come a little later
        const QString place = QStringLiteral("%1 (%2, %3)").arg(placeName(mode), state, theme);
        look(stage_.window(), place);
        throughTabs(stage_, [&](const QString& tab) {
          look(stage_.window(), place + QStringLiteral(", tab ") + tab);
        });
      }
    }
  }

  void walkWindows() {
    for (const QString& theme : {QStringLiteral("dark"), QStringLiteral("light")}) {
      stage_.setTheme(theme);
      throughMenus(stage_, [&](QMenu& menu, const QString& name) {
        look(menu, QStringLiteral("menu %1 (%2)").arg(name, theme));
      });
      throughDialogs(stage_, [&](QWidget& window, const QString& name) {
        look(window, QStringLiteral("%1 (%2)").arg(name, theme));
      });
    }
  }

  int report() const {
    QTextStream out(stdout);
    QStringList kinds;
    for (const Found& found : found_)
      if (!kinds.contains(found.fault.kind)) kinds.append(found.fault.kind);
    for (const QString& kind : kinds) {
      const auto ofKind = [&kind](const Found& found) { return found.fault.kind == kind; };
      out << "\n== " << kind << ": " << std::count_if(found_.begin(), found_.end(), ofKind) << "\n";
      for (const Found& found : found_)
        if (ofKind(found))
          out << "- " << found.fault.where << "\n    " << found.fault.what << "\n    in "
              << found.places.first()
              << (found.places.size() > 1
                      ? QStringLiteral(" and %1 more").arg(found.places.size() - 1)
                      : QString())
              << "\n";
    }
    out << "\n" << looks_ << " places, " << found_.size() << " faults" << Qt::endl;
    return static_cast<int>(found_.size());
  }

 private:
  struct Found {
    Fault fault;
    QStringList places;
  };

  void look(QWidget& root, const QString& place) {
    ++looks_;
    const View view{root, root.grab().toImage(), pseudo_, dataWords(stage_), regions()};
    for (const auto check : {&textFaults, &controlFaults, &orderFaults})
      for (const Fault& fault : check(view)) keep(fault, place);
  }

  void keep(const Fault& fault, const QString& place) {
    for (Found& found : found_)
      if (found.fault == fault) {
        if (!found.places.contains(place)) found.places.append(place);
        return;
      }
    found_.append({fault, {place}});
  }

  /// Bars, strips, the middle, docks and their tabs.
  [[nodiscard]] QList<const QWidget*> regions() const {
    QList<const QWidget*> all;
    for (const QWidget* child : stage_.window().findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
      all.append(child);
    const QMainWindow* docks = stage_.page().dockWindow();
    for (const QWidget* strip : stage_.page().findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
      if (strip != docks) all.append(strip);
    for (const QWidget* child : docks->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
      all.append(child);
    // A stack holds the page, whose parts these are.
    all.removeAll(stage_.page().parentWidget());
    return all;
  }

  Stage& stage_;
  bool pseudo_;
  int looks_ = 0;
  QList<Found> found_;
};

}  // namespace

int walk(Stage& stage, bool pseudo) {
  const QString home = qEnvironmentVariable("HOME");
  Walker walker(stage, pseudo);
  stage.awaitProject();
  walker.walkModes(QStringLiteral("no run"));
  note(QStringLiteral("walked without a run"));
  trainToTheEnd(stage);
  walker.walkModes(QStringLiteral("a run"));
  note(QStringLiteral("walked with a run"));
  walker.walkWindows();
  note(QStringLiteral("walked through menus and dialogs"));
  openProject(stage, writeFaultyProject(home));
  walker.walkModes(QStringLiteral("faulty"));
  openProject(stage, writeUnreadableProject(home));
  walker.walkModes(QStringLiteral("unreadable"));
  return walker.report();
}

}  // namespace tenon::screens
