// SPDX-License-Identifier: GPL-3.0-or-later
// Line edits, combo and spin boxes, sliders, scroll bars and progress bars of TenonStyle.
#include <QAbstractScrollArea>
#include <QPointer>
#include <QProxyStyle>
#include <QTime>
#include <QTimer>
#include <cmath>

#include "ui/widgets/painting.h"
#include "ui/widgets/style_parts.h"
#include "ui/widgets/tenon_style.h"

namespace tenon::ui::style {
namespace {

void fieldBox(const Canvas& c, const QStyleOption& option, bool focused) {
  const Theme& t = c.theme;
  if (!isEnabled(option)) {
    paint::box(c.painter, option.rect, QColor(), t.hairline);
    return;
  }
  const bool readOnly = isOn(option, QStyle::State_ReadOnly);
  const bool invalid = isFlagged(c.widget, kInvalidProperty);
  QColor border = readOnly ? t.hairline : t.fieldBorder;
  if (isHovered(option) && !readOnly) border = mixed(t.text, t.fieldBorder, 0.35);
  if (invalid) border = t.bad;
  paint::box(c.painter, option.rect, readOnly ? QColor() : t.raised, border);
  if (!focused) return;
  paint::focusRing(c.painter, option.rect, t);
  if (invalid) {
    paint::box(c.painter, QRectF(option.rect).adjusted(2, 2, -2, -2), QColor(), t.bad,
               measure::kCorner - 2);
  }
}

/// Length and offset of a scroll bar's handle within `room` pixels.
std::pair<int, int> handleSpan(const QStyleOptionSlider& option, int room) {
  const qint64 range = static_cast<qint64>(option.maximum) - option.minimum;
  if (range <= 0) return {room, 0};
  const double share = static_cast<double>(option.pageStep) / (range + option.pageStep);
  const int length =
      std::clamp(static_cast<int>(std::lround(room * share)), std::min(28, room), room);
  const int offset = QStyle::sliderPositionFromValue(
      option.minimum, option.maximum, option.sliderPosition, room - length, option.upsideDown);
  return {length, offset};
}

/// Where the moving part of a bar without an end stands, 0..1, by the clock.
double busyPhase() { return (QTime::currentTime().msecsSinceStartOfDay() % 1600) / 1600.0; }

}  // namespace

void lineEdit(const Canvas& c, const QStyleOptionFrame& option) {
  if (option.lineWidth <= 0) return;
  fieldBox(c, option, isOn(option, QStyle::State_HasFocus));
}

void comboBox(const Canvas& c, const QStyleOptionComboBox& option) {
  const Theme& t = c.theme;
  const bool focused = option.editable ? isOn(option, QStyle::State_HasFocus) : hasKeyFocus(option);
  if (option.frame) {
    fieldBox(c, option, focused);
  } else if (isHovered(option)) {
    paint::box(c.painter, option.rect, t.hovered(t.surface));
  }
  const QRect arrow(option.rect.right() - 22, option.rect.top(), 18, option.rect.height());
  paint::chevron(c.painter, arrow, Qt::DownArrow, isEnabled(option) ? t.secondary : t.hairline, 7);
}

QStyleOptionComboBox fittedLabel(const QStyleOptionComboBox& option, const QProxyStyle& style,
                                 const QWidget* widget) {
  QStyleOptionComboBox fitted = option;
  int room =
      style.subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, widget)
          .width() -
      2;
  if (!option.currentIcon.isNull()) room -= option.iconSize.width() + 4;
  fitted.currentText = option.fontMetrics.elidedText(option.currentText, Qt::ElideRight, room);
  return fitted;
}

