// SPDX-License-Identifier: GPL-3.0-or-later
// The titled frames around groups of nodes.
#pragma once

#include <QGraphicsItem>

#include "ui/graphview/graph_data.h"

namespace tenon::ui {

class GraphScene;

class GroupLayer final : public QGraphicsItem {
 public:
  explicit GroupLayer(const GraphScene& scene);

  /// Measures the frames anew from where the nodes stand.
  void refresh();

  /// Whether a frame lies under the point.
  [[nodiscard]] bool covers(const QPointF& point) const;
  /// Ground within a frame.
  [[nodiscard]] QColor fill() const;

  [[nodiscard]] QRectF boundingRect() const override { return bounds_; }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  struct Frame {
    QString title;
    QRectF rect;
  };

  const GraphScene& scene_;
  QList<Frame> frames_;
  QRectF bounds_;
};

}  // namespace tenon::ui
