// SPDX-License-Identifier: GPL-3.0-or-later
// The few shapes that all controls are drawn of.
#pragma once

#include <QColor>
#include <QPainter>
#include <QPixmap>

#include "ui/widgets/theme.h"

class QWidget;

namespace tenon::ui::paint {

/// A rounded box; an invalid fill or border leaves that part out. The border lies within the
/// rectangle.
void box(QPainter& painter, const QRectF& rect, const QColor& fill, const QColor& border = {},
         double radius = measure::kCorner);
/// The 2 px focus ring, within the rectangle.
void focusRing(QPainter& painter, const QRectF& rect, const Theme& theme,
               double radius = measure::kCorner);
/// A small arrow head in the middle of the rectangle.
void chevron(QPainter& painter, const QRectF& rect, Qt::ArrowType direction, const QColor& color,
             double size = 8);
/// A check mark in the middle of a 16 px box.
void tick(QPainter& painter, const QRectF& rect, const QColor& color);
void horizontalLine(QPainter& painter, int x1, int x2, int y, const QColor& color);
void verticalLine(QPainter& painter, int x, int y1, int y2, const QColor& color);
/// Whether a widget has the focus and a person moves it by keys: only then a ring helps.
[[nodiscard]] bool hasKeyFocus(const QWidget& widget);
/// The same shape in one colour.
[[nodiscard]] QPixmap tinted(QPixmap pixmap, const QColor& color);
/// A muted line of text in the middle of a view.
void placeholder(QPainter& painter, const QRect& rect, const QString& text, const Theme& theme);

}  // namespace tenon::ui::paint
