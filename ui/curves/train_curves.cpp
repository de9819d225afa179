// SPDX-License-Identifier: GPL-3.0-or-later
// A curve panel of Train.
#include "ui/curves/train_curves.h"

#include <QAction>
#include <QVBoxLayout>

#include "ui/curves/train_board.h"
#include "ui/session/panel_context.h"
#include "ui/widgets/icon.h"

namespace tenon::ui {

TrainCurves::TrainCurves(const PanelContext& context, const TrainCurvesSpec& spec, QWidget* parent)
    : QWidget(parent),
      board_(TrainBoard::of(context)),
      view_(new CurveView(context, spec.title, this)),
      layout_(new QVBoxLayout(this)) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(0);
  layout_->addWidget(view_, 1);
  setFocusProxy(view_);
  view_->setValueName(spec.valueName);
  view_->setLines(spec.lines);
  view_->setEmptyTexts({spec.offersRun ? tr("No run yet \u2013 press Run") : tr("No run yet"),
                        tr("Waiting for the first values"), spec.nothing});
  view_->setOffersRun(spec.offersRun);
  if (spec.fromZero) view_->plot().setYInclude(0, 0);
  view_->plot().setXAxis(board_.xAxis());
  board_.links().add(&view_->plot());
  connect(view_, &CurveView::xAxisChosen, &board_, &TrainBoard::setXAxis);
  connect(&board_, &TrainBoard::xAxisChanged, &view_->plot(), &LinePlot::setXAxis);
  connect(&board_, &TrainBoard::runChanged, this, &TrainCurves::follow);
  addActions(spec);
  follow();
}

void TrainCurves::setHeader(QWidget* header) { layout_->insertWidget(0, header); }

bool TrainCurves::restorePanel(const QByteArray& state) {
  if (!view_->restoreHabits(state)) return false;
  if (log_) log_->setChecked(view_->plot().yScale() == YScale::Log);
  Q_EMIT restored();
  return true;
}

void TrainCurves::follow() {
  const qint64 run = board_.run();
  view_->setRuns(run > 0 ? QList<qint64>{run} : QList<qint64>{});
}

void TrainCurves::addActions(const TrainCurvesSpec& spec) {
  if (spec.logScale) {
    log_ = new QAction(tr("Logarithmic y-axis"), this);
    log_->setIconText(tr("Log y-axis"));
    log_->setToolTip(tr("Logarithmic y-axis: shows factors instead of differences"));
    log_->setCheckable(true);
    addAction(log_);
    connect(log_, &QAction::toggled, this,
            [this](bool on) { view_->plot().setYScale(on ? YScale::Log : YScale::Linear); });
  }
  auto* fit = new QAction(icon(QStringLiteral("zoom-fit")), tr("Fit and follow"), this);
  fit->setToolTip(tr("Show everything and follow new values"));
  addAction(fit);
  connect(fit, &QAction::triggered, this, [this] { view_->plot().fitAndFollow(); });
}

}  // namespace tenon::ui
