// SPDX-License-Identifier: GPL-3.0-or-later
// A form that scrolls up and down and is never cut at its right.
#pragma once

#include <QScrollArea>

namespace tenon::ui {

/// Its least width is that of the form with a scroll bar beside it, so that docks keep to it.
class FormScroll final : public QScrollArea {
  Q_OBJECT
 public:
  explicit FormScroll(QWidget* form, QWidget* parent = nullptr);

  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace tenon::ui
