// SPDX-License-Identifier: GPL-3.0-or-later
// Layout by arithmetic, selection and keys of the gallery (image_grid.h).
#include "ui/widgets/image_grid.h"

#include <QAccessible>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <utility>

#include "ui/widgets/painting.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kEdge = 8;     // around the whole gallery
constexpr int kPad = 6;      // around the picture within its cell
constexpr int kBetween = 4;  // between cells
constexpr int kLine = 16;

}  // namespace

ImageGrid::ImageGrid(QWidget* parent) : QAbstractItemView(parent) {
  setFrameShape(QFrame::NoFrame);
  setSelectionMode(ExtendedSelection);
  setEditTriggers(NoEditTriggers);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(ScrollPerPixel);
  setMouseTracking(true);
  setTabKeyNavigation(false);
  setAccessibleName(tr("Images"));
}

void ImageGrid::setCellSize(int pixels) {
  const int top = visibleRange().first;
  cell_ = std::clamp(pixels, 24, 512);
  updateGeometries();
  if (top >= 0) scrollTo(model()->index(top, 0, rootIndex()), PositionAtTop);
  viewport()->update();
}

void ImageGrid::setTextLines(int lines) {
  textLines_ = std::clamp(lines, 0, 2);
  updateGeometries();
  viewport()->update();
}

void ImageGrid::setTextWidth(int pixels) {
  if (std::exchange(textWidth_, std::max(0, pixels)) == pixels) return;
  updateGeometries();
  viewport()->update();
}

void ImageGrid::setPixelated(bool pixelated) {
  pixelated_ = pixelated;
  viewport()->update();
}

void ImageGrid::setPlaceholder(const QString& text) {
  placeholder_ = text;
  viewport()->update();
}

void ImageGrid::setModel(QAbstractItemModel* next) {
  if (model()) model()->disconnect(this);
  QAbstractItemView::setModel(next);
  if (next) {
    const auto relayout = [this] { scheduleDelayedItemsLayout(); };
    connect(next, &QAbstractItemModel::rowsInserted, this, relayout);
    connect(next, &QAbstractItemModel::rowsRemoved, this, relayout);
    connect(next, &QAbstractItemModel::layoutChanged, this, relayout);
    connect(next, &QAbstractItemModel::modelReset, this, relayout);
  }
  doItemsLayout();
}

void ImageGrid::doItemsLayout() {
  QAbstractItemView::doItemsLayout();
  updateGeometries();
  viewport()->update();
}

int ImageGrid::rows() const { return model() ? model()->rowCount(rootIndex()) : 0; }

QSize ImageGrid::pitch() const {
  return {room() + 2 * kPad + kBetween, cell_ + 2 * kPad + textLines_ * kLine + kBetween};
}

int ImageGrid::columns() const {
  return std::max(1, (viewport()->width() - 2 * kEdge + kBetween) / pitch().width());
}

QRect ImageGrid::cellRect(int row) const {
  const int across = columns();
  const QSize step = pitch();
  return {kEdge + (row % across) * step.width(),
          kEdge + (row / across) * step.height() - verticalOffset(), step.width() - kBetween,
          step.height() - kBetween};
}

std::pair<int, int> ImageGrid::visibleRange() const {
  const int count = rows();
  if (count == 0) return {-1, -1};
  const int step = pitch().height();
  const int across = columns();
  const int top = std::max(0, (verticalOffset() - kEdge) / step);
  const int bottom = std::max(0, (verticalOffset() + viewport()->height() - 1 - kEdge) / step);
  return {std::min(count - 1, top * across), std::min(count - 1, (bottom + 1) * across - 1)};
}

QRect ImageGrid::visualRect(const QModelIndex& index) const {
  return index.isValid() ? cellRect(index.row()) : QRect();
}

QModelIndex ImageGrid::indexAt(const QPoint& point) const {
  if (rows() == 0) return {};
  const int row = nearestRow(point);
  return cellRect(row).contains(point) ? model()->index(row, 0, rootIndex()) : QModelIndex();
}

int ImageGrid::nearestRow(const QPoint& point) const {
  const QSize step = pitch();
  const int across = columns();
  const int column = std::clamp((point.x() - kEdge) / step.width(), 0, across - 1);
  const int line = std::max(0, (point.y() - kEdge + verticalOffset()) / step.height());
  const qint64 row = static_cast<qint64>(line) * across + column;
  return static_cast<int>(std::clamp<qint64>(row, 0, rows() - 1));
}

void ImageGrid::scrollTo(const QModelIndex& index, ScrollHint hint) {
  if (!index.isValid()) return;
  const QRect rect = cellRect(index.row());
  const int height = viewport()->height();
  int move = 0;
  if (hint == PositionAtTop) {
    move = rect.top() - kEdge;
  } else if (hint == PositionAtBottom) {
    move = rect.bottom() - height + kEdge;
  } else if (hint == PositionAtCenter) {
    move = rect.center().y() - height / 2;
  } else if (rect.top() < 0) {
    move = rect.top() - kEdge;
  } else if (rect.bottom() >= height) {
    move = std::min(rect.bottom() - height + kEdge, rect.top());
  }
  verticalScrollBar()->setValue(verticalScrollBar()->value() + move);
}

int ImageGrid::horizontalOffset() const { return 0; }