void spinBox(const Canvas& c, const QStyleOptionSpinBox& option, const QProxyStyle& style) {
  const Theme& t = c.theme;
  if (option.frame) fieldBox(c, option, isOn(option, QStyle::State_HasFocus));
  if (option.buttonSymbols == QAbstractSpinBox::NoButtons) return;
  const auto arrow = [&](QStyle::SubControl part, QAbstractSpinBox::StepEnabledFlag flag,
                         Qt::ArrowType direction) {
    const QRect rect = style.subControlRect(QStyle::CC_SpinBox, &option, part, c.widget);
    const bool can = isEnabled(option) && option.stepEnabled.testFlag(flag);
    const bool hot = can && option.activeSubControls.testFlag(part) && isHovered(option);
    paint::chevron(c.painter, rect, direction, !can ? t.hairline : (hot ? t.text : t.secondary), 6);
  };
  arrow(QStyle::SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled, Qt::UpArrow);
  arrow(QStyle::SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled, Qt::DownArrow);
}

void slider(const Canvas& c, const QStyleOptionSlider& option, const QProxyStyle& style) {
  const Theme& t = c.theme;
  const bool flat = option.orientation == Qt::Horizontal;
  const QRectF handle =
      style.subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, c.widget);
  QRectF groove = option.rect;
  if (flat) {
    groove = QRectF(groove.left() + 7, handle.center().y() - 2, groove.width() - 14, 4);
  } else {
    groove = QRectF(handle.center().x() - 2, groove.top() + 7, 4, groove.height() - 14);
  }
  paint::box(c.painter, groove, t.hairline, {}, 2);
  QRectF filled = groove;
  if (flat) {
    option.upsideDown ? filled.setLeft(handle.center().x()) : filled.setRight(handle.center().x());
  } else {
    option.upsideDown ? filled.setTop(handle.center().y()) : filled.setBottom(handle.center().y());
  }
  const QColor strong = isEnabled(option) ? t.accent : t.fieldBorder;
  paint::box(c.painter, filled, strong, {}, 2);
  QRectF knob(0, 0, 14, 14);
  knob.moveCenter(handle.center());
  const bool held = option.activeSubControls.testFlag(QStyle::SC_SliderHandle);
  const QColor ground = held && isHovered(option) ? t.hovered(t.raised) : t.raised;
  paint::box(c.painter, knob, ground, isEnabled(option) ? t.fieldBorder : t.hairline, 7);
  if (hasKeyFocus(option)) paint::focusRing(c.painter, knob.adjusted(-1, -1, 1, 1), t, 8);
}

QColor groundBehind(const QWidget* widget, const Theme& theme) {
  for (const QWidget* above = widget; above; above = above->parentWidget()) {
    if (const auto* area = qobject_cast<const QAbstractScrollArea*>(above)) {
      const QWidget* port = area->viewport();
      return port->palette().color(port->backgroundRole());
    }
  }
  return widget ? widget->palette().color(QPalette::Window) : theme.surface;
}

QRect scrollBarPart(const QStyleOptionSlider& option, QStyle::SubControl part) {
  const bool flat = option.orientation == Qt::Horizontal;
  const QRect all = option.rect;
  const int room = flat ? all.width() : all.height();
  const auto [length, offset] = handleSpan(option, room);
  const auto slice = [&](int from, int size) {
    return flat ? QRect(all.left() + from, all.top(), size, all.height())
                : QRect(all.left(), all.top() + from, all.width(), size);
  };
  switch (part) {
    case QStyle::SC_ScrollBarSlider:
      return slice(offset, length);
    case QStyle::SC_ScrollBarSubPage:
      return slice(0, offset);
    case QStyle::SC_ScrollBarAddPage:
      return slice(offset + length, room - offset - length);
    case QStyle::SC_ScrollBarGroove:
      return all;
    default:
      return {};
  }
}

