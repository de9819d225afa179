// SPDX-License-Identifier: GPL-3.0-or-later
// TrainBoard: what the panels of Train show together: one run, one x-axis.
#pragma once

#include <QObject>

#include "ui/plot/link_group.h"
#include "ui/plot/series_data.h"

namespace tenon::ui {

struct Destination;
struct PanelContext;
class Navigation;
class RunController;
class RunData;
class Selection;

/**
 * Decides which run the panels of Train show: the one a person asked for ("open in Train", or the
 * selected one while nothing trains), else the one this window trained last, else the newest. A run
 * that starts is shown at once.
 */
class TrainBoard final : public QObject {
  Q_OBJECT
 public:
  /// The one of this window; made when first asked for.
  static TrainBoard& of(const PanelContext& context);

  /// The run shown, 0 if there is none.
  [[nodiscard]] qint64 run() const { return run_; }
  /// True while the run shown is the one that trains in this window.
  [[nodiscard]] bool showsLiveRun() const;
  /// Shows a run until the next start; 0 lets the board choose again.
  void show(qint64 run);

  [[nodiscard]] XAxis xAxis() const { return axis_; }
  void setXAxis(XAxis axis);
  /// Plots in it zoom and hover together.
  [[nodiscard]] LinkGroup& links() { return links_; }

 Q_SIGNALS:
  void runChanged(qint64 run);
  void xAxisChanged(tenon::ui::XAxis axis);

 private:
  explicit TrainBoard(const PanelContext& context);
  void choose();
  void forget();
  void arrive(const Destination& destination);

  RunController& controller_;
  RunData& runs_;
  Selection& selection_;
  LinkGroup links_;
  XAxis axis_ = XAxis::Step;
  qint64 wanted_ = 0;  ///< asked for by a person
  qint64 own_ = 0;     ///< trained last by this window in this project
  qint64 run_ = 0;
};

}  // namespace tenon::ui
