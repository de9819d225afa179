// SPDX-License-Identifier: GPL-3.0-or-later
// What the pressed mouse is doing on the canvas.
#pragma once

#include <QHash>
#include <QPoint>
#include <QPointF>
#include <QStringList>

#include "ui/graphview/graph_scene.h"

namespace tenon::ui {

struct GraphDrag {
  enum class Kind { None, Pan, Band, Nodes, Wire };

  Kind kind = Kind::None;
  QPoint origin;  ///< viewport
  QPoint last;    ///< viewport
  QPointF sceneOrigin;
  bool started = false;  ///< moved far enough to be no click
  // Nodes
  QString pressed;
  bool narrowsOnRelease = false;  ///< a click on one of several selected leaves only that one
  bool follows = false;           ///< the click leads somewhere else
  QHash<QString, QPointF> before;
  // Band
  QStringList kept;
  // Wire
  PortHit from;
  PortHit target;
  QPointF end;
};

}  // namespace tenon::ui
