// SPDX-License-Identifier: GPL-3.0-or-later
// How TenonStyle draws single controls; each function paints one element flat in tokens.
#pragma once

#include <QStyleOption>

#include "ui/widgets/theme.h"

class QPainter;
class QProxyStyle;
class QWidget;

namespace tenon::ui::style {

/// What every drawing function needs.
struct Canvas {
  const Theme& theme;
  QPainter& painter;
  const QWidget* widget;
};

[[nodiscard]] inline bool isOn(const QStyleOption& option, QStyle::StateFlag flag) {
  return option.state.testFlag(flag);
}
[[nodiscard]] bool isEnabled(const QStyleOption& option);
[[nodiscard]] bool isHovered(const QStyleOption& option);
/// Focus that came by a key, the only focus that buttons show.
[[nodiscard]] bool hasKeyFocus(const QStyleOption& option);
[[nodiscard]] bool isFlagged(const QWidget* widget, const char* property);

// Buttons (style_buttons.cpp)
void pushButton(const Canvas& c, const QStyleOptionButton& option, const QProxyStyle& style);
void toolButton(const Canvas& c, const QStyleOptionToolButton& option, const QProxyStyle& style);
void toolPanel(const Canvas& c, const QStyleOption& option);
void checkBox(const Canvas& c, const QStyleOption& option);
void radioButton(const Canvas& c, const QStyleOption& option);
/// Label of a check box or a radio button, shortened to the room it has.
[[nodiscard]] QStyleOptionButton fittedLabel(const QStyleOptionButton& option);

// Fields and gauges (style_fields.cpp)
void lineEdit(const Canvas& c, const QStyleOptionFrame& option);
void comboBox(const Canvas& c, const QStyleOptionComboBox& option);
/// A combo box's current text, shortened to the room it has.
[[nodiscard]] QStyleOptionComboBox fittedLabel(const QStyleOptionComboBox& option,
                                               const QProxyStyle& style, const QWidget* widget);
void spinBox(const Canvas& c, const QStyleOptionSpinBox& option, const QProxyStyle& style);
void slider(const Canvas& c, const QStyleOptionSlider& option, const QProxyStyle& style);
void scrollBar(const Canvas& c, const QStyleOptionSlider& option, const QProxyStyle& style);
void progressBar(const Canvas& c, const QStyleOptionProgressBar& option);
void progressGroove(const Canvas& c, const QStyleOptionProgressBar& option);
void progressContents(const Canvas& c, const QStyleOptionProgressBar& option);
void progressLabel(const Canvas& c, const QStyleOptionProgressBar& option);
[[nodiscard]] QRect scrollBarPart(const QStyleOptionSlider& option, QStyle::SubControl part);
[[nodiscard]] QRect progressPart(const QStyleOptionProgressBar& option, QStyle::SubElement part);
/// What lies behind a scroll bar: the ground of the view it belongs to.
[[nodiscard]] QColor groundBehind(const QWidget* widget, const Theme& theme);

// Frames, bars and rows (style_frames.cpp)
void menuItem(const Canvas& c, const QStyleOptionMenuItem& option, const QProxyStyle& style);
void menuBarItem(const Canvas& c, const QStyleOptionMenuItem& option, const QProxyStyle& style);
void tabShape(const Canvas& c, const QStyleOptionTab& option);
void tabBase(const Canvas& c, const QStyleOptionTabBarBase& option);
/// A whole section: ground, label, sort arrow.
void header(const Canvas& c, const QStyleOptionHeader& option);
/// Label or sort arrow of a section; the arrow stands at the right end.
[[nodiscard]] QRect headerPart(const QStyleOptionHeader& option, bool arrow);
void headerSection(const Canvas& c, const QStyleOptionHeader& option);
void headerLabel(const Canvas& c, const QStyleOptionHeader& option);
void dockTitle(const Canvas& c, const QStyleOptionDockWidget& option, const QProxyStyle& style);
void separator(const Canvas& c, const QStyleOption& option);
void itemPanel(const Canvas& c, const QStyleOptionViewItem& option);
void branch(const Canvas& c, const QStyleOption& option);
void frame(const Canvas& c, const QStyleOption& option);
void shapedFrame(const Canvas& c, const QStyleOptionFrame& option);
void rubberBand(const Canvas& c, const QStyleOption& option);
void groupBox(const Canvas& c, const QStyleOptionGroupBox& option, const QProxyStyle& style);

}  // namespace tenon::ui::style