void scrollBar(const Canvas& c, const QStyleOptionSlider& option, const QProxyStyle&) {
  const Theme& t = c.theme;
  const QColor ground = groundBehind(c.widget, t);
  c.painter.fillRect(option.rect, ground);
  if (option.maximum <= option.minimum) return;
  const bool hot = isHovered(option);
  const bool held = isOn(option, QStyle::State_Sunken) &&
                    option.activeSubControls.testFlag(QStyle::SC_ScrollBarSlider);
  QRectF handle = scrollBarPart(option, QStyle::SC_ScrollBarSlider);
  const double inset = hot || held ? 2 : 3;
  if (option.orientation == Qt::Horizontal) {
    handle.adjust(2, inset, -2, -inset);
  } else {
    handle.adjust(inset, 2, -inset, -2);
  }
  const double share = held ? 0.5 : (hot ? 0.42 : 0.26);
  paint::box(c.painter, handle, mixed(t.text, ground, share), {},
             std::min(handle.width(), handle.height()) / 2);
}

QRect progressPart(const QStyleOptionProgressBar& option, QStyle::SubElement part) {
  constexpr int kThickness = 6;
  constexpr int kLabel = 44;
  QRect bar = option.rect;
  if (!isOn(option, QStyle::State_Horizontal)) {
    if (part == QStyle::SE_ProgressBarLabel) return {};
    return {bar.center().x() - kThickness / 2, bar.top(), kThickness, bar.height()};
  }
  const bool labelled = option.textVisible && bar.width() > 2 * kLabel;
  if (part == QStyle::SE_ProgressBarLabel) {
    return labelled ? QRect(bar.right() - kLabel + 1, bar.top(), kLabel, bar.height()) : QRect();
  }
  if (labelled) bar.setRight(bar.right() - kLabel);
  const int thickness = std::min(kThickness, bar.height());
  return {bar.left(), bar.center().y() - thickness / 2 + 1, bar.width(), thickness};
}

void progressBar(const Canvas& c, const QStyleOptionProgressBar& option) {
  QStyleOptionProgressBar part = option;
  part.rect = progressPart(option, QStyle::SE_ProgressBarGroove);
  progressGroove(c, part);
  progressContents(c, part);
  part.rect = progressPart(option, QStyle::SE_ProgressBarLabel);
  progressLabel(c, part);
}

void progressGroove(const Canvas& c, const QStyleOptionProgressBar& option) {
  paint::box(c.painter, option.rect, c.theme.hairline, {}, 3);
}

void progressContents(const Canvas& c, const QStyleOptionProgressBar& option) {
  const bool flat = isOn(option, QStyle::State_Horizontal);
  const QRectF all = option.rect;
  const double room = flat ? all.width() : all.height();
  double from = 0;
  double length = 0;
  const qint64 range = static_cast<qint64>(option.maximum) - option.minimum;
  if (range > 0) {
    length =
        room * (static_cast<double>(option.progress) - option.minimum) / static_cast<double>(range);
  } else {
    length = room * 0.3;
    from = (room + length) * busyPhase() - length;
    QPointer<const QWidget> widget(c.widget);
    QTimer::singleShot(40, c.widget, [widget] {
      if (widget) const_cast<QWidget*>(widget.data())->update();
    });
  }
  const double begin = std::clamp(from, 0.0, room);
  const double end = std::clamp(from + length, 0.0, room);
  if (end - begin < 1) return;
  const bool mirrored = flat && (option.direction == Qt::RightToLeft) != option.invertedAppearance;
  QRectF chunk = flat ? QRectF(all.left() + begin, all.top(), end - begin, all.height())
                      : QRectF(all.left(), all.bottom() - end, all.width(), end - begin);
  if (mirrored) chunk.moveRight(all.right() - begin);
  paint::box(c.painter, chunk, isEnabled(option) ? c.theme.accent : c.theme.fieldBorder, {}, 3);
}

void progressLabel(const Canvas& c, const QStyleOptionProgressBar& option) {
  if (!option.textVisible || option.rect.isEmpty()) return;
  c.painter.save();
  c.painter.setFont(numberFont(TextSize::Small));
  c.painter.setPen(c.theme.secondary);
  c.painter.drawText(option.rect, Qt::AlignRight | Qt::AlignVCenter, option.text);
  c.painter.restore();
}

}  // namespace tenon::ui::style
