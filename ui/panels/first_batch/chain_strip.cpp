// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of the chain of transforms.
#include "ui/panels/first_batch/chain_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/widgets/format.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kPicture = 64;
constexpr int kCell = 92;
constexpr int kArrow = 20;  // between two stages
constexpr int kLine = 17;

/// As large as the place allows, in its own proportions.
void paintPicture(QPainter& painter, const QRect& place, const QImage& picture) {
  const QSize size =
      picture.size().scaled(place.size(), Qt::KeepAspectRatio).expandedTo(QSize(1, 1));
  const QPoint corner =
      place.topLeft() + QPoint(place.width() - size.width(), place.height() - size.height()) / 2;
  const bool shrinks = picture.width() > size.width() || picture.height() > size.height();
  painter.setRenderHint(QPainter::SmoothPixmapTransform, shrinks);
  painter.drawImage(QRect(corner, size), picture);
}

}  // namespace

QString rangeText(const ValueFacts& facts) {
  if (facts.count == 0) return QStringLiteral("–");
  return QStringLiteral("%1 … %2").arg(facts.least, 0, 'g', 3).arg(facts.most, 0, 'g', 3);
}

ChainStrip::ChainStrip(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void ChainStrip::setStages(const QList<BatchStage>& stages) {
  stages_ = stages;
  QStringList told;
  for (const BatchStage& stage : stages_)
    told.append(QStringLiteral("%1: %2").arg(stage.title, rangeText(stage.facts)));
  setAccessibleName(tr("First sample after each transform"));
  setAccessibleDescription(told.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

QSize ChainStrip::sizeHint() const {
  const int count = int(stages_.size());
  return {count * kCell + std::max(count - 1, 0) * kArrow, kPicture + 4 + 2 * kLine};
}

QRect ChainStrip::cell(int stage) const { return {stage * (kCell + kArrow), 0, kCell, height()}; }

bool ChainStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (int i = 0; i < int(stages_.size()); ++i) {
    if (!cell(i).contains(help->pos())) continue;
    const ValueFacts& facts = stages_[i].facts;
    QToolTip::showText(
        help->globalPos(),
        tr("<b>%1</b><br>%2<br>Range %3<br>Mean %4, standard deviation %5")
            .arg(stages_[i].title.toHtmlEscaped(), stages_[i].shape, rangeText(facts),
                 formatNumber(facts.mean), formatNumber(facts.deviation)),
        this);
    return true;
  }
  QToolTip::hideText();
  event->ignore();
  return true;
}

void ChainStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& theme = currentTheme();
  for (int i = 0; i < int(stages_.size()); ++i) {
    const QRect room = cell(i);
    paintStage(painter, room, stages_[i]);
    if (i == 0) continue;
    const QRect arrow(room.left() - kArrow, 0, kArrow, kPicture);
    paint::chevron(painter, arrow, Qt::RightArrow, theme.secondary);
  }
}

void ChainStrip::paintStage(QPainter& painter, const QRect& room, const BatchStage& stage) const {
  const Theme& theme = currentTheme();
  const QRect place(room.left() + (kCell - kPicture) / 2, 0, kPicture, kPicture);
  if (stage.picture.isNull()) {
    paint::box(painter, place, theme.sunken, theme.hairline, 0);
  } else {
    paintPicture(painter, place, stage.picture);
  }
  painter.setFont(textFont(TextSize::Small));
  const QFontMetrics metrics(painter.font());
  const auto line = [&](int number, const QString& text, const QColor& color) {
    painter.setPen(color);
    const QRect at(room.left(), kPicture + 4 + number * kLine, kCell, kLine);
    painter.drawText(at, Qt::AlignCenter | Qt::TextSingleLine,
                     metrics.elidedText(text, Qt::ElideRight, kCell));
  };
  line(0, stage.title, theme.text);
  line(1, rangeText(stage.facts), theme.secondary);
}

}  // namespace tenon::ui
