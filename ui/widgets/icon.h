// SPDX-License-Identifier: GPL-3.0-or-later
// Our own icons: SVG strokes painted in a theme colour, sharp at every scale, repainted when the
// theme changes.
#pragma once

#include <QIcon>
#include <QPixmap>
#include <QString>
#include <QStringList>

namespace tenon::ui {

/// Which token an icon is painted in.
enum class Tint {
  Text,
  Secondary,
  Accent,
  AccentText,
  Good,
  Bad,
  Warn,
  Series0,
  Series1,
  Series2,
  Series3,
  Series4,
  Series5,
  Series6,
  Series7
};

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
