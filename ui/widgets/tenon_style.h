// SPDX-License-Identifier: GPL-3.0-or-later
// The one style of the program: Fusion's behaviour, drawn flat in theme tokens.
#pragma once

#include <QProxyStyle>

#include "ui/widgets/theme.h"

namespace tenon::ui {

class CutTextTips;

/// Dynamic property of a field whose text is refused: it gets the colour of errors.
inline constexpr const char* kInvalidProperty = "invalid";

class TenonStyle final : public QProxyStyle {
  Q_OBJECT
 public:
  explicit TenonStyle(const Theme& theme);

  [[nodiscard]] const Theme& theme() const { return *theme_; }
  /// `theme` must live as long as the program (Theme::dark() or light()).
  void setTheme(const Theme& theme) { theme_ = &theme; }

  void polish(QWidget* widget) override;
  using QProxyStyle::polish;
  void unpolish(QWidget* widget) override;
  using QProxyStyle::unpolish;
  [[nodiscard]] QPalette standardPalette() const override;

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                          QPainter* painter, const QWidget* widget) const override;

  [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option,
                                const QWidget* widget) const override;
  [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                              QStyleHintReturn* data) const override;
  [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption* option,
                                       const QSize& size, const QWidget* widget) const override;
  [[nodiscard]] QRect subElementRect(SubElement element, const QStyleOption* option,
                                     const QWidget* widget) const override;
  [[nodiscard]] QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                     SubControl part, const QWidget* widget) const override;
  [[nodiscard]] QIcon standardIcon(StandardPixmap icon, const QStyleOption* option,
                                   const QWidget* widget) const override;

 private:
  const Theme* theme_;
  CutTextTips* cutTips_;
};

}  // namespace tenon::ui
