// SPDX-License-Identifier: GPL-3.0-or-later
// StackTrack's interface and view.
#include "ui/tracks/stack_track.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/tracks/stack_track_impl.h"

namespace tenon::ui {

namespace {

constexpr double kHeadRoom = 1.06;  // above the peak
constexpr double kLeastTicks = 4;   // across the widget, at the closest zoom

}  // namespace

StackTrack::StackTrack(QWidget* parent) : QWidget(parent), d_(std::make_unique<Impl>(this)) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Track"));
  d_->emptyText = tr("Nothing recorded");
  d_->buildKeys();
}

StackTrack::~StackTrack() {
  d_->stopWork();
  d_->pool.waitForDone();
}

void StackTrack::setTheme(const TrackTheme& theme) {
  d_->theme = theme;
  ++d_->look;
  d_->refresh();
}

void StackTrack::setTitle(const QString& title) {
  d_->title = title;
  setAccessibleName(title.isEmpty() ? tr("Track") : title);
  d_->layout();
  d_->refresh();
}

void StackTrack::setAxis(const TrackAxis& axis) {
  d_->axis = axis;
  update();
}

void StackTrack::setCategories(const QList<TrackCategory>& categories) {
  d_->categories = categories;
  ++d_->look;
  d_->layout();
  d_->refresh();
}

void StackTrack::setSource(std::shared_ptr<const TileSource> source) {
  if (source && source->size() == 0) source.reset();
  d_->stopWork();
  d_->source = std::move(source);
  ++d_->sourceNumber;
  d_->shown.reset();
  d_->selected = d_->hovered = -1;
  d_->marked.reset();
  setAccessibleDescription(summary());
  fit();
  d_->layout();
  d_->refresh();
}

std::shared_ptr<const TileSource> StackTrack::source() const { return d_->source; }

void StackTrack::setEmptyText(const QString& text) {
  d_->emptyText = text;
  setAccessibleDescription(summary());
  update();
}

void StackTrack::setDescriber(std::function<QStringList(qint64)> describer) {
  d_->describer = std::move(describer);
}

void StackTrack::setSelected(qint64 id) {
  if (d_->selected == id) return;
  d_->selected = id;
  setAccessibleDescription(summary());
  if (id >= 0) d_->reveal(id);
  d_->refresh();
}

qint64 StackTrack::selected() const { return d_->selected; }

void StackTrack::setMarkedTime(qint64 time) {
  d_->marked = time;
  update();
}

void StackTrack::clearMarkedTime() {
  d_->marked.reset();
  update();
}

double StackTrack::viewBegin() const { return d_->view.begin; }
double StackTrack::viewEnd() const { return d_->view.end; }
double StackTrack::viewLow() const { return d_->view.low; }
double StackTrack::viewHigh() const { return d_->view.high; }

void StackTrack::setView(double begin, double end) {
  if (end > begin) d_->setView({begin, end, d_->view.low, d_->view.high});
}

void StackTrack::fit() { d_->setView(d_->whole()); }

StackTrack::Impl::View StackTrack::Impl::whole() const {
  if (!source) return {};
  const auto begin = static_cast<double>(source->begin());
  const auto end = static_cast<double>(source->end());
  const double high = std::max(1.0, static_cast<double>(source->peakBytes()) * kHeadRoom);
  return {begin, end, 0, high};
}

void StackTrack::Impl::setView(View wanted) {
  const View all = whole();
  const double size = std::clamp(wanted.end - wanted.begin, kLeastTicks,
                                 std::max(kLeastTicks, 1.5 * (all.end - all.begin)));
  if (size != wanted.end - wanted.begin) {
    const double middle = (wanted.begin + wanted.end) / 2;
    wanted.begin = middle - size / 2;
    wanted.end = middle + size / 2;
  }
  // Half of the picture may be past either end, never all of it.
  const double shift = std::clamp(wanted.begin, all.begin - size / 2, all.end - size / 2);
  wanted.end += shift - wanted.begin;
  wanted.begin = shift;
  if (wanted == view) return refresh();
  view = wanted;
  layout();
  Q_EMIT q->viewChanged(view.begin, view.end);
  refresh();
}

