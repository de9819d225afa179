// SPDX-License-Identifier: GPL-3.0-or-later
// Painting and measuring of the small text widgets of labels.h.
#include "ui/widgets/labels.h"

#include <QAccessible>
#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/widgets/cut_text.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kMessageIcon = 14;
constexpr int kMessageGap = 4;

QFont messageFont() { return textFont(TextSize::Small); }

}  // namespace

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setText(text);
}

void ElidedLabel::setText(const QString& text) {
  if (text == text_ && !accessibleName().isEmpty()) return;
  text_ = text;
  setAccessibleName(text);
  updateGeometry();
  update();
}

void ElidedLabel::setElideMode(Qt::TextElideMode mode) {
  mode_ = mode;
  update();
}

void ElidedLabel::setMuted(bool muted) {
  muted_ = muted;
  update();
}

bool ElidedLabel::isElided() const {
  return fontMetrics().horizontalAdvance(text_) > contentsRect().width();
}

QSize ElidedLabel::sizeHint() const {
  return {fontMetrics().horizontalAdvance(text_) + 1, fontMetrics().height() + 2};
}

QSize ElidedLabel::minimumSizeHint() const {
  return {fontMetrics().horizontalAdvance(QStringLiteral("…")), fontMetrics().height() + 2};
}

bool ElidedLabel::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && isElided()) {
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tipWithWhole(text_, toolTip()),
                       this);
    return true;
  }
  return QWidget::event(event);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const auto role = muted_ ? QPalette::PlaceholderText : QPalette::WindowText;
  painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, role));
  const QString shown = fontMetrics().elidedText(text_, mode_, contentsRect().width());
  painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown);
}

QLabel* newCaption(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setFont(textFont(TextSize::Small));
  label->setForegroundRole(QPalette::PlaceholderText);
  return label;
}

QLabel* newTitle(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setFont(textFont(TextSize::Title));
  return label;
}

InlineMessage::InlineMessage(QWidget* parent, Kind kind) : QWidget(parent), kind_(kind) {
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void InlineMessage::setText(const QString& text) {
  if (text == text_) return;
  text_ = text;
  setAccessibleName(text);
  updateGeometry();
  update();
}

void InlineMessage::setKind(Kind kind) {
  kind_ = kind;
  update();
}

QSize InlineMessage::sizeHint() const {
  const QFontMetrics metrics(messageFont());
  return {kMessageIcon + kMessageGap + std::min(240, metrics.horizontalAdvance(text_)),
          heightForWidth(240)};
}

int InlineMessage::heightForWidth(int width) const {
  const QRect room(0, 0, std::max(20, width - kMessageIcon - kMessageGap), 10000);
  const QRect taken = QFontMetrics(messageFont()).boundingRect(room, Qt::TextWordWrap, text_);
  return std::max(kMessageIcon + 2, taken.height());
}

void InlineMessage::paintEvent(QPaintEvent*) {
  const Theme& theme = currentTheme();
  const bool error = kind_ == Kind::Error;
  const bool info = kind_ == Kind::Info;
  const QColor color = error ? theme.bad : (info ? theme.secondary : theme.warn);
  const QString name =
      error ? QStringLiteral("error") : (info ? QStringLiteral("info") : QStringLiteral("warning"));
  QPainter painter(this);
  painter.drawPixmap(0, 1, iconPixmap(name, color, kMessageIcon, devicePixelRatioF()));
  painter.setFont(messageFont());
  painter.setPen(color);
  painter.drawText(rect().adjusted(kMessageIcon + kMessageGap, 0, 0, 0),
                   Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text_);
}

}  // namespace tenon::ui
