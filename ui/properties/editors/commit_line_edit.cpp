// SPDX-License-Identifier: GPL-3.0-or-later
// A line of text that is taken as a whole.
#include "ui/properties/editors/commit_line_edit.h"

#include <QKeyEvent>

namespace tenon::ui {

CommitLineEdit::CommitLineEdit(QWidget* parent) : QLineEdit(parent) {
  connect(this, &QLineEdit::editingFinished, this, [this] {
    if (hasUncommittedText()) Q_EMIT committed(text());
  });
}

void CommitLineEdit::setTaken(const QString& text) {
  taken_ = text;
  if (text == this->text()) return;
  setText(text);
  if (!hasFocus()) setCursorPosition(0);  // of a long text the beginning is seen
}

bool CommitLineEdit::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && !hasUncommittedText()) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
      event->ignore();  // the window's undo
      return false;
    }
  }
  return QLineEdit::event(event);
}

void CommitLineEdit::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && hasUncommittedText()) {
    setText(taken_);
    selectAll();
    event->accept();
    return;
  }
  if (!hasUncommittedText() &&
      (event->matches(QKeySequence::Undo) || event->matches(QKeySequence::Redo))) {
    event->ignore();
    return;
  }
  QLineEdit::keyPressEvent(event);
  // What a line edit leaves over presses a button of the dialog it stands in.
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) event->accept();
}

}  // namespace tenon::ui
