// SPDX-License-Identifier: GPL-3.0-or-later
// Keys, wheel and painting of the line edit within a NumberField.
#include "ui/widgets/number_edit.h"

#include <QKeyEvent>
#include <QPainter>

#include "ui/widgets/number_field.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kResetRoom = 32;
constexpr int kNotch = 120;

bool isUndoOrRedo(const QKeyEvent& event) {
  return event.matches(QKeySequence::Undo) || event.matches(QKeySequence::Redo);
}

}  // namespace

NumberEdit::NumberEdit(NumberField* field) : QLineEdit(field), field_(field) {
  setFont(numberFont());
}

void NumberEdit::setUnit(const QString& unit) {
  unit_ = unit;
  updateMargins();
}

void NumberEdit::setResettable(bool resettable) {
  resettable_ = resettable;
  updateMargins();
}

void NumberEdit::setMarked(bool marked) {
  marked_ = marked;
  updateMargins();
}

void NumberEdit::updateMargins() {
  int right = resettable_ && marked_ ? kResetRoom : 0;
  if (!unit_.isEmpty()) right += QFontMetrics(textFont()).horizontalAdvance(unit_) + 4;
  setTextMargins(0, 0, right, 0);
  update();
}

bool NumberEdit::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && !field_->hasUncommittedText() &&
      isUndoOrRedo(*static_cast<QKeyEvent*>(event))) {
    event->ignore();
    return false;
  }
  return QLineEdit::event(event);
}

void NumberEdit::keyPressEvent(QKeyEvent* event) {
  if (isUndoOrRedo(*event) && !field_->hasUncommittedText()) {
    event->ignore();
    return;
  }
  const int factor = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
  switch (event->key()) {
    case Qt::Key_Up:
      field_->stepBy(factor);
      return;
    case Qt::Key_Down:
      field_->stepBy(-factor);
      return;
    case Qt::Key_PageUp:
      field_->stepBy(10);
      return;
    case Qt::Key_PageDown:
      field_->stepBy(-10);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      field_->finishStepping();
      if (field_->commit()) selectAll();
      return;
    case Qt::Key_Escape:
      if (field_->hasUncommittedText() || !field_->error().isEmpty()) {
        field_->setValue(field_->value());
        selectAll();
        return;
      }
      break;
    default:
      break;
  }
  QLineEdit::keyPressEvent(event);
}

void NumberEdit::wheelEvent(QWheelEvent* event) {
  // Without the focus the wheel scrolls the form that the field stands in.
  if (!hasFocus() || isReadOnly()) {
    event->ignore();
    return;
  }
  wheelRest_ += event->angleDelta().y();
  const int steps = wheelRest_ / kNotch;
  wheelRest_ -= steps * kNotch;
  if (steps != 0) field_->stepBy(steps);
  event->accept();
}

void NumberEdit::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  if (event->reason() == Qt::PopupFocusReason) return;
  field_->finishStepping();
  field_->commit();
}

void NumberEdit::paintEvent(QPaintEvent* event) {
  QLineEdit::paintEvent(event);
  const Theme& theme = currentTheme();
  QPainter painter(this);
  int right = width() - 8;
  if (resettable_ && marked_) {
    const QRectF dot(width() - kResetRoom, (height() - 5) / 2.0, 5, 5);
    paint::box(painter, dot, theme.accent, {}, 2.5);
    right = width() - kResetRoom - 4;
  }
  if (unit_.isEmpty()) return;
  painter.setPen(isEnabled() ? theme.secondary
                             : palette().color(QPalette::Disabled, QPalette::Text));
  painter.setFont(textFont());
  painter.drawText(QRect(0, 0, right, height()), Qt::AlignRight | Qt::AlignVCenter, unit_);
}

}  // namespace tenon::ui
