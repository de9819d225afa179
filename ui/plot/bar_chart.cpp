// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of label, bar and number.
#include "ui/plot/bar_chart.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/plot/number_text.h"

namespace tenon::ui {

namespace {

constexpr int kPad = 8;
constexpr int kGap = 8;
constexpr int kLeastBar = 40;
constexpr int kSign = 14;

/// Whole pixels a text needs: elision counts fractions.
int widthOf(const QFontMetricsF& metrics, const QString& text) {
  return static_cast<int>(std::ceil(metrics.horizontalAdvance(text))) + 1;
}

}  // namespace

BarChart::BarChart(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Bars"));
  emptyText_ = tr("No values");
}

void BarChart::setTheme(const PlotTheme& theme) {
  theme_ = theme;
  update();
}

void BarChart::setTitle(const QString& title) {
  title_ = title;
  setAccessibleName(title);
}

void BarChart::setRows(const QList<BarRow>& rows) {
  if (rows_ == rows) return;
  rows_ = rows;
  if (hovered_ >= rows_.size()) setHovered(-1);
  if (current_ >= rows_.size()) setCurrentRow(-1);
  measure();
}

void BarChart::setText(BarText text) {
  text_ = text;
  measure();
}

void BarChart::setMaximum(double maximum) {
  maximum_ = maximum;
  update();
}

void BarChart::setRowHeight(int pixels) {
  rowHeight_ = std::clamp(pixels, 12, 48);
  measure();
}

void BarChart::setRun(int run) {
  run_ = run;
  update();
}

void BarChart::setEmptyText(const QString& text) {
  emptyText_ = text;
  measure();
}

void BarChart::measure() {
  const QFontMetricsF labels(font());
  const QFontMetricsF numbers(digitsFont(font()));
  labelWidth_ = numberWidth_ = 0;
  largest_ = 0;
  bool signs = false;
  for (int row = 0; row < rows_.size(); ++row) {
    labelWidth_ = std::max(labelWidth_, widthOf(labels, rows_[row].label));
    numberWidth_ = std::max(numberWidth_, widthOf(numbers, valueText(row)));
    if (std::isfinite(rows_[row].value)) largest_ = std::max(largest_, rows_[row].value);
    signs = signs || rows_[row].role == BarRole::Good || rows_[row].role == BarRole::Bad;
  }
  if (signs) numberWidth_ += kSign;
  setAccessibleDescription(summary());
  updateGeometry();
  update();
}

QString BarChart::valueText(int row) const {
  const double value = rows_[row].value;
  if (!std::isfinite(value)) return metricText(value);
  if (text_ == BarText::Count) return countText(std::llround(value));
  if (text_ == BarText::Number) return metricText(value);
  return tr("%1 %").arg(QString::number(value * 100, 'f', 1));
}

int BarChart::rowAt(const QPoint& point) const {
  const int row = point.y() / rowHeight_;
  return point.y() >= 0 && row < rows_.size() && rect().contains(point) ? row : -1;
}

QRect BarChart::barRect(int row) const {
  const int free = width() - 2 * kPad - 2 * kGap - numberWidth_;
  const int label = std::min(labelWidth_, std::max(0, free - kLeastBar));
  const int left = kPad + label + kGap;
  const int room = std::max(0, width() - kPad - numberWidth_ - kGap - left);
  const double full = maximum_ > 0 ? maximum_ : largest_;
  const double value = rows_[row].value;
  const double share = full > 0 && std::isfinite(value) ? std::clamp(value / full, 0.0, 1.0) : 0;
  int length = static_cast<int>(std::lround(share * room));
  if (length == 0 && value > 0 && room > 0) length = 1;  // some is not none
  const int thick = std::max(4, rowHeight_ * 5 / 12);
  return {left, row * rowHeight_ + (rowHeight_ - thick) / 2, length, thick};
}

QString BarChart::summary() const {
  if (rows_.isEmpty()) return emptyText_;
  constexpr int kMost = 20;
  QStringList parts;
  for (int row = 0; row < std::min<int>(rows_.size(), kMost); ++row) {
    QString part = tr("%1: %2").arg(rows_[row].label, valueText(row));
    if (rows_[row].role == BarRole::Good) part = tr("%1, right").arg(part);
    if (rows_[row].role == BarRole::Bad) part = tr("%1, wrong").arg(part);
    parts.append(part);
  }
  if (rows_.size() > kMost)
    parts.append(tr("%n more", nullptr, static_cast<int>(rows_.size()) - kMost));
  return parts.join(QStringLiteral("; "));
}

QSize BarChart::sizeHint() const {
  const int rows = std::max<int>(1, rows_.size());
  return {2 * kPad + std::min(labelWidth_, 160) + 2 * kGap + 120 + numberWidth_, rows * rowHeight_};
}

QSize BarChart::minimumSizeHint() const {
  const int rows = std::max<int>(1, rows_.size());
  return {2 * kPad + 2 * kGap + kLeastBar + numberWidth_, rows * rowHeight_};
}

void BarChart::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  painter.fillRect(event->rect(), theme_.surface);
  if (rows_.isEmpty()) return paintEmpty(painter);
  const int first = std::max(0, event->rect().top() / rowHeight_);
  const int last = std::min<int>(rows_.size() - 1, event->rect().bottom() / rowHeight_);
  for (int row = first; row <= last; ++row) paintRow(painter, row);
}

