// SPDX-License-Identifier: GPL-3.0-or-later
// The small picture of the whole graph in the corner of the canvas; a click or drag goes there.
#pragma once

#include <QPixmap>
#include <QTransform>
#include <QWidget>

namespace tenon::ui {

class GraphScene;
class GraphView;

class Minimap final : public QWidget {
  Q_OBJECT
 public:
  static constexpr QSize kSize{160, 100};

  Minimap(GraphView& view, const GraphScene& scene);

  /// Nodes changed: the picture is drawn anew at the next paint.
  void invalidate();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  void redraw();
  void goTo(const QPointF& at);

  GraphView& view_;
  const GraphScene& scene_;
  QPixmap picture_;
  QTransform toScene_;
  bool stale_ = true;
};

}  // namespace tenon::ui
