// SPDX-License-Identifier: GPL-3.0-or-later
// What a widget really writes on the screen: its painting is done once more on a device that keeps
// texts instead of pixels. So also widgets that paint by themselves are read.
#pragma once

#include <QColor>
#include <QList>
#include <QRectF>
#include <QString>

class QWidget;

namespace tenon::screens {

/// One line of text as painted.
struct DrawnText {
  QString text;
  QRectF box;    ///< advance times line height, in the widget's coordinates
  QRectF shown;  ///< what the painter's clip leaves of it
  QColor color;
};

/// The texts of a widget without those of its children, in the order painted. Text that a widget
/// keeps in a picture of its own is not seen; see pictureTexts().
[[nodiscard]] QList<DrawnText> drawnTexts(QWidget& widget);

/// The texts of a plot, which paints into a picture; boxes are empty.
[[nodiscard]] QList<DrawnText> pictureTexts(QWidget& widget);

}  // namespace tenon::screens
