// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the cards of samples.
#include "ui/panels/samples/sample_gallery.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/widgets/icon.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kPicture = 56;  // 28x28 samples twice their size
constexpr int kCard = 58;     // twelve stand beside the log in a window of 1280
constexpr int kLine = 16;
constexpr int kWideCard = 104;
constexpr int kBar = 17;
constexpr int kBars = 2;
constexpr double kTint = 0.35;  // of a bar's colour on its ground: text on it stays readable
constexpr int kHeight = kPicture + measure::kGap1 + kLine + kBars * kBar;
constexpr int kGap = measure::kGap1;

}  // namespace

SampleGallery::SampleGallery(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Predictions of samples"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void SampleGallery::setCards(const QList<SampleCard>& cards, const QStringList& classNames) {
  cards_ = cards;
  names_ = classNames;
  if (current_ >= cards_.size()) current_ = -1;
  QStringList texts;
  for (const SampleCard& card : cards_) texts.append(cardText(card, names_));
  setAccessibleDescription(tr("%1 of %2 right. %3")
                               .arg(rightCount())
                               .arg(cards_.size())
                               .arg(texts.join(QStringLiteral(". "))));
  updateGeometry();
  update();
}

int SampleGallery::rightCount() const {
  return static_cast<int>(std::count_if(cards_.begin(), cards_.end(),
                                        [](const SampleCard& card) { return card.isRight(); }));
}

int SampleGallery::columns(int width) const {
  return std::max(1, (width + kGap - 2 * measure::kGap2) / (kCard + kGap));
}

/// Cards share the width that is there: names get longer before rows get fewer.
int SampleGallery::cardWidth(int width) const {
  const int across = std::min(columns(width), std::max(1, static_cast<int>(cards_.size())));
  return std::clamp((width + kGap - 2 * measure::kGap2) / across - kGap, kCard, kWideCard);
}

QRect SampleGallery::cardRect(int card) const {
  const int across = columns(width());
  const int wide = cardWidth(width());
  const int column = card % across;
  const int row = card / across;
  return {measure::kGap2 + column * (wide + kGap),
          measure::kGap1 + row * (kHeight + measure::kGap2), wide, kHeight};
}

int SampleGallery::cardAt(const QPoint& point) const {
  for (int card = 0; card < cards_.size(); ++card)
    if (cardRect(card).contains(point)) return card;
  return -1;
}

int SampleGallery::heightForWidth(int width) const {
  const int across = columns(width);
  const int rows = std::max(1, (static_cast<int>(cards_.size()) + across - 1) / across);
  return 2 * measure::kGap1 + rows * kHeight + (rows - 1) * measure::kGap2;
}

QSize SampleGallery::sizeHint() const {
  const int count = std::clamp(static_cast<int>(cards_.size()), 1, 12);
  const int width = 2 * measure::kGap2 + count * (kCard + kGap) - kGap;
  return {width, heightForWidth(width)};
}

QSize SampleGallery::minimumSizeHint() const {
  return {kCard + 2 * measure::kGap2, kHeight + 2 * measure::kGap1};
}

bool SampleGallery::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int card = cardAt(help->pos());
    if (card < 0) {
      QToolTip::hideText();
    } else {
      QToolTip::showText(help->globalPos(), cardText(cards_.at(card), names_), this,
                         cardRect(card));
    }
    return true;
  }
  return QWidget::event(event);
}

void SampleGallery::setCurrent(int card) {
  if (cards_.isEmpty()) return;
  current_ = std::clamp(card, 0, static_cast<int>(cards_.size()) - 1);
  setToolTip(cardText(cards_.at(current_), names_));
  update();
}

void SampleGallery::keyPressEvent(QKeyEvent* event) {
  const int across = columns(width());
  switch (event->key()) {
    case Qt::Key_Right:
      return setCurrent(current_ + 1);
    case Qt::Key_Left:
      return setCurrent(current_ - 1);
    case Qt::Key_Down:
      return setCurrent(current_ < 0 ? 0 : current_ + across);
    case Qt::Key_Up:
      return setCurrent(current_ - across);
    case Qt::Key_Home:
      return setCurrent(0);
    case Qt::Key_End:
      return setCurrent(static_cast<int>(cards_.size()) - 1);
    default:
      QWidget::keyPressEvent(event);
  }
}

