// SPDX-License-Identifier: GPL-3.0-or-later
// Dispatches Qt's style elements to the drawing functions of style_parts.h.
#include "ui/widgets/tenon_style.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>

#include "ui/widgets/cut_text.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/style_parts.h"

namespace tenon::ui {
namespace {

/// Calls `draw` with the option as its real type; false when it is of another.
template <class Option, class Draw>
bool with(const QStyleOption* option, Draw&& draw) {
  const auto* typed = qstyleoption_cast<const Option*>(option);
  if (!typed) return false;
  draw(*typed);
  return true;
}

Qt::ArrowType arrowOf(QStyle::PrimitiveElement element) {
  switch (element) {
    case QStyle::PE_IndicatorArrowUp:
    case QStyle::PE_IndicatorSpinUp:
      return Qt::UpArrow;
    case QStyle::PE_IndicatorArrowLeft:
      return Qt::LeftArrow;
    case QStyle::PE_IndicatorArrowRight:
      return Qt::RightArrow;
    default:
      return Qt::DownArrow;
  }
}

bool drawIndicator(const style::Canvas& c, QStyle::PrimitiveElement element,
                   const QStyleOption& option) {
  switch (element) {
    case QStyle::PE_IndicatorCheckBox:
    case QStyle::PE_IndicatorItemViewItemCheck:
      style::checkBox(c, option);
      return true;
    case QStyle::PE_IndicatorRadioButton:
      style::radioButton(c, option);
      return true;
    case QStyle::PE_IndicatorBranch:
      style::branch(c, option);
      return true;
    case QStyle::PE_IndicatorArrowUp:
    case QStyle::PE_IndicatorArrowDown:
    case QStyle::PE_IndicatorArrowLeft:
    case QStyle::PE_IndicatorArrowRight:
    case QStyle::PE_IndicatorButtonDropDown: {
      const bool enabled = style::isEnabled(option);
      paint::chevron(c.painter, option.rect, arrowOf(element),
                     enabled ? c.theme.secondary : c.theme.hairline, 7);
      return true;
    }
    case QStyle::PE_IndicatorHeaderArrow:
      return with<QStyleOptionHeader>(&option, [&](const QStyleOptionHeader& header) {
        if (header.sortIndicator == QStyleOptionHeader::None) return;
        // Qt calls ascending "down"; people read an arrow up as ascending.
        const bool up = header.sortIndicator == QStyleOptionHeader::SortDown;
        paint::chevron(c.painter, option.rect, up ? Qt::UpArrow : Qt::DownArrow, c.theme.text, 7);
      });
    case QStyle::PE_IndicatorDockWidgetResizeHandle:
      style::separator(c, option);
      return true;
    case QStyle::PE_IndicatorToolBarSeparator: {
      const QRect r = option.rect;
      if (option.state.testFlag(QStyle::State_Horizontal)) {
        paint::verticalLine(c.painter, r.center().x(), r.top() + 6, r.bottom() - 6,
                            c.theme.hairline);
      } else {
        paint::horizontalLine(c.painter, r.left() + 6, r.right() - 6, r.center().y(),
                              c.theme.hairline);
      }
      return true;
    }
    case QStyle::PE_IndicatorTabClose: {
      style::toolPanel(c, option);
      const QIcon cross =
          c.widget ? c.widget->style()->standardIcon(QStyle::SP_TitleBarCloseButton) : QIcon();
      QRect place(0, 0, measure::kIconSmall - 4, measure::kIconSmall - 4);
      place.moveCenter(option.rect.center());
      cross.paint(&c.painter, place);
      return true;
    }
    default:
      return false;
  }
}

bool drawFrame(const style::Canvas& c, QStyle::PrimitiveElement element,
               const QStyleOption& option) {
  const Theme& t = c.theme;
  switch (element) {
    case QStyle::PE_PanelButtonTool:
      style::toolPanel(c, option);
      return true;
    case QStyle::PE_PanelLineEdit:
    case QStyle::PE_FrameLineEdit:
      return with<QStyleOptionFrame>(
          &option, [&](const QStyleOptionFrame& frame) { style::lineEdit(c, frame); });
    case QStyle::PE_PanelItemViewItem:
      return with<QStyleOptionViewItem>(
          &option, [&](const QStyleOptionViewItem& item) { style::itemPanel(c, item); });
    case QStyle::PE_FrameTabBarBase:
      return with<QStyleOptionTabBarBase>(
          &option, [&](const QStyleOptionTabBarBase& base) { style::tabBase(c, base); });
    case QStyle::PE_Frame:
    case QStyle::PE_FrameWindow:
      style::frame(c, option);
      return true;
    case QStyle::PE_FrameDockWidget:
    case QStyle::PE_FrameGroupBox:
    case QStyle::PE_FrameStatusBarItem:
    case QStyle::PE_FrameTabWidget:
    case QStyle::PE_FrameButtonTool:
    case QStyle::PE_FrameButtonBevel:
    case QStyle::PE_FrameMenu:
      if (element == QStyle::PE_FrameMenu) {
        paint::box(c.painter, option.rect, QColor(), t.hairline, 0.5);
      }
      return true;
    case QStyle::PE_PanelMenu:
    case QStyle::PE_PanelTipLabel:
      paint::box(c.painter, option.rect, t.raised, t.hairline, 0.5);
      return true;
    case QStyle::PE_PanelScrollAreaCorner:
      c.painter.fillRect(option.rect, style::groundBehind(c.widget, t));
      return true;
    case QStyle::PE_FrameFocusRect:
      if (option.state.testFlag(QStyle::State_KeyboardFocusChange)) {
        paint::focusRing(c.painter, option.rect, t, 3);
      }
      return true;
    default:
      return false;
  }
}

bool drawButtonControl(const style::Canvas& c, QStyle::ControlElement element,
                       const QStyleOption* option, const QProxyStyle& style) {
  switch (element) {
    case QStyle::CE_PushButton:
      return with<QStyleOptionButton>(
          option, [&](const QStyleOptionButton& o) { style::pushButton(c, o, style); });
    case QStyle::CE_MenuItem:
      return with<QStyleOptionMenuItem>(
          option, [&](const QStyleOptionMenuItem& o) { style::menuItem(c, o, style); });
    case QStyle::CE_MenuBarItem:
      return with<QStyleOptionMenuItem>(
          option, [&](const QStyleOptionMenuItem& o) { style::menuBarItem(c, o, style); });
    case QStyle::CE_ProgressBar:
      return with<QStyleOptionProgressBar>(
          option, [&](const QStyleOptionProgressBar& o) { style::progressBar(c, o); });
    case QStyle::CE_ProgressBarGroove:
      return with<QStyleOptionProgressBar>(
          option, [&](const QStyleOptionProgressBar& o) { style::progressGroove(c, o); });
    case QStyle::CE_ProgressBarContents:
      return with<QStyleOptionProgressBar>(
          option, [&](const QStyleOptionProgressBar& o) { style::progressContents(c, o); });
    case QStyle::CE_ProgressBarLabel:
      return with<QStyleOptionProgressBar>(
          option, [&](const QStyleOptionProgressBar& o) { style::progressLabel(c, o); });
    default:
      return false;
  }
}

bool drawFrameControl(const style::Canvas& c, QStyle::ControlElement element,
                      const QStyleOption* option, const QProxyStyle& style) {
  switch (element) {
    case QStyle::CE_TabBarTabShape:
      return with<QStyleOptionTab>(option,
                                   [&](const QStyleOptionTab& o) { style::tabShape(c, o); });
    case QStyle::CE_Header:
      return with<QStyleOptionHeader>(option,
                                      [&](const QStyleOptionHeader& o) { style::header(c, o); });
    case QStyle::CE_HeaderSection:
      return with<QStyleOptionHeader>(
          option, [&](const QStyleOptionHeader& o) { style::headerSection(c, o); });
    case QStyle::CE_HeaderLabel:
      return with<QStyleOptionHeader>(
          option, [&](const QStyleOptionHeader& o) { style::headerLabel(c, o); });
    case QStyle::CE_HeaderEmptyArea:
      c.painter.fillRect(option->rect, c.theme.surface);
      paint::horizontalLine(c.painter, option->rect.left(), option->rect.right(),
                            option->rect.bottom(), c.theme.hairline);
      return true;
    case QStyle::CE_DockWidgetTitle:
      return with<QStyleOptionDockWidget>(
          option, [&](const QStyleOptionDockWidget& o) { style::dockTitle(c, o, style); });
    case QStyle::CE_Splitter:
      style::separator(c, *option);
      return true;
    case QStyle::CE_ShapedFrame:
      return with<QStyleOptionFrame>(option,
                                     [&](const QStyleOptionFrame& o) { style::shapedFrame(c, o); });
    case QStyle::CE_RubberBand:
      style::rubberBand(c, *option);
      return true;
    case QStyle::CE_ToolBar:
    case QStyle::CE_MenuBarEmptyArea:
      c.painter.fillRect(option->rect, c.theme.surface);
      return true;
    case QStyle::CE_SizeGrip:
      return true;
    default:
      return false;
  }
}

}  // namespace

TenonStyle::TenonStyle(const Theme& theme)
    : QProxyStyle(QStringLiteral("fusion")), theme_(&theme), cutTips_(new CutTextTips(this)) {}

QPalette TenonStyle::standardPalette() const { return theme_->palette(); }

void TenonStyle::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  const bool lively = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
                      qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QLineEdit*>(widget) ||
                      qobject_cast<QScrollBar*>(widget) || qobject_cast<QSlider*>(widget) ||
                      qobject_cast<QTabBar*>(widget);
  if (lively) widget->setAttribute(Qt::WA_Hover);
  if (mayCutText(*widget)) widget->installEventFilter(cutTips_);
}

