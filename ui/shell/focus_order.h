// SPDX-License-Identifier: GPL-3.0-or-later
// FocusOrder: Tab goes through every window of the program as a person reads it.
#pragma once

#include <QList>
#include <QObject>
#include <QTimer>

class QWidget;

namespace tenon::ui {

/// What Tab stops at in a window as it is laid out, by place: rows from top to bottom, in a row
/// from left to right, where the window is parted into columns one after the other. What is hidden,
/// also behind another dock's tab, is left out.
[[nodiscard]] QList<QWidget*> readingOrder(QWidget& window);

/**
 * Qt chains widgets in the order they were made, but docks move, forms fill and legends grow later.
 * While this lives, what is shown, moved or resized brings the chain of all windows in order again.
 */
class FocusOrder final : public QObject {
  Q_OBJECT
 public:
  explicit FocusOrder(QObject* parent = nullptr);

  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QTimer due_;
};

}  // namespace tenon::ui
