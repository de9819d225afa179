// SPDX-License-Identifier: GPL-3.0-or-later
// The real window on the test's display, started as the program starts it, in an empty home folder.
#pragma once

#include <QObject>
#include <QSettings>
#include <QString>
#include <memory>

#include "ui/session/mode.h"

class QApplication;
class QMenuBar;
class QWidget;

namespace tenon::ui {
class LinePlot;
class MainWindow;
class ModePage;
class Shell;
struct Session;
}  // namespace tenon::ui

namespace tenon::screens {

/// Notices when the main window is on the screen for the first time.
class FirstPaint final : public QObject {
 public:
  /// Seconds since the process began; 0: not yet.
  [[nodiscard]] double seconds() const { return seconds_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  double seconds_ = 0;
};

struct StageOptions {
  QString project;   ///< folder or file; empty: a copy of the sample, as at a first start
  QString language;  ///< "pseudo" or empty
  QString crash;     ///< report of a crash since the last start, or empty
};

class Stage final {
 public:
  /// Opens the window and waits until it is painted and active.
  Stage(QApplication& app, const StageOptions& options);
  ~Stage();

  [[nodiscard]] ui::MainWindow& window() const;
  [[nodiscard]] ui::Session& session() const;
  [[nodiscard]] QMenuBar& menus() const;
  /// The page in front.
  [[nodiscard]] ui::ModePage& page() const;
  /// The panel of this id in the page in front; throws Failed if there is none.
  [[nodiscard]] QWidget& panel(const QString& id) const;
  /// A widget of type T with this object name (empty: any) below a panel; throws Failed if none.
  template <class T>
  [[nodiscard]] T& part(const QString& panelId, const QString& name = {}) const;
  [[nodiscard]] double firstPaint() const { return paint_.seconds(); }
  /// "dark" or "light".
  void setTheme(const QString& theme);
  /// Goes to a mode by a click on its button.
  void clickMode(ui::Mode mode);
  /// Waits until the project is open and its check is done.
  void awaitProject();

 private:
  [[noreturn]] static void missing(const QString& panelId, const char* type, const QString& name);

  FirstPaint paint_;
  QSettings store_;
  std::unique_ptr<ui::Shell> shell_;
};

template <class T>
T& Stage::part(const QString& panelId, const QString& name) const {
  QWidget& root = panel(panelId);
  if (auto* self = qobject_cast<T*>(&root)) return *self;
  T* found = name.isEmpty() ? root.template findChild<T*>() : root.template findChild<T*>(name);
  if (!found) missing(panelId, T::staticMetaObject.className(), name);
  return *found;
}

}  // namespace tenon::screens
