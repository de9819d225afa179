// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes, places, hints and standard icons of TenonStyle.
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QStyleOption>
#include <algorithm>
#include <array>

#include "ui/widgets/icon.h"
#include "ui/widgets/style_parts.h"
#include "ui/widgets/tenon_style.h"

namespace tenon::ui {
namespace {

constexpr int kMenuExtra = 28 + 28;

struct Metric {
  QStyle::PixelMetric metric;
  int value;
};

constexpr std::array kMetrics{
    Metric{QStyle::PM_ScrollBarExtent, 12},
    Metric{QStyle::PM_ScrollBarSliderMin, 28},
    Metric{QStyle::PM_ScrollView_ScrollBarOverlap, 0},
    Metric{QStyle::PM_ScrollView_ScrollBarSpacing, 0},
    Metric{QStyle::PM_TabBarBaseOverlap, 0},
    Metric{QStyle::PM_TabBarTabShiftVertical, 0},
    Metric{QStyle::PM_TabBarTabShiftHorizontal, 0},
    Metric{QStyle::PM_TabBarTabOverlap, 0},
    Metric{QStyle::PM_TabBarTabHSpace, 24},
    Metric{QStyle::PM_TabBarTabVSpace, 10},
    Metric{QStyle::PM_ButtonShiftHorizontal, 0},
    Metric{QStyle::PM_ButtonShiftVertical, 0},
    Metric{QStyle::PM_ToolBarFrameWidth, 0},
    Metric{QStyle::PM_ToolBarItemSpacing, measure::kGap1},
    Metric{QStyle::PM_ToolBarItemMargin, 2},
    Metric{QStyle::PM_ToolBarIconSize, measure::kIcon},
    Metric{QStyle::PM_MenuBarPanelWidth, 0},
    Metric{QStyle::PM_MenuBarItemSpacing, 2},
    Metric{QStyle::PM_MenuPanelWidth, 1},
    Metric{QStyle::PM_MenuVMargin, 3},
    Metric{QStyle::PM_MenuHMargin, 0},
    Metric{QStyle::PM_DockWidgetFrameWidth, 0},
    Metric{QStyle::PM_DockWidgetSeparatorExtent, 5},
    Metric{QStyle::PM_DockWidgetTitleMargin, 4},
    Metric{QStyle::PM_DockWidgetTitleBarButtonMargin, 4},
    Metric{QStyle::PM_SplitterWidth, 5},
    Metric{QStyle::PM_IndicatorWidth, measure::kIconSmall},
    Metric{QStyle::PM_IndicatorHeight, measure::kIconSmall},
    Metric{QStyle::PM_ExclusiveIndicatorWidth, measure::kIconSmall},
    Metric{QStyle::PM_ExclusiveIndicatorHeight, measure::kIconSmall},
    Metric{QStyle::PM_SmallIconSize, measure::kIconSmall},
    Metric{QStyle::PM_ButtonIconSize, measure::kIconSmall},
    Metric{QStyle::PM_ListViewIconSize, measure::kIconSmall},
    Metric{QStyle::PM_TabBarIconSize, measure::kIconSmall},
    Metric{QStyle::PM_TabCloseIndicatorWidth, measure::kRow},
    Metric{QStyle::PM_TabCloseIndicatorHeight, measure::kRow},
    Metric{QStyle::PM_FocusFrameHMargin, 5},
    Metric{QStyle::PM_HeaderMargin, 6},
    Metric{QStyle::PM_HeaderMarkSize, 10},
    Metric{QStyle::PM_SliderThickness, 20},
    Metric{QStyle::PM_SliderControlThickness, 20},
    Metric{QStyle::PM_SliderLength, 14},
    Metric{QStyle::PM_LayoutLeftMargin, measure::kGap3},
    Metric{QStyle::PM_LayoutTopMargin, measure::kGap3},
    Metric{QStyle::PM_LayoutRightMargin, measure::kGap3},
    Metric{QStyle::PM_LayoutBottomMargin, measure::kGap3},
    Metric{QStyle::PM_LayoutHorizontalSpacing, measure::kGap2},
    Metric{QStyle::PM_LayoutVerticalSpacing, measure::kGap2},
    Metric{QStyle::PM_CheckBoxLabelSpacing, measure::kGap2},
    Metric{QStyle::PM_RadioButtonLabelSpacing, measure::kGap2},
    Metric{QStyle::PM_ToolTipLabelFrameWidth, 6},
};

QSize pushButtonSize(const QStyleOptionButton& option, const QWidget* widget) {
  QSize text = option.fontMetrics.size(Qt::TextShowMnemonic, option.text);
  int width = text.width() + 2 * measure::kGap3;
  if (!option.icon.isNull()) width += option.iconSize.width() + (option.text.isEmpty() ? 0 : 6);
  if (option.features.testFlag(QStyleOptionButton::HasMenu)) width += 16;
  const bool primary = style::isFlagged(widget, kPrimaryProperty);
  const int height = primary ? measure::kPrimary : measure::kButton;
  if (primary) width += 2 * measure::kGap1;
  return {std::max(width, option.text.isEmpty() ? height : 64),
          std::max(height, text.height() + 8)};
}

QSize menuItemSize(const QStyleOptionMenuItem& option, const QSize& size) {
  if (option.menuItemType == QStyleOptionMenuItem::Separator) {
    return {size.width() + kMenuExtra, option.text.isEmpty() ? 9 : measure::kRow};
  }
  const int gap = option.text.contains(u'\t') ? 24 : 0;
  return {size.width() + kMenuExtra + gap, std::max(measure::kRow, size.height())};
}

QSize atLeastHeight(QSize size, int height) {
  return {size.width(), std::max(size.height(), height)};
}

bool isEditable(const QStyleOption* option) {
  const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
  return box && box->editable;
}

bool isTextArea(const QWidget* widget) {
  return qobject_cast<const QAbstractScrollArea*>(widget) &&
         !qobject_cast<const QAbstractItemView*>(widget);
}

}  // namespace

int TenonStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                            const QWidget* widget) const {
  if (metric == PM_DefaultFrameWidth) return isTextArea(widget) ? 3 : 1;
  const auto found = std::find_if(kMetrics.begin(), kMetrics.end(),
                                  [metric](const Metric& entry) { return entry.metric == metric; });
  return found != kMetrics.end() ? found->value : QProxyStyle::pixelMetric(metric, option, widget);
}

int TenonStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* data) const {
  switch (hint) {
    case SH_ToolTipLabel_Opacity:
      return 255;
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ComboBox_Popup:
    case SH_Widget_Animation_Duration:
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_ScrollBar_Transient:
      return 0;
    case SH_ItemView_ShowDecorationSelected:
    case SH_Menu_SupportsSections:
      return 1;
    case SH_Table_GridLineColor:
      return static_cast<int>(theme_->hairline.rgb());
    case SH_Slider_AbsoluteSetButtons:
      return Qt::LeftButton;
    case SH_TabBar_ElideMode:
      return Qt::ElideRight;
    case SH_ToolTip_WakeUpDelay:
      return 500;
    default:
      return QProxyStyle::styleHint(hint, option, widget, data);
  }
}

QSize TenonStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                   const QWidget* widget) const {
  if (type == CT_PushButton) {
    if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
      return pushButtonSize(*button, widget);
    }
  }
  if (type == CT_MenuItem) {
    if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
      return menuItemSize(*item, size);
    }
  }
  const QSize base = QProxyStyle::sizeFromContents(type, option, size, widget);
  switch (type) {
    case CT_LineEdit:
      return {base.width() + 12, std::max(measure::kField, size.height() + 4)};
    case CT_ComboBox:
      return {size.width() + 8 + 28, std::max(measure::kField, size.height() + 4)};
    case CT_SpinBox:
      return {base.width() + 8, std::max(measure::kField, size.height())};
    case CT_ToolButton:
      return QSize(size.width() + 8, size.height() + 8).expandedTo(QSize(24, 24));
    case CT_CheckBox:
    case CT_RadioButton:
    case CT_ItemViewItem:
    case CT_ProgressBar:
      return atLeastHeight(base, type == CT_ProgressBar ? 20 : measure::kRow);
    case CT_HeaderSection:
      return atLeastHeight(base, measure::kField);
    case CT_MenuBarItem:
      return {size.width() + 16, std::max(measure::kButton, size.height() + 8)};
    case CT_TabBarTab:
      return atLeastHeight(base, 30);
    default:
      return base;
  }
}

