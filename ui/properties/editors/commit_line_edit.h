// SPDX-License-Identifier: GPL-3.0-or-later
// A line of text that is taken as a whole and leaves undo to the window while nothing was typed.
#pragma once

#include <QLineEdit>

namespace tenon::ui {

/// committed() comes on Enter or when the focus leaves, if the text differs from the one shown.
class CommitLineEdit : public QLineEdit {
  Q_OBJECT
 public:
  explicit CommitLineEdit(QWidget* parent = nullptr);
  /// Sets the text that counts as taken.
  void setTaken(const QString& text);
  [[nodiscard]] bool hasUncommittedText() const { return text() != taken_; }

 Q_SIGNALS:
  void committed(const QString& text);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QString taken_;
};

}  // namespace tenon::ui
