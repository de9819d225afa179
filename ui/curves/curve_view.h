// SPDX-License-Identifier: GPL-3.0-or-later
// CurveView: a plot that reads its curves from the store: colours, refresh rate, sleep while
// hidden, saving to files.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

#include "ui/curves/curve_set.h"
#include "ui/plot/line_plot.h"

namespace tenon::ui {

struct PanelContext;
class ProblemFrame;

/// What a curve view says while it has no curve.
struct EmptyTexts {
  QString noRun;    ///< nothing is to be shown; the Run action is offered below
  QString waiting;  ///< the first values are still to come
  QString nothing;  ///< the runs have no such values
};

/// A plot of some metrics of some runs. Asleep while hidden.
class CurveView final : public QWidget {
  Q_OBJECT
 public:
  CurveView(const PanelContext& context, const QString& title, QWidget* parent = nullptr);

  [[nodiscard]] LinePlot& plot() { return *plot_; }
  [[nodiscard]] const LinePlot& plot() const { return *plot_; }
  void setLines(const QList<CurveLine>& lines) { set_->setLines(lines); }
  void setRuns(const QList<qint64>& runs);
  /// Lines carry the name of their run even when there is only one.
  void setNamesRuns(bool always) { set_->setNamesRuns(always); }
  [[nodiscard]] const QList<qint64>& runs() const { return set_->runs(); }
  /// Name of the y-axis; its unit comes with the values.
  void setValueName(const QString& name);
  void setEmptyTexts(const EmptyTexts& texts);
  /// What else the view needs and cannot be read; empty: nothing.
  void setProblem(const QString& reason);
  /// Has a Run button while the project has no run (not at first).
  void setOffersRun(bool offers);

  /// x-axis, y scale, range and smoothing, for the arrangement's memory.
  [[nodiscard]] QByteArray saveHabits() const;
  bool restoreHabits(const QByteArray& state);

  [[nodiscard]] QSize minimumSizeHint() const override { return {160, 72}; }

 Q_SIGNALS:
  /// A person chose another x-axis in the plot's menu.
  void xAxisChosen(tenon::ui::XAxis axis);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void showState();
  void setRefreshRate();
  void save(ExportKind kind);

  const PanelContext& context_;
  QString title_;
  LinePlot* plot_;
  CurveSet* set_;
  ProblemFrame* frame_;
  QString problem_;  ///< of others
  EmptyTexts texts_;
  bool offersRun_ = false;
  QString valueName_;
  QString unit_;
  XAxis axis_ = XAxis::Step;  ///< as last known, to notice the menu's choice
};

}  // namespace tenon::ui
