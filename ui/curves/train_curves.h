// SPDX-License-Identifier: GPL-3.0-or-later
// TrainCurves: the body of the curve panels of Train: one run's metrics over the x-axis they share.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

#include "ui/curves/curve_view.h"
#include "ui/session/panel_def.h"

class QAction;
class QVBoxLayout;

namespace tenon::ui {

class TrainBoard;

/// What such a panel draws.
struct TrainCurvesSpec {
  QString title;
  QString valueName;  ///< of the y-axis
  QList<CurveLine> lines;
  QString nothing;         ///< text when a run has no such values
  bool logScale = false;   ///< offers a logarithmic y-axis as a button
  bool fromZero = false;   ///< keeps zero in sight
  bool offersRun = false;  ///< has a Run button while the project has no run
};

/// Follows the board: run, x-axis, common zoom. Its actions become buttons of the dock.
class TrainCurves final : public QWidget, public PanelMemory {
  Q_OBJECT
 public:
  TrainCurves(const PanelContext& context, const TrainCurvesSpec& spec, QWidget* parent = nullptr);

  [[nodiscard]] CurveView& view() { return *view_; }
  [[nodiscard]] TrainBoard& board() { return board_; }
  /// Puts a row of controls above the plot.
  void setHeader(QWidget* header);

  [[nodiscard]] QByteArray savePanel() const override { return view_->saveHabits(); }
  bool restorePanel(const QByteArray& state) override;

 Q_SIGNALS:
  /// The kept habits are in force again.
  void restored();

 private:
  void follow();
  void addActions(const TrainCurvesSpec& spec);

  TrainBoard& board_;
  CurveView* view_;
  QVBoxLayout* layout_;
  QAction* log_ = nullptr;
};

}  // namespace tenon::ui