void BarChart::paintEmpty(QPainter& painter) const {
  painter.setPen(theme_.secondary);
  painter.drawText(rect().adjusted(kPad, 0, -kPad, 0), Qt::AlignCenter | Qt::TextWordWrap,
                   emptyText_);
}

void BarChart::paintRow(QPainter& painter, int row) const {
  const BarRow& item = rows_[row];
  const QRect line(0, row * rowHeight_, width(), rowHeight_);
  if (row == hovered_) painter.fillRect(line, theme_.raised);
  if (row == current_) painter.fillRect(line, theme_.selection);

  const QRect bar = barRect(row);
  const QRect label(kPad, line.top(), bar.left() - kGap - kPad, rowHeight_);
  painter.setFont(font());
  painter.setPen(item.role == BarRole::Muted ? theme_.secondary : theme_.text);
  painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetrics(font()).elidedText(item.label, Qt::ElideRight, label.width()));

  const int trackRight = width() - kPad - numberWidth_ - kGap;
  painter.fillRect(QRect(bar.left(), bar.top(), trackRight - bar.left(), bar.height()),
                   theme_.sunken);
  const QColor colours[] = {theme_.seriesColour(run_),
                            blend(theme_.secondary, theme_.surface, 0.45), theme_.good, theme_.bad};
  painter.fillRect(bar, colours[static_cast<int>(item.role)]);

  painter.setFont(digitsFont(font()));
  const bool good = item.role == BarRole::Good, bad = item.role == BarRole::Bad;
  const QRect number(trackRight + kGap, line.top(), numberWidth_, rowHeight_);
  if (good || bad) {
    painter.setPen(good ? theme_.good : theme_.bad);
    painter.drawText(number, Qt::AlignLeft | Qt::AlignVCenter,
                     good ? QStringLiteral("\u2713") : QStringLiteral("\u2715"));
  }
  painter.setPen(item.role == BarRole::Muted ? theme_.secondary : theme_.text);
  painter.drawText(number, Qt::AlignRight | Qt::AlignVCenter, valueText(row));

  if (row != current_ || !hasFocus()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme_.accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(line).adjusted(1, 1, -1, -1), 4, 4);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

bool BarChart::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = rowAt(help->pos());
    if (row < 0) {
      QToolTip::hideText();
      event->ignore();
    } else {
      QToolTip::showText(help->globalPos(),
                         QStringLiteral("%1: %2").arg(rows_[row].label, valueText(row)), this);
    }
    return true;
  }
  return QWidget::event(event);
}

void BarChart::setHovered(int row) {
  if (hovered_ == row) return;
  hovered_ = row;
  Q_EMIT rowHovered(row);
  update();
}

void BarChart::setCurrentRow(int row) {
  row = std::clamp<int>(row, -1, rows_.size() - 1);
  if (current_ == row) return;
  current_ = row;
  Q_EMIT currentRowChanged(row);
  update();
}

void BarChart::mouseMoveEvent(QMouseEvent* event) {
  setHovered(rowAt(event->position().toPoint()));
}

void BarChart::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) setCurrentRow(rowAt(event->position().toPoint()));
}

void BarChart::mouseDoubleClickEvent(QMouseEvent* event) {
  const int row = rowAt(event->position().toPoint());
  if (event->button() == Qt::LeftButton && row >= 0) Q_EMIT rowActivated(row);
}

void BarChart::leaveEvent(QEvent*) { setHovered(-1); }

void BarChart::keyPressEvent(QKeyEvent* event) {
  const int last = static_cast<int>(rows_.size()) - 1;
  switch (event->key()) {
    case Qt::Key_Up:
      return setCurrentRow(std::max(0, current_ - 1));
    case Qt::Key_Down:
      return setCurrentRow(std::min(last, current_ + 1));
    case Qt::Key_Home:
      return setCurrentRow(0);
    case Qt::Key_End:
      return setCurrentRow(last);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (current_ >= 0) Q_EMIT rowActivated(current_);
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void BarChart::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange) measure();
}

}  // namespace tenon::ui