int ImageGrid::verticalOffset() const { return verticalScrollBar()->value(); }

bool ImageGrid::isIndexHidden(const QModelIndex&) const { return false; }

QModelIndex ImageGrid::moveCursor(CursorAction action, Qt::KeyboardModifiers) {
  const int count = rows();
  if (count == 0) return {};
  const int across = columns();
  const int page = std::max(1, viewport()->height() / pitch().height()) * across;
  int row = currentIndex().isValid() ? currentIndex().row() : 0;
  const auto by = [&](int step) {
    const int next = row + step;
    // Up and down keep the column: past the ends they stay.
    const bool sideways = std::abs(step) == 1;
    if (next >= 0 && next < count) return next;
    return sideways || std::abs(step) == page ? std::clamp(next, 0, count - 1) : row;
  };
  switch (action) {
    case MoveLeft:
    case MovePrevious:
      row = by(-1);
      break;
    case MoveRight:
    case MoveNext:
      row = by(1);
      break;
    case MoveUp:
      row = by(-across);
      break;
    case MoveDown:
      row = by(across);
      break;
    case MovePageUp:
      row = by(-page);
      break;
    case MovePageDown:
      row = by(page);
      break;
    case MoveHome:
      row = 0;
      break;
    case MoveEnd:
      row = count - 1;
      break;
  }
  return model()->index(row, 0, rootIndex());
}

QItemSelection ImageGrid::rowsBetween(int first, int last) const {
  return {model()->index(std::min(first, last), 0, rootIndex()),
          model()->index(std::max(first, last), 0, rootIndex())};
}

void ImageGrid::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags flags) {
  if (!selectionModel() || rows() == 0) return;
  QItemSelection selection;
  const QPoint from = rect.topLeft();
  const QPoint to = rect.bottomRight();
  if (state() == DragSelectingState) {
    const QRect area = rect.normalized();
    const int first = nearestRow(area.topLeft());
    const int last = nearestRow(area.bottomRight());
    const int across = columns();
    const int left = first % across;
    const int right = nearestRow(QPoint(area.right(), kEdge - verticalOffset())) % across;
    for (int line = first / across; line <= last / across; ++line) {
      const int begin = line * across + left;
      if (begin >= rows()) break;
      selection.merge(rowsBetween(begin, std::min(rows() - 1, line * across + right)),
                      QItemSelectionModel::Select);
    }
  } else if (indexAt(to).isValid() || indexAt(from).isValid()) {
    selection = rowsBetween(nearestRow(from), nearestRow(to));
  }
  selectionModel()->select(selection, flags);
}

QRegion ImageGrid::visualRegionForSelection(const QItemSelection& selection) const {
  QRegion region;
  const auto [first, last] = visibleRange();
  for (const QItemSelectionRange& range : selection) {
    const int begin = std::max(first, range.top());
    const int end = std::min(last, range.bottom());
    for (int row = begin; row >= 0 && row <= end; ++row) region += cellRect(row);
  }
  return region;
}

void ImageGrid::resizeEvent(QResizeEvent* event) {
  const int top = announced_.first;
  QAbstractItemView::resizeEvent(event);
  updateGeometries();
  // A new number of columns must not carry the reader away from where they were.
  if (top > 0) scrollTo(model()->index(top, 0, rootIndex()), PositionAtTop);
}

void ImageGrid::updateGeometries() {
  QAbstractItemView::updateGeometries();
  const int across = columns();
  const qint64 lines = (static_cast<qint64>(rows()) + across - 1) / across;
  const qint64 height = lines * pitch().height() - kBetween + 2 * kEdge;
  const qint64 range = std::clamp<qint64>(height - viewport()->height(), 0, INT_MAX / 2);
  verticalScrollBar()->setSingleStep(pitch().height() / 3);
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setRange(0, static_cast<int>(range));
  announceRange();
}

void ImageGrid::scrollContentsBy(int, int) {
  viewport()->update();
  announceRange();
}

void ImageGrid::announceRange() {
  const auto range = visibleRange();
  if (range == announced_) return;
  announced_ = range;
  Q_EMIT visibleRangeChanged(range.first, range.second);
}

void ImageGrid::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QAbstractItemView::currentChanged(current, previous);
  if (!current.isValid()) return;
  const QString name = current.data(Qt::DisplayRole).toString();
  setAccessibleDescription(tr("%1, %2, image %3 of %4")
                               .arg(name, current.data(kChipTextRole).toString())
                               .arg(current.row() + 1)
                               .arg(rows()));
  QAccessibleEvent event(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&event);
}

bool ImageGrid::viewportEvent(QEvent* event) {
  int now = hovered_;
  if (event->type() == QEvent::MouseMove || event->type() == QEvent::HoverMove) {
    const auto* mouse = static_cast<QSinglePointEvent*>(event);
    const QModelIndex index = indexAt(mouse->position().toPoint());
    now = index.isValid() ? index.row() : -1;
  } else if (event->type() == QEvent::Leave) {
    now = -1;
  }
  if (now != hovered_) {
    for (const int row : {std::exchange(hovered_, now), now}) {
      if (row >= 0) viewport()->update(cellRect(row));
    }
  }
  return QAbstractItemView::viewportEvent(event);
}

}  // namespace tenon::ui
