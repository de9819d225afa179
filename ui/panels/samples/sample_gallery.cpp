// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the cards of samples.
#include "ui/panels/samples/sample_gallery.h"

#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/widgets/icon.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kPicture = 42;  // 28x28 samples one and a half their size
constexpr int kLine = 16;
constexpr int kBars = 2;
constexpr int kHeight = kLine * (1 + kBars);
constexpr int kGap = 6;         // between cards, either way
constexpr int kLeastText = 48;  // beside a picture
constexpr int kMostText = 132;  // a longer name is shortened
constexpr int kMostCard = 176;
constexpr int kSign = 12;
constexpr int kNameRoom = measure::kGap1 + 2;  // beside a name
constexpr double kTint = 0.35;  // of a bar's colour on its ground: text on it stays readable

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
  measureNames();
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

/// As wide as the longest name on show asks for: names are read, not guessed.
void SampleGallery::measureNames() {
  const QFontMetrics metrics(textFont(TextSize::Small));
  int text = kLeastText;
  const auto take = [&](int label) {
    text = std::max(text, metrics.horizontalAdvance(className(names_, label)) + kNameRoom);
  };
  for (const SampleCard& card : cards_) {
    take(card.target);
    for (int i = 0; i < std::min<int>(kBars, static_cast<int>(card.guesses.size())); ++i)
      take(card.guesses.at(i).label);
  }
  wanted_ = kPicture + measure::kGap1 + std::min(text, kMostText);
}

/// As few rows as hold all cards, filled evenly.
int SampleGallery::columns(int width) const {
  const int count = std::max(1, static_cast<int>(cards_.size()));
  const int most = std::max(1, (width - 2 * measure::kGap2 + kGap) / (wanted_ + kGap));
  const int rows = (count + most - 1) / most;
  return (count + rows - 1) / rows;
}

/// Cards share the width that is there.
int SampleGallery::cardWidth(int width) const {
  const int room = width - 2 * measure::kGap2;
  return std::clamp((room + kGap) / columns(width) - kGap, std::min(wanted_, room),
                    std::max(wanted_, kMostCard));
}

QRect SampleGallery::cardRect(int card) const {
  const int across = columns(width());
  const int wide = cardWidth(width());
  return {measure::kGap2 + card % across * (wide + kGap),
          measure::kGap2 + card / across * (kHeight + kGap), wide, kHeight};
}

QRect SampleGallery::nameRect(int card) const {
  return cardRect(card).adjusted(kPicture + measure::kGap1, 0, 0, kLine - kHeight);
}

int SampleGallery::cardAt(const QPoint& point) const {
  for (int card = 0; card < cards_.size(); ++card)
    if (cardRect(card).contains(point)) return card;
  return -1;
}

int SampleGallery::heightForWidth(int width) const {
  const int across = columns(width);
  const int rows = std::max(1, (static_cast<int>(cards_.size()) + across - 1) / across);
  return 2 * measure::kGap2 + rows * (kHeight + kGap) - kGap;
}

QSize SampleGallery::sizeHint() const {
  constexpr int kAcross = 6;  // of the twelve that a run keeps: two rows
  const int count = std::clamp(static_cast<int>(cards_.size()), 1, kAcross);
  const int width = 2 * measure::kGap2 + count * (wanted_ + kGap) - kGap;
  return {width, heightForWidth(width)};
}

QSize SampleGallery::minimumSizeHint() const {
  return {wanted_ + 2 * measure::kGap2, kHeight + 2 * measure::kGap2};
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

void SampleGallery::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  measureNames();
  updateGeometry();
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
  paintPicture(painter, card, {area.left(), area.top(), kPicture, area.height()});
  paintTarget(painter, card, nameRect(index));
  // Scores beyond 1 are shown as shares of the largest.
  const double whole = card.areProbabilities || card.guesses.isEmpty()
                           ? 1
                           : std::max(1.0, card.guesses.first().probability);
  for (int i = 0; i < std::min<int>(kBars, static_cast<int>(card.guesses.size())); ++i) {
    const Guess& guess = card.guesses.at(i);
    paintBar(painter, {guess.label, guess.probability / whole}, guess.label == card.target,
             nameRect(index).translated(0, (i + 1) * kLine));
  }
  if (index == current_ && hasFocus()) {
    painter.setPen(QPen(currentTheme().accent, measure::kFocusRing));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area.adjusted(-1, -1, 1, 1));
  }
}

/// With the sign for right or wrong in its corner.
void SampleGallery::paintPicture(QPainter& painter, const SampleCard& card,
                                 const QRect& area) const {
  const Theme& theme = currentTheme();
  const QRect place(area.left(), area.top() + (area.height() - kPicture) / 2, kPicture, kPicture);
  if (card.picture.isNull()) {
    painter.setFont(textFont(TextSize::Small));
    painter.setPen(theme.secondary);
    painter.drawText(place, Qt::AlignCenter, tr("#%1").arg(card.index));
  } else {
    const QSize fitted = card.picture.size().scaled(kPicture, kPicture, Qt::KeepAspectRatio);
    QRect picture(QPoint(), fitted);
    picture.moveCenter(place.center());
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(picture, card.picture);
  }
  QRectF disc(0, 0, kSign + 4, kSign + 4);
  disc.moveBottomRight(QPointF(place.right() + 1, place.bottom() + 1));
  paint::box(painter, disc, theme.surface, {}, disc.width() / 2);
  const bool right = card.isRight();
  painter.drawPixmap(QPointF(disc.left() + 2, disc.top() + 2),
                     iconPixmap(right ? QStringLiteral("check") : QStringLiteral("close"),
                                right ? theme.good : theme.bad, kSign, devicePixelRatioF()));
}

void SampleGallery::paintTarget(QPainter& painter, const SampleCard& card,
                                const QRect& line) const {
  painter.setFont(textFont(TextSize::Small));
  painter.setPen(currentTheme().text);
  painter.drawText(line.adjusted(measure::kGap1, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(className(names_, card.target), Qt::ElideRight,
                                                    line.width() - measure::kGap1));
}

/// The class stands on its bar: beside the picture nothing else leaves room to read it.
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
