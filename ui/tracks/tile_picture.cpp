// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of tiles: bands, blocks with thin lines between them, the line of the total.
#include "ui/tracks/tile_picture.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace tenon::ui {

namespace {

constexpr int kLeastForLine = 4;  // pixels a block needs before a line parts it from its neighbour

QColor mix(const QColor& over, const QColor& under, double share) {
  const auto channel = [share](int a, int b) {
    return std::clamp(static_cast<int>(b + (a - b) * share + 0.5), 0, 255);
  };
  return QColor(channel(over.red(), under.red()), channel(over.green(), under.green()),
                channel(over.blue(), under.blue()));
}

/// Rows of a query's bytes, whole pixels, so that neighbours touch without a seam.
class Rows {
 public:
  explicit Rows(const TileQuery& query)
      : low_(query.low), scale_(query.rows / (query.high - query.low)), rows_(query.rows) {}
  int of(double bytes) const {
    const double row = rows_ - (bytes - low_) * scale_;
    return static_cast<int>(std::lround(std::clamp(row, -1.0, rows_ + 1.0)));
  }

 private:
  double low_;
  double scale_;
  int rows_;
};

QRect rectOf(const TileSpan& span, const Rows& rows) {
  const int top = rows.of(span.high);
  return {span.firstColumn, top, span.lastColumn - span.firstColumn, rows.of(span.low) - top};
}

void paintBlock(QPainter& painter, QRect rect, const QColor& colour, const QColor& line,
                bool starts) {
  if (rect.height() < 1) rect.setHeight(1);
  painter.fillRect(rect, colour);
  if (rect.height() >= kLeastForLine) {
    painter.fillRect(rect.left(), rect.top(), rect.width(), 1, line);
  }
  if (starts && rect.width() >= kLeastForLine) {
    painter.fillRect(rect.left(), rect.top(), 1, rect.height(), line);
  }
}

void paintTotal(QPainter& painter, const StackTile& tile, const Rows& rows, const QColor& colour) {
  int before = -1;
  for (int column = 0; column < static_cast<int>(tile.totals.size()); ++column) {
    const std::int64_t total = tile.totals[static_cast<std::size_t>(column)];
    const int row = rows.of(static_cast<double>(total));
    const int from = before < 0 ? row : std::min(row, before);
    const int to = before < 0 ? row : std::max(row, before);
    if (total > 0 || before >= 0) painter.fillRect(column, from, 1, to - from + 1, colour);
    before = row;
  }
}

}  // namespace

QColor blockColour(const TrackTheme& theme, const QColor& category, std::int64_t id) {
  // Fibonacci hashing (Knuth, TAOCP 3, 6.4) of the id into five shades.
  const auto hash = static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15ull;
  return mix(category, theme.surface, 0.72 + 0.06 * static_cast<double>((hash >> 40) % 5));
}

QImage paintTile(const StackTile& tile, const QList<TrackCategory>& categories,
                 const TrackTheme& theme) {
  const TileQuery& query = tile.query;
  QImage image(std::max(query.columns, 1), std::max(query.rows, 1),
               QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  if (tile.spans.empty()) return image;
  QPainter painter(&image);
  const Rows rows(query);
  std::int64_t before = TileSpan::kSmall;
  int reached = 0;
  for (const TileSpan& span : tile.spans) {
    const QColor category =
        span.category < categories.size() ? categories[span.category].colour : theme.secondary;
    if (span.id == TileSpan::kSmall) {
      painter.fillRect(rectOf(span, rows), mix(category, theme.surface, 0.55));
      continue;
    }
    const bool starts = span.id != before || span.firstColumn != reached;
    paintBlock(painter, rectOf(span, rows), blockColour(theme, category, span.id), theme.surface,
               starts);
    before = span.id;
    reached = span.lastColumn;
  }
  paintTotal(painter, tile, rows, mix(theme.text, theme.surface, 0.75));
  return image;
}

}  // namespace tenon::ui