void SampleGallery::mousePressEvent(QMouseEvent* event) {
  const int card = cardAt(event->pos());
  if (card >= 0) setCurrent(card);
  QWidget::mousePressEvent(event);
}

void SampleGallery::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  for (int card = 0; card < cards_.size(); ++card)
    if (cardRect(card).intersects(event->rect())) paintCard(painter, card);
}

void SampleGallery::paintCard(QPainter& painter, int index) const {
  const SampleCard& card = cards_.at(index);
  const QRect area = cardRect(index);
  paintPicture(painter, card, {area.left(), area.top(), area.width(), kPicture});
  int top = area.top() + kPicture + measure::kGap1;
  paintVerdict(painter, card, {area.left(), top, area.width(), kLine});
  top += kLine;
  for (int i = 0; i < std::min<int>(kBars, static_cast<int>(card.guesses.size())); ++i) {
    const Guess& guess = card.guesses.at(i);
    paintBar(painter, guess, guess.label == card.target,
             {area.left(), top + i * kBar, area.width(), kBar});
  }
  if (index == current_ && hasFocus()) {
    painter.setPen(QPen(currentTheme().accent, measure::kFocusRing));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area.adjusted(-1, -1, 1, 1));
  }
}

void SampleGallery::paintPicture(QPainter& painter, const SampleCard& card,
                                 const QRect& area) const {
  if (card.picture.isNull()) {
    painter.setFont(textFont(TextSize::Small));
    painter.setPen(currentTheme().secondary);
    painter.drawText(area, Qt::AlignCenter, tr("#%1").arg(card.index));
    return;
  }
  const QSize fitted = card.picture.size().scaled(kPicture, kPicture, Qt::KeepAspectRatio);
  const QRect place(area.left(), area.top() + (kPicture - fitted.height()) / 2, fitted.width(),
                    fitted.height());
  // Single pixels stay visible when enlarged; large pictures are averaged.
  painter.setRenderHint(QPainter::SmoothPixmapTransform, card.picture.width() > kPicture);
  painter.drawImage(place, card.picture);
}

void SampleGallery::paintVerdict(QPainter& painter, const SampleCard& card,
                                 const QRect& line) const {
  const Theme& theme = currentTheme();
  const bool right = card.isRight();
  const qreal ratio = devicePixelRatioF();
  constexpr int kSign = 12;
  painter.drawPixmap(line.left(), line.top() + (kLine - kSign) / 2,
                     iconPixmap(right ? QStringLiteral("check") : QStringLiteral("close"),
                                right ? theme.good : theme.bad, kSign, ratio));
  painter.setFont(textFont(TextSize::Small, true));
  painter.setPen(theme.text);
  const QRect text = line.adjusted(kSign + measure::kGap1, 0, 0, 0);
  painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(className(names_, card.target), Qt::ElideRight,
                                                    text.width()));
}

/// The class stands on its bar: in a card this narrow nothing else leaves room to read it.
void SampleGallery::paintBar(QPainter& painter, const Guess& guess, bool isTarget,
                             const QRect& line) const {
  const Theme& theme = currentTheme();
  const QRectF track = QRectF(line).adjusted(0, 1, 0, -1);
  painter.fillRect(track, theme.sunken);
  const double share = std::isfinite(guess.probability) ? guess.probability : 0;
  QRectF bar = track;
  bar.setWidth(track.width() * std::clamp(share, 0.0, 1.0));
  const QColor colour = isTarget ? theme.good : theme.secondary;
  painter.fillRect(bar, mixed(colour, theme.sunken, kTint));
  painter.fillRect(QRectF(bar.left(), bar.top(), std::min(bar.width(), 2.0), bar.height()), colour);
  painter.setFont(textFont(TextSize::Small));
  painter.setPen(theme.text);
  const QRect label = line.adjusted(measure::kGap1, 0, 0, 0);
  painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(className(names_, guess.label), Qt::ElideRight,
                                                    label.width()));
}

}  // namespace tenon::ui