void StackTrack::Impl::zoomTime(double at, double factor) {
  const double size = std::clamp((view.end - view.begin) * factor, kLeastTicks,
                                 std::max(kLeastTicks, 1.5 * (whole().end - whole().begin)));
  const double share = (at - view.begin) / (view.end - view.begin);
  setView({at - share * size, at + (1 - share) * size, view.low, view.high});
}

void StackTrack::Impl::zoomBytes(double at, double factor) {
  const double most = whole().high;
  const double size = std::clamp((view.high - view.low) * factor, std::min(16.0, most), most);
  const double share = (at - view.low) / (view.high - view.low);
  const double low = std::clamp(at - share * size, 0.0, most - size);
  setView({view.begin, view.end, low, low + size});
}

void StackTrack::Impl::pan(double timeShare, double bytesShare, const View& from) {
  const double time = (from.end - from.begin) * timeShare;
  const double size = from.high - from.low;
  const double low = std::clamp(from.low + size * bytesShare, 0.0, whole().high - size);
  setView({from.begin + time, from.end + time, low, low + size});
}

/// Moves the view to a block that is out of sight, keeping the zoom.
void StackTrack::Impl::reveal(qint64 id) {
  const std::optional<TrackBlock> block = source ? source->block(id) : std::nullopt;
  if (!block) return;
  const auto start = static_cast<double>(block->start);
  const double end = std::min(static_cast<double>(block->end), whole().end);
  if (start < view.end && end > view.begin) return;
  const double size = view.end - view.begin;
  const double middle = end - start > size ? start + size * 0.4 : (start + end) / 2;
  setView({middle - size / 2, middle + size / 2, view.low, view.high});
}

void StackTrack::Impl::select(qint64 id) {
  if (selected == id) return;
  selected = id;
  q->setAccessibleDescription(q->summary());
  refresh();
  Q_EMIT q->blockSelected(id);
}

QRect StackTrack::plotArea() const { return d_->plot; }

double StackTrack::timeAt(double x) const {
  return d_->view.begin +
         (x - d_->plot.left()) / std::max(1, d_->plot.width()) * (d_->view.end - d_->view.begin);
}

double StackTrack::bytesAt(double y) const {
  const double share = (d_->plot.top() + d_->plot.height() - y) / std::max(1, d_->plot.height());
  return d_->view.low + share * (d_->view.high - d_->view.low);
}

qint64 StackTrack::blockAt(const QPoint& point) const {
  // The middle of the pixel, so that a block's first row belongs to it.
  const TileSpan* span = d_->spanAt(QPointF(point) + QPointF(0.5, 0.5));
  return span ? span->id : kNothing;
}

bool StackTrack::isSettled() const {
  return !d_->source || (!d_->working && d_->serves(d_->wantedQuery()));
}

QString StackTrack::summary() const {
  if (!d_->source) return d_->emptyText;
  const double perUnit = d_->axis.ticksPerUnit;
  const TileSource& source = *d_->source;
  QString text = tr("%n blocks, peak %1 at %2 %3", nullptr, static_cast<int>(source.size()))
                     .arg(bytesText(static_cast<double>(source.peakBytes())),
                          timeText(static_cast<double>(source.peakTime()), perUnit,
                                   static_cast<double>(source.end() - source.begin()) / 1000),
                          d_->axis.unit);
  text = text.trimmed();
  const std::optional<TrackBlock> block = source.block(d_->selected);
  if (!block) return text;
  const QString category = block->category < d_->categories.size()
                               ? d_->categories[block->category].name
                               : QString::number(block->category);
  return tr("%1; selected: %2, %3")
      .arg(text, category, bytesText(static_cast<double>(block->bytes)));
}

QSize StackTrack::sizeHint() const { return {640, 220}; }

QSize StackTrack::minimumSizeHint() const { return {240, 120}; }

void StackTrack::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  d_->paint(painter);
}

void StackTrack::resizeEvent(QResizeEvent*) {
  d_->layout();
  d_->refresh();
}

void StackTrack::showEvent(QShowEvent*) { d_->refresh(); }

void StackTrack::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange && event->type() != QEvent::LanguageChange) return;
  d_->layout();
  d_->refresh();
}

}  // namespace tenon::ui
