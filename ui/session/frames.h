// SPDX-License-Identifier: GPL-3.0-or-later
// Which frame of a project's canvas a layer stands in.
#pragma once

#include <QPointF>
#include <QSizeF>
#include <QString>

#include "engine/project/specs.h"

namespace tenon::ui {

/// Id of the frame that holds the middle of a node whose top left corner is there; empty if none.
[[nodiscard]] QString frameAt(const LayoutSpec& layout, const QPointF& corner, const QSizeF& node);

}  // namespace tenon::ui
