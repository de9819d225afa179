// SPDX-License-Identifier: GPL-3.0-or-later
// Compares runs by their curves.
#include "ui/panels/curves/overlay_view.h"

#include <QComboBox>
#include <QDataStream>
#include <QHBoxLayout>
#include <QIODevice>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/curves/curve_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/run_data.h"
#include "ui/session/selection.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kMostRuns = 16;  // more cannot be told apart

}  // namespace

OverlayView::OverlayView(PanelContext& context, QWidget* parent)
    : QWidget(parent), context_(context), view_(new CurveView(context, tr("Curves"), this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildHeader());
  column->addWidget(view_, 1);
  setFocusProxy(view_);
  view_->setNamesRuns(true);
  view_->setEmptyTexts({tr("Select runs in the table to compare their curves"),
                        tr("Waiting for the first values"),
                        tr("The selected runs have no such values")});
  connect(view_, &CurveView::xAxisChosen, this,
          [this](XAxis axis) { axis_->setCurrentIndex(axis_->findData(static_cast<int>(axis))); });
  connect(&context_.selection, &Selection::runsChanged, this, &OverlayView::takeSelection);
  connect(&context_.runs, &RunData::runsChanged, this, &OverlayView::listMetrics);
  connect(&context_.runs, &RunData::retried, this, &OverlayView::listMetrics);
  offer({QStringLiteral("train/loss"), QStringLiteral("validation/loss")});
  takeSelection();
}

QWidget* OverlayView::buildHeader() {
  auto* header = new QWidget(this);
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(measure::kGap3, measure::kGap1, measure::kGap3, 0);
  row->setSpacing(measure::kGap2);
  metric_ = new QComboBox(header);
  metric_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  metric_->setAccessibleName(tr("Quantity"));
  metric_->setToolTip(tr("What the runs are compared by"));
  QLabel* metricCaption = newCaption(tr("&Quantity"), header);
  metricCaption->setBuddy(metric_);
  axis_ = new QComboBox(header);
  axis_->addItem(tr("Step"), static_cast<int>(XAxis::Step));
  axis_->addItem(tr("Epoch"), static_cast<int>(XAxis::Epoch));
  axis_->addItem(tr("Time"), static_cast<int>(XAxis::Time));
  axis_->setAccessibleName(tr("X axis"));
  axis_->setToolTip(tr("What the x-axis counts"));
  QLabel* axisCaption = newCaption(tr("&X axis"), header);
  axisCaption->setBuddy(axis_);
  note_ = newCaption({}, header);
  row->addWidget(metricCaption);
  row->addWidget(metric_);
  row->addWidget(note_);
  row->addStretch(1);
  row->addWidget(axisCaption);
  row->addWidget(axis_);
  connect(metric_, &QComboBox::activated, this,
          [this] { choose(metric_->currentData().toString()); });
  connect(axis_, &QComboBox::activated, this,
          [this] { view_->plot().setXAxis(static_cast<XAxis>(axis_->currentData().toInt())); });
  return header;
}

void OverlayView::takeSelection() {
  const QList<qint64>& selected = context_.selection.runs();
  view_->setRuns(selected.mid(0, kMostRuns));
  note_->setText(selected.size() > kMostRuns
                     ? tr("first %1 of %2 runs").arg(kMostRuns).arg(selected.size())
                     : QString());
  listMetrics();
}

void OverlayView::listMetrics() {
  if (!isVisible()) return;
  if (view_->runs().isEmpty()) {
    view_->setProblem({});
    return;
  }
  const auto work = [runs = view_->runs()](Store& store) {
    QStringList names;
    for (const qint64 run : runs)
      for (const SeriesInfo& series : store.metrics().series(run))
        names.append(QString::fromStdString(series.name));
    return names;
  };
  context_.runs.query(
      this, work,
      [this](const QStringList& names) {
        view_->setProblem({});
        if (!names.isEmpty()) offer(names);
      },
      [this](const QString& reason) { view_->setProblem(reason); });
}

void OverlayView::offer(const QStringList& metrics) {
  const QList<CurveChoice> choices = curveChoices(metrics);
  if (choices == choices_) return;
  choices_ = choices;
  metric_->clear();
  for (const CurveChoice& choice : choices_) metric_->addItem(choice.title, choice.id);
  choose(chosen_);
}

void OverlayView::choose(const QString& id) {
  const auto known = std::find_if(choices_.begin(), choices_.end(),
                                  [&](const CurveChoice& choice) { return choice.id == id; });
  if (known == choices_.end()) {  // what was chosen comes back with a run that has it
    if (!choices_.isEmpty()) view_->setLines(choices_.first().lines);
    return;
  }
  chosen_ = id;
  metric_->setCurrentIndex(static_cast<int>(known - choices_.begin()));
  view_->setValueName(known->title);
  view_->setLines(known->lines);
}

QByteArray OverlayView::savePanel() const {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  stream << chosen_ << view_->saveHabits();
  return bytes;
}

bool OverlayView::restorePanel(const QByteArray& state) {
  QDataStream stream(state);
  QString chosen;
  QByteArray habits;
  stream >> chosen >> habits;
  if (stream.status() != QDataStream::Ok || !view_->restoreHabits(habits)) return false;
  axis_->setCurrentIndex(axis_->findData(static_cast<int>(view_->plot().xAxis())));
  chosen_ = chosen;
  choose(chosen_);
  return true;
}

void OverlayView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  listMetrics();
}

}  // namespace tenon::ui
