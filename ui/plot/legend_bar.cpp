// SPDX-License-Identifier: GPL-3.0-or-later
// Legend keys and the row they stand in.
#include "ui/plot/legend_bar.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <cmath>

namespace tenon::ui {

namespace {

constexpr int kSample = 18;
constexpr int kGap = 6;
constexpr int kPad = 6;
constexpr int kHeight = 24;
constexpr int kWidest = 220;

int keyWidth(const QFont& font, const QString& name) {
  const double text = std::ceil(QFontMetricsF(font).horizontalAdvance(name)) + 1;
  return std::min(kWidest, 2 * kPad + kSample + kGap + static_cast<int>(text));
}

void paintKey(QPainter& painter, const QRect& area, const LegendEntry& entry,
              const PlotTheme& theme) {
  const QRect inner = area.adjusted(kPad, 0, -kPad, 0);
  const QRectF sample(inner.left(), inner.top(), kSample, inner.height());
  paintLineSample(painter, sample, entry.visible ? entry.colour : theme.hairline, entry.dash);
  painter.setPen(entry.visible ? theme.text : theme.secondary);
  const QRect text = inner.adjusted(kSample + kGap, 0, 0, 0);
  const QFontMetrics metrics(painter.font());
  painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   metrics.elidedText(entry.name, Qt::ElideMiddle, text.width()));
}

}  // namespace

void paintLineSample(QPainter& painter, const QRectF& area, const QColor& colour,
                     const QList<qreal>& dash) {
  QPen pen(colour, 2);
  pen.setCapStyle(Qt::FlatCap);
  if (!dash.isEmpty()) pen.setDashPattern(dash);
  painter.setPen(pen);
  const double y = std::floor(area.center().y()) + 1;  // on a pixel border: two whole pixels
  painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
}

LegendKey::LegendKey(QWidget* parent) : QAbstractButton(parent) {
  setCheckable(true);
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::PointingHandCursor);
}

void LegendKey::setEntry(const LegendEntry& entry, const PlotTheme& theme) {
  if (entry_ == entry && theme_ == theme) return;
  entry_ = entry;
  theme_ = theme;
  setText(entry.name);
  setChecked(entry.visible);
  setAccessibleName(entry.name);
  setToolTip(tr("%1: click hides or shows, double click or Ctrl+click shows it alone")
                 .arg(entry.name.toHtmlEscaped()));
  update();
}

QSize LegendKey::sizeHint() const { return {keyWidth(font(), entry_.name), kHeight}; }

void LegendKey::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (underMouse()) painter.fillRect(rect().adjusted(0, 2, 0, -2), theme_.raised);
  paintKey(painter, rect(), entry_, theme_);
  if (!hasFocus() || !window()->testAttribute(Qt::WA_KeyboardFocusChange)) return;
  painter.setPen(QPen(theme_.accent, 2));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 3, -1, -3), 3, 3);
}

void LegendKey::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ControlModifier)) {
    Q_EMIT isolateRequested(false);
    return;
  }
  QAbstractButton::mousePressEvent(event);
}

void LegendKey::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  Q_EMIT isolateRequested(!event->modifiers().testFlag(Qt::ControlModifier));
}

void LegendKey::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (!enter) return QAbstractButton::keyPressEvent(event);
  Q_EMIT isolateRequested(false);
}

LegendBar::LegendBar(QWidget* parent) : QWidget(parent), more_(new QToolButton(this)) {
  more_->setAutoRaise(true);
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setMenu(new QMenu(more_));
  more_->setAccessibleName(tr("More curves"));
  more_->setToolTip(tr("Curves that do not fit into the legend"));
  more_->hide();
  connect(more_->menu(), &QMenu::aboutToShow, this, &LegendBar::fillMenu);
}

LegendKey* LegendBar::makeKey() {
  auto* key = new LegendKey(this);
  connect(key, &LegendKey::clicked, this, [this, key] { Q_EMIT toggled(key->entry().key); });
  connect(key, &LegendKey::isolateRequested, this,
          [this, key](bool afterClick) { Q_EMIT isolated(key->entry().key, afterClick); });
  return key;
}

void LegendBar::setEntries(const QList<LegendEntry>& entries, const PlotTheme& theme) {
  entries_ = entries;
  while (keys_.size() < entries.size()) keys_.append(makeKey());
  while (keys_.size() > entries.size()) {
    keys_.last()->hide();
    keys_.takeLast()->deleteLater();  // its own click may be what removes it
  }
  for (qsizetype i = 0; i < entries.size(); ++i) keys_[i]->setEntry(entries[i], theme);
  QPalette colours = more_->palette();
  colours.setColor(QPalette::ButtonText, theme.secondary);
  more_->setPalette(colours);
  arrange();
}

LegendKey* LegendBar::key(const QString& key) const {
  for (LegendKey* candidate : keys_) {
    if (candidate->entry().key == key) return candidate;
  }
  return nullptr;
}

void LegendBar::arrange() {
  const int moreWidth = QFontMetrics(font()).horizontalAdvance(QStringLiteral("+999")) + 16;
  int needed = 0;
  for (const LegendEntry& entry : entries_) needed += keyWidth(font(), entry.name);
  const int free = needed <= width() ? width() : width() - moreWidth;
  int x = 0;
  shown_ = 0;
  bool fits = true;
  for (LegendKey* key : keys_) {
    const int keyWidth = key->sizeHint().width();
    fits = fits && x + keyWidth <= free;
    key->setVisible(fits);
    if (!fits) continue;
    key->setGeometry(x, 0, keyWidth, kHeight);
    x += keyWidth;
    ++shown_;
  }
  more_->setVisible(shown_ < keys_.size());
  more_->setText(QStringLiteral("+%1").arg(keys_.size() - shown_));
  more_->setGeometry(x, 0, moreWidth, kHeight);
}

void LegendBar::fillMenu() {
  QMenu* menu = more_->menu();
  menu->clear();
  for (qsizetype i = shown_; i < entries_.size(); ++i) {
    QAction* action = menu->addAction(entries_[i].name);
    action->setCheckable(true);
    action->setChecked(entries_[i].visible);
    connect(action, &QAction::triggered, this,
            [this, key = entries_[i].key] { Q_EMIT toggled(key); });
  }
}

void LegendBar::resizeEvent(QResizeEvent*) { arrange(); }

void LegendBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) arrange();
}

void LegendBar::paint(QPainter& painter, const QRect& area, const QFont& font,
                      const QList<LegendEntry>& entries, const PlotTheme& theme) {
  painter.setFont(font);
  int x = area.left();
  for (const LegendEntry& entry : entries) {
    if (!entry.visible) continue;
    const int width = keyWidth(font, entry.name);
    if (x + width > area.right() + 1) break;
    paintKey(painter, QRect(x, area.top(), width, area.height()), entry, theme);
    x += width;
  }
}

}  // namespace tenon::ui
