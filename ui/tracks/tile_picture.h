// SPDX-License-Identifier: GPL-3.0-or-later
// A tile as an image; painted on the thread that made the tile.
#pragma once

#include <QImage>
#include <QList>

#include "ui/tracks/tile_source.h"
#include "ui/tracks/track_theme.h"

namespace tenon::ui {

/// Colour of a block: its category's, a little lighter or darker by its id, so that neighbours
/// part.
QColor blockColour(const TrackTheme& theme, const QColor& category, std::int64_t id);

/// Paints a tile into an image of query.columns by query.rows pixels, transparent where nothing is.
/// `categories` beyond its end are painted in the secondary colour. @thread any
QImage paintTile(const StackTile& tile, const QList<TrackCategory>& categories,
                 const TrackTheme& theme);

}  // namespace tenon::ui
