// SPDX-License-Identifier: GPL-3.0-or-later
// A combo box within a form that scrolls: without the focus the wheel scrolls the form, not the
// choice.
#pragma once

#include <QComboBox>
#include <QWheelEvent>

namespace tenon::ui {

/// As wide as its place: a long name in the list does not widen the panel.
class QuietComboBox final : public QComboBox {
 public:
  explicit QuietComboBox(QWidget* parent = nullptr) : QComboBox(parent) {
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(8);
    setFocusPolicy(Qt::StrongFocus);
  }

 protected:
  void wheelEvent(QWheelEvent* event) override {
    if (hasFocus()) {
      QComboBox::wheelEvent(event);
    } else {
      event->ignore();
    }
  }
};

}  // namespace tenon::ui
