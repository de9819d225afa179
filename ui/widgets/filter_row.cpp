// SPDX-License-Identifier: GPL-3.0-or-later
// A line to filter with that leaves low panels to their rows.
#include "ui/widgets/filter_row.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QTimer>
#include <algorithm>

#include "ui/widgets/section.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kHeader = measure::kButton;
constexpr int kLeastRows = 3;

}  // namespace

FilterRow::FilterRow(const QString& placeholder, QWidget* panel)
    : QWidget(panel),
      panel_(panel),
      field_(new SearchField(placeholder, this)),
      row_(new QHBoxLayout(this)) {
  row_->setContentsMargins(measure::kGap2, measure::kGap1, measure::kGap2, measure::kGap1);
  row_->setSpacing(measure::kGap2);
  row_->addWidget(field_, 1);
  connect(field_, &SearchField::searchChanged, this, &FilterRow::searchChanged);
  connect(field_, &QLineEdit::textChanged, this, &FilterRow::fit);
  panel_->installEventFilter(this);
  field_->installEventFilter(this);
}

void FilterRow::addBefore(QWidget* widget, int fieldWidth) {
  addCompanion(widget, fieldWidth);
  row_->insertWidget(0, widget);
  row_->insertStretch(1, 1);
}

void FilterRow::addBehind(QWidget* widget, int fieldWidth) {
  addCompanion(widget, fieldWidth);
  row_->addStretch(1);
  row_->addWidget(widget);
}

void FilterRow::addCompanion(QWidget* widget, int fieldWidth) {
  field_->setMaximumWidth(fieldWidth);
  widget->setParent(this);
  widget->setVisible(true);  // not hidden, even while the row is
  widget->installEventFilter(this);
  companions_.append(widget);
}

void FilterRow::open() {
  showField(true);
  field_->setFocus(Qt::ShortcutFocusReason);
}

bool FilterRow::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (watched == panel_) {
    if (type == QEvent::Resize || type == QEvent::Show) fit();
  } else if (watched == field_) {
    // Not before the click that takes the focus has found its row.
    if (type == QEvent::FocusOut) QTimer::singleShot(0, this, &FilterRow::fit);
  } else if (type == QEvent::ShowToParent || type == QEvent::HideToParent) {
    fit();
  }
  return QWidget::eventFilter(watched, event);
}

void FilterRow::fit() {
  const int list = kHeader + kLeastRows * measure::kRow;
  const bool roomy = panel_->height() >= fullHeight() + list;
  // Also while a menu or another window is in front.
  const bool isIn = field_->window()->focusWidget() == field_;
  showField(roomy || !field_->text().isEmpty() || isIn);
}

void FilterRow::showField(bool wanted) {
  field_->setVisible(wanted);
  setVisible(wanted || std::any_of(companions_.begin(), companions_.end(),
                                   [](const QWidget* widget) { return !widget->isHidden(); }));
}

/// Of the row with its field, which may be hidden.
int FilterRow::fullHeight() const {
  const QMargins margins = row_->contentsMargins();
  int height = field_->sizeHint().height();
  for (const QWidget* widget : companions_) height = std::max(height, widget->sizeHint().height());
  return height + margins.top() + margins.bottom();
}

}  // namespace tenon::ui
