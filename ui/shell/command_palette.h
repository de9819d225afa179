// SPDX-License-Identifier: GPL-3.0-or-later
// The palette that finds every action by name (Ctrl+K).
#pragma once

#include <QAction>
#include <QFrame>
#include <QList>
#include <QString>

class QLineEdit;
class QListWidget;

namespace tenon::ui {

/// How well a text fits what was typed: letters in order, word beginnings first. Below 0: not.
[[nodiscard]] int matchScore(const QString& typed, const QString& text);

/// A popup in the upper middle of its window. Enter triggers, Escape leaves.
class CommandPalette final : public QFrame {
  Q_OBJECT
 public:
  explicit CommandPalette(QWidget* window);

  /// Shows the palette over these actions; disabled ones are shown grey and cannot be chosen.
  void open(const QList<QAction*>& actions);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& typed);
  void trigger();

  QLineEdit* line_;
  QListWidget* list_;
  QList<QAction*> actions_;
};

}  // namespace tenon::ui
