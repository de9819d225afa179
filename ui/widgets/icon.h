// SPDX-License-Identifier: GPL-3.0-or-later
// Our own icons: SVG strokes painted in a theme colour, sharp at every scale, repainted when the
// theme changes.
#pragma once

#include <QIcon>
#include <QPixmap>
#include <QString>
#include <QStringList>

#include "ui/widgets/theme.h"

namespace tenon::ui {

/// Icon of resources/icons/NAME.svg; follows the theme by itself. An unknown name gives the icon
/// "layer".
[[nodiscard]] QIcon icon(const QString& name, Tint tint = Tint::Text);
/// One picture in a fixed colour, `size` logical pixels square, for hand-painted places.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QColor& color, int size,
                                 qreal devicePixelRatio);
[[nodiscard]] bool hasIcon(const QString& name);
/// All names, sorted.
[[nodiscard]] QStringList iconNames();

}  // namespace tenon::ui
