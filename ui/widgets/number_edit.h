// SPDX-License-Identifier: GPL-3.0-or-later
// The line edit within a NumberField: keys, wheel, the unit and the mark of a changed value.
#pragma once

#include <QLineEdit>

namespace tenon::ui {

class NumberField;

class NumberEdit final : public QLineEdit {
  Q_OBJECT
 public:
  explicit NumberEdit(NumberField* field);

  void setUnit(const QString& unit);
  /// Keeps room for the reset arrow at the right.
  void setResettable(bool resettable);
  /// Shows the dot that says "not the default".
  void setMarked(bool marked);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void updateMargins();

  NumberField* field_;
  QString unit_;
  bool resettable_ = false;
  bool marked_ = false;
  int wheelRest_ = 0;
};

}  // namespace tenon::ui
