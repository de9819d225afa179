// SPDX-License-Identifier: GPL-3.0-or-later
// Makes StackTrack's pictures off the GUI thread: one at a time, the newest wanted next.
#include <algorithm>
#include <cmath>

#include "ui/tracks/stack_track_impl.h"
#include "ui/tracks/tile_picture.h"

namespace tenon::ui {

/// The view with half a width to either side, so that panning finds something to show.
TileQuery StackTrack::Impl::wantedQuery() const {
  const double ratio = q->devicePixelRatioF();
  const int columns = std::max(1, static_cast<int>(std::lround(plot.width() * ratio)));
  const int margin = columns / 2;
  const double perColumn = (view.end - view.begin) / columns;
  TileQuery query;
  query.begin = view.begin - margin * perColumn;
  query.end = view.end + margin * perColumn;
  query.columns = columns + 2 * margin;
  query.low = view.low;
  query.high = view.high;
  query.rows = std::max(1, static_cast<int>(std::lround(plot.height() * ratio)));
  query.pinned = selected;
  return query;
}

/// Whether the picture at hand still does: same scale, covering the view, same selection and look.
bool StackTrack::Impl::serves(const TileQuery& query) const {
  if (!shown || shown->look != look) return false;
  const TileQuery& have = shown->tile.query;
  const double perColumn = (have.end - have.begin) / have.columns;
  const double wanted = (query.end - query.begin) / query.columns;
  return have.columns == query.columns && have.rows == query.rows && have.low == query.low &&
         have.high == query.high && have.pinned == query.pinned &&
         std::abs(perColumn - wanted) <= 1e-9 * wanted && have.begin <= view.begin &&
         have.end >= view.end;
}

void StackTrack::Impl::refresh() {
  q->update();
  if (!source || plot.isEmpty() || !q->isVisible()) return;
  if (working) {
    due = true;
  } else if (!serves(wantedQuery())) {
    start();
  }
}

void StackTrack::Impl::start() {
  working = true;
  due = false;
  stop = std::stop_source();
  auto job = [this, source = source, query = wantedQuery(), categories = categories, theme = theme,
              look = look, number = sourceNumber, token = stop.get_token()] {
    std::optional<StackTile> tile = source->tile(query, token);
    Shown made;
    if (tile) {
      made = {std::move(*tile), {}, look};
      made.image = ui::paintTile(made.tile, categories, theme);
    }
    // The widget waits for the pool before it goes, and events posted to it go with it.
    QMetaObject::invokeMethod(
        q, [this, made = std::move(made), number] { arrived(made, number); }, Qt::QueuedConnection);
  };
  pool.start(std::move(job));
}

void StackTrack::Impl::arrived(Shown made, quint64 forSource) {
  working = false;
  if (forSource == sourceNumber && !made.image.isNull()) shown = std::move(made);
  refresh();
  if (!working && source && serves(wantedQuery())) Q_EMIT q->settled();
}

void StackTrack::Impl::stopWork() { stop.request_stop(); }

}  // namespace tenon::ui