void TenonStyle::unpolish(QWidget* widget) {
  widget->removeEventFilter(cutTips_);
  QProxyStyle::unpolish(widget);
}

void TenonStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                               QPainter* painter, const QWidget* widget) const {
  const style::Canvas c{*theme_, *painter, widget};
  if (drawIndicator(c, element, *option) || drawFrame(c, element, *option)) return;
  QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void TenonStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
  const style::Canvas c{*theme_, *painter, widget};
  if (drawButtonControl(c, element, option, *this)) return;
  if (drawFrameControl(c, element, option, *this)) return;
  const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
  if (element == CE_ComboBoxLabel && box) {
    const QStyleOptionComboBox shown = style::fittedLabel(*box, *this, widget);
    QProxyStyle::drawControl(element, &shown, painter, widget);
    return;
  }
  const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
  if ((element == CE_CheckBoxLabel || element == CE_RadioButtonLabel) && button) {
    const QStyleOptionButton shown = style::fittedLabel(*button);
    QProxyStyle::drawControl(element, &shown, painter, widget);
    return;
  }
  const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
  if (element == CE_TabBarTabLabel && tab) {
    QStyleOptionTab muted(*tab);
    // tabShape draws the ring around the whole tab.
    muted.state &= ~State_HasFocus;
    if (!tab->state.testFlag(State_Selected) && tab->state.testFlag(State_Enabled)) {
      muted.palette.setColor(QPalette::WindowText, theme_->secondary);
    }
    QProxyStyle::drawControl(element, &muted, painter, widget);
    return;
  }
  QProxyStyle::drawControl(element, option, painter, widget);
}

void TenonStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                    QPainter* painter, const QWidget* widget) const {
  const style::Canvas c{*theme_, *painter, widget};
  bool done = false;
  switch (control) {
    case CC_ComboBox:
      done = with<QStyleOptionComboBox>(
          option, [&](const QStyleOptionComboBox& o) { style::comboBox(c, o); });
      break;
    case CC_SpinBox:
      done = with<QStyleOptionSpinBox>(
          option, [&](const QStyleOptionSpinBox& o) { style::spinBox(c, o, *this); });
      break;
    case CC_Slider:
      done = with<QStyleOptionSlider>(
          option, [&](const QStyleOptionSlider& o) { style::slider(c, o, *this); });
      break;
    case CC_ScrollBar:
      done = with<QStyleOptionSlider>(
          option, [&](const QStyleOptionSlider& o) { style::scrollBar(c, o, *this); });
      break;
    case CC_ToolButton:
      done = with<QStyleOptionToolButton>(
          option, [&](const QStyleOptionToolButton& o) { style::toolButton(c, o, *this); });
      break;
    case CC_GroupBox:
      done = with<QStyleOptionGroupBox>(
          option, [&](const QStyleOptionGroupBox& o) { style::groupBox(c, o, *this); });
      break;
    default:
      break;
  }
  if (!done) QProxyStyle::drawComplexControl(control, option, painter, widget);
}

}  // namespace tenon::ui
