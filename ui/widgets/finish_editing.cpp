// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the focus from a field and gives it back.
#include "ui/widgets/finish_editing.h"

#include <QApplication>
#include <QPointer>
#include <QWidget>

namespace tenon::ui {

void finishEditing(QWidget& form) {
  const QPointer<QWidget> field = QApplication::focusWidget();
  if (!field || (field != &form && !form.isAncestorOf(field))) return;
  if (!field->testAttribute(Qt::WA_InputMethodEnabled)) return;  // holds no text
  field->clearFocus();
  if (field && !QApplication::focusWidget()) field->setFocus(Qt::OtherFocusReason);
}

}  // namespace tenon::ui
