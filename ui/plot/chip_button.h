// SPDX-License-Identifier: GPL-3.0-or-later
// A small labelled button that lies on a plot.
#pragma once

#include <QAbstractButton>

#include "ui/plot/palette.h"

namespace tenon::ui {

class ChipButton : public QAbstractButton {
  Q_OBJECT

 public:
  explicit ChipButton(QWidget* parent = nullptr);
  void setTheme(const PlotTheme& theme);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  PlotTheme theme_;
};

}  // namespace tenon::ui