QRect TenonStyle::subElementRect(SubElement element, const QStyleOption* option,
                                 const QWidget* widget) const {
  switch (element) {
    case SE_ProgressBarGroove:
    case SE_ProgressBarContents:
    case SE_ProgressBarLabel:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
        return style::progressPart(*bar, element);
      }
      break;
    case SE_LineEditContents:
      if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option)) {
        if (frame->lineWidth > 0) return frame->rect.adjusted(6, 1, -6, -1);
      }
      break;
    case SE_HeaderLabel:
    case SE_HeaderArrow:
      if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
        return visualRect(option->direction, option->rect,
                          style::headerPart(*header, element == SE_HeaderArrow));
      }
      break;
    default:
      break;
  }
  return QProxyStyle::subElementRect(element, option, widget);
}

QRect TenonStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                 SubControl part, const QWidget* widget) const {
  if (control == CC_ScrollBar) {
    if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
      return visualRect(bar->direction, bar->rect, style::scrollBarPart(*bar, part));
    }
  }
  if (control == CC_ComboBox) {
    const QRect r = option->rect;
    if (part == SC_ComboBoxEditField) {
      return visualRect(option->direction, r, r.adjusted(isEditable(option) ? 6 : 7, 1, -24, -1));
    }
    if (part == SC_ComboBoxArrow) {
      return visualRect(option->direction, r, QRect(r.right() - 23, r.top(), 24, r.height()));
    }
  }
  if (control == CC_SpinBox) {
    const QRect r = option->rect;
    const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
    const bool buttons = spin && spin->buttonSymbols != QAbstractSpinBox::NoButtons;
    const int half = r.height() / 2;
    switch (part) {
      case SC_SpinBoxUp:
        return buttons ? QRect(r.right() - 20, r.top() + 1, 18, half - 1) : QRect();
      case SC_SpinBoxDown:
        return buttons ? QRect(r.right() - 20, r.top() + half, 18, half - 1) : QRect();
      case SC_SpinBoxEditField:
        return r.adjusted(6, 1, buttons ? -22 : -6, -1);
      default:
        return r;
    }
  }
  return QProxyStyle::subControlRect(control, option, part, widget);
}

QIcon TenonStyle::standardIcon(StandardPixmap which, const QStyleOption* option,
                               const QWidget* widget) const {
  switch (which) {
    case SP_TitleBarCloseButton:
    case SP_DockWidgetCloseButton:
    case SP_LineEditClearButton:
    case SP_TabCloseButton:
      return icon(QStringLiteral("close"), Tint::Secondary);
    case SP_TitleBarNormalButton:
      return icon(QStringLiteral("float"), Tint::Secondary);
    case SP_ToolBarHorizontalExtensionButton:
      return icon(QStringLiteral("chevron-right"), Tint::Secondary);
    case SP_ToolBarVerticalExtensionButton:
      return icon(QStringLiteral("chevron-down"), Tint::Secondary);
    case SP_MessageBoxInformation:
      return icon(QStringLiteral("info"));
    case SP_MessageBoxWarning:
      return icon(QStringLiteral("warning"), Tint::Warn);
    case SP_MessageBoxCritical:
      return icon(QStringLiteral("error"), Tint::Bad);
    case SP_MessageBoxQuestion:
      return icon(QStringLiteral("help"));
    default:
      return QProxyStyle::standardIcon(which, option, widget);
  }
}

}  // namespace tenon::ui
