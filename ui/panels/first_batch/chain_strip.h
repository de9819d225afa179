// SPDX-License-Identifier: GPL-3.0-or-later
// One sample before and after each transform, from left to right.
#pragma once

#include <QList>
#include <QWidget>

#include "ui/panels/first_batch/batch_facts.h"

namespace tenon::ui {

class ChainStrip final : public QWidget {
  Q_OBJECT
 public:
  explicit ChainStrip(QWidget* parent = nullptr);

  void setStages(const QList<BatchStage>& stages);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] QRect cell(int stage) const;
  void paintStage(QPainter& painter, const QRect& room, const BatchStage& stage) const;

  QList<BatchStage> stages_;
};

/// "0 … 255"
[[nodiscard]] QString rangeText(const ValueFacts& facts);

}  // namespace tenon::ui
