// SPDX-License-Identifier: GPL-3.0-or-later
// Finds out whether a control shows its text whole (cut_text.h).
#include "ui/widgets/cut_text.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStyleOptionComboBox>
#include <QToolButton>
#include <QToolTip>
#include <algorithm>

namespace tenon::ui {
namespace {

constexpr int kFieldEnds = 12;  // between a field's frame and its text, both ends

struct Told {
  QString whole;  // empty: nothing is cut
  QString tip;
};

QString asHtml(const QString& text) {
  return Qt::mightBeRichText(text) ? text : text.toHtmlEscaped();
}

/// The header whose viewport the widget is.
const QHeaderView* headerOf(const QWidget& widget) {
  const auto* header = qobject_cast<const QHeaderView*>(widget.parentWidget());
  return header && header->viewport() == &widget ? header : nullptr;
}

Told told(const QHeaderView& header, QPoint at) {
  const int section = header.logicalIndexAt(at);
  const QAbstractItemModel* model = header.model();
  if (section < 0 || !model || header.orientation() != Qt::Horizontal) return {};
  // A section may also reach beyond the edge of the view.
  const int left = std::max(0, header.sectionViewportPosition(section));
  const int right = std::min(header.viewport()->width(),
                             header.sectionViewportPosition(section) + header.sectionSize(section));
  if (header.sectionSizeHint(section) <= right - left) return {};
  return {model->headerData(section, Qt::Horizontal).toString(),
          model->headerData(section, Qt::Horizontal, Qt::ToolTipRole).toString()};
}

QString cutText(const QComboBox& box) {
  QStyleOptionComboBox option;
  option.initFrom(&box);
  const int room =
      box.style()
          ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box)
          .width();
  const int row = box.currentIndex();
  const QString text = row < 0 ? box.placeholderText() : box.currentText();
  const bool pictured = row >= 0 && !box.itemIcon(row).isNull();
  const int needed =
      box.fontMetrics().horizontalAdvance(text) + 2 + (pictured ? box.iconSize().width() + 4 : 0);
  return needed > room ? text : QString();
}

QString cutText(const QAbstractButton& button) {
  const auto* tool = qobject_cast<const QToolButton*>(&button);
  const bool bare =
      tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull();
  if (bare || button.sizeHint().width() <= button.width()) return {};
  return button.text().remove(u'&');
}

QString cutText(const QLabel& label) {
  const bool cut = label.wordWrap() ? label.heightForWidth(label.width()) > label.height()
                                    : label.sizeHint().width() > label.width();
  if (!cut) return {};
  return label.buddy() ? label.text().remove(u'&') : label.text();
}

QString cutText(const QLineEdit& field) {
  if (!field.text().isEmpty()) return {};
  int room = field.width() - kFieldEnds - field.textMargins().left() - field.textMargins().right();
  for (const QToolButton* inner : field.findChildren<QToolButton*>()) room -= inner->width();
  const int needed = field.fontMetrics().horizontalAdvance(field.placeholderText());
  return needed > room ? field.placeholderText() : QString();
}

Told told(const QWidget& widget, QPoint at) {
  if (const QHeaderView* header = headerOf(widget)) return told(*header, at);
  if (const auto* box = qobject_cast<const QComboBox*>(&widget))
    return {cutText(*box), widget.toolTip()};
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
    return {cutText(*button), widget.toolTip()};
  if (const auto* label = qobject_cast<const QLabel*>(&widget))
    return {cutText(*label), widget.toolTip()};
  if (const auto* field = qobject_cast<const QLineEdit*>(&widget))
    return {cutText(*field), widget.toolTip()};
  return {};
}

}  // namespace

QString tipWithWhole(const QString& whole, const QString& tip) {
  if (tip.isEmpty()) return whole;
  if (whole.isEmpty() || tip.contains(whole)) return tip;
  if (!Qt::mightBeRichText(whole) && !Qt::mightBeRichText(tip)) return whole + u'\n' + tip;
  const QString first = asHtml(whole);
  return tip.contains(first) ? tip : first + QLatin1String("<br>") + asHtml(tip);
}

bool mayCutText(const QWidget& widget) {
  return headerOf(widget) || qobject_cast<const QComboBox*>(&widget) ||
         qobject_cast<const QAbstractButton*>(&widget) || qobject_cast<const QLabel*>(&widget) ||
         qobject_cast<const QLineEdit*>(&widget);
}

bool CutTextTips::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QObject::eventFilter(watched, event);
  auto* widget = qobject_cast<QWidget*>(watched);
  const auto* help = static_cast<QHelpEvent*>(event);
  const Told known = widget ? told(*widget, help->pos()) : Told{};
  if (known.whole.isEmpty()) return QObject::eventFilter(watched, event);
  QToolTip::showText(help->globalPos(), tipWithWhole(known.whole, known.tip), widget);
  return true;
}

}  // namespace tenon::ui
