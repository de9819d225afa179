// SPDX-License-Identifier: GPL-3.0-or-later
// Controls of the loss plot.
#include "ui/panels/loss/loss_header.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <cmath>

#include "ui/curves/train_board.h"
#include "ui/curves/train_curves.h"
#include "ui/panels/loss/smoothing_scale.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

QHBoxLayout* rowOf(QWidget* widget) { return static_cast<QHBoxLayout*>(widget->layout()); }

}  // namespace

LossHeader::LossHeader(TrainCurves& curves, QWidget* parent) : QWidget(parent), curves_(curves) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(measure::kGap3, measure::kGap1, measure::kGap2, 0);
  row->setSpacing(measure::kGap2);
  auto* title = new QLabel(tr("Loss"), this);  // as in the title bars of docks
  title->setFont(textFont(TextSize::Small, true));
  row->addWidget(title);
  row->addStretch(1);
  addSmoothing();
  row->addSpacing(measure::kGap2);
  addAxis();
  addActionButtons();
  connect(&curves_, &TrainCurves::restored, this, &LossHeader::showState);
  connect(&curves_.board(), &TrainBoard::xAxisChanged, this, &LossHeader::showState);
  showState();
}

void LossHeader::addSmoothing() {
  QLabel* caption = newCaption(tr("S&moothing"), this);
  smoothing_ = new QSlider(Qt::Horizontal, this);
  smoothing_->setRange(0, kSmoothingPlaces);
  smoothing_->setPageStep(10);
  smoothing_->setFixedWidth(112);
  smoothing_->setMinimumHeight(measure::kRow);
  smoothing_->setAccessibleName(tr("Smoothing"));
  smoothing_->setToolTip(
      tr("Weight of earlier values in the thick curve; 0 shows the measured "
         "values alone"));
  caption->setBuddy(smoothing_);
  smoothingValue_ = newCaption({}, this);
  smoothingValue_->setFont(numberFont(TextSize::Small));
  smoothingValue_->setMinimumWidth(
      smoothingValue_->fontMetrics().horizontalAdvance(QStringLiteral("0.999")));
  rowOf(this)->addWidget(caption);
  rowOf(this)->addWidget(smoothing_);
  rowOf(this)->addWidget(smoothingValue_);
  connect(smoothing_, &QSlider::valueChanged, this, [this](int place) {
    curves_.view().plot().setSmoothing(smoothingOfPlace(place));
    showState();
  });
}

void LossHeader::addAxis() {
  QLabel* caption = newCaption(tr("&X axis"), this);
  axis_ = new QComboBox(this);
  axis_->addItem(tr("Step"), static_cast<int>(XAxis::Step));
  axis_->addItem(tr("Epoch"), static_cast<int>(XAxis::Epoch));
  axis_->addItem(tr("Time"), static_cast<int>(XAxis::Time));
  axis_->setAccessibleName(tr("X axis of all plots"));
  axis_->setToolTip(tr("What the x-axis of all plots here counts"));
  caption->setBuddy(axis_);
  rowOf(this)->addWidget(caption);
  rowOf(this)->addWidget(axis_);
  connect(axis_, &QComboBox::activated, this, [this](int index) {
    curves_.board().setXAxis(static_cast<XAxis>(axis_->itemData(index).toInt()));
  });
}

/// The plot stands in the middle and has no title bar: its actions stand here.
void LossHeader::addActionButtons() {
  for (QAction* action : curves_.actions()) {
    if (action->isCheckable()) {
      addSwitch(*action);
      continue;
    }
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setMinimumSize(measure::kButton, measure::kButton);
    button->setAccessibleName(action->text());
    rowOf(this)->addWidget(button);
  }
}

void LossHeader::addSwitch(QAction& action) {
  auto* box = new QCheckBox(action.iconText(), this);
  box->setToolTip(action.toolTip());
  box->setAccessibleName(action.text());
  box->setChecked(action.isChecked());
  connect(box, &QCheckBox::toggled, &action, &QAction::setChecked);
  connect(&action, &QAction::toggled, box, &QCheckBox::setChecked);
  rowOf(this)->addWidget(box);
}

void LossHeader::showState() {
  const double decay = curves_.view().plot().smoothing();
  const QSignalBlocker quiet(smoothing_);
  if (std::abs(smoothingOfPlace(smoothing_->value()) - decay) > 1e-9)
    smoothing_->setValue(placeOfSmoothing(decay));
  smoothingValue_->setText(decay > 0 ? QString::number(decay, 'f', 3) : tr("off"));
  axis_->setCurrentIndex(axis_->findData(static_cast<int>(curves_.board().xAxis())));
}

}  // namespace tenon::ui
