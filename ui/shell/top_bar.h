// SPDX-License-Identifier: GPL-3.0-or-later
// The bar at the top in every mode: menus, project > place, issues, device, Run.
#pragma once

#include <QWidget>

#include "ui/session/mode.h"

class QMenuBar;
class QPushButton;
class QToolButton;

namespace tenon::ui {

class CommandSet;
class ElidedLabel;
class LiveCheck;
struct Session;

class TopBar final : public QWidget {
  Q_OBJECT
 public:
  TopBar(Session& session, const CommandSet& commands, QMenuBar* menus, QWidget* parent = nullptr);

  /// Where the person is: the mode and what is selected in it.
  void setMode(Mode mode);
  void focusRun();
  [[nodiscard]] QPushButton* runButton() const { return run_; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void build(QMenuBar* menus);
  void showPlace();
  void showIssues();
  void showDevice();
  void showRun();

  Session& session_;
  const CommandSet& commands_;
  ElidedLabel* project_;
  ElidedLabel* place_;
  QToolButton* issues_;
  QToolButton* device_;
  QPushButton* run_;
  bool focusWaits_ = false;  ///< for the Run button to be enabled again
  Mode mode_ = Mode::Welcome;
};

}  // namespace tenon::ui
