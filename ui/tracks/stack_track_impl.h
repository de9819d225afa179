// SPDX-License-Identifier: GPL-3.0-or-later
// What StackTrack keeps to itself: view, tiles under way, hover and drag.
#pragma once

#include <QFont>
#include <QImage>
#include <QThreadPool>
#include <optional>
#include <stop_token>

#include "ui/keys/own_keys.h"
#include "ui/tracks/stack_track.h"
#include "ui/tracks/track_ticks.h"

class QAction;

namespace tenon::ui {

class StackTrack::Impl {
 public:
  /// The stretch of ticks and bytes in sight.
  struct View {
    double begin = 0;
    double end = 1;
    double low = 0;
    double high = 1;
    bool operator==(const View&) const = default;
  };
  /// A finished tile, and what it was made for.
  struct Shown {
    StackTile tile;
    QImage image;
    quint64 look = 0;  ///< Theme and categories it was painted with.
  };
  struct Drag {
    bool pressed = false;
    bool moved = false;
    QPointF from;
    View view;
  };

  explicit Impl(StackTrack* track) : q(track) { pool.setMaxThreadCount(1); }

  // Tiles (stack_track_tiles.cpp)
  TileQuery wantedQuery() const;
  bool serves(const TileQuery& query) const;
  void refresh();
  void start();
  void arrived(Shown made, quint64 forSource);
  void stopWork();

  // Keys (stack_track_input.cpp)
  void buildKeys();

  // View (stack_track.cpp)
  View whole() const;
  void setView(View wanted);
  void zoomTime(double at, double factor);
  void zoomBytes(double at, double factor);
  void pan(double timeShare, double bytesShare, const View& from);
  void reveal(qint64 id);
  void select(qint64 id);

  // Painting (stack_track_paint.cpp)
  QFont fontOf(double points) const;
  void layout();
  void layoutLegend();
  void paint(QPainter& painter);
  void paintHeader(QPainter& painter);
  void paintAxes(QPainter& painter);
  void paintTile(QPainter& painter);
  void paintMarked(QPainter& painter, qint64 id, const QColor& colour, double width);
  void paintCursor(QPainter& painter);
  void paintReadout(QPainter& painter);
  void paintEmpty(QPainter& painter);
  QStringList readoutLines() const;
  QString byteUnit() const;
  QString peakText() const;
  QRectF rectOf(const TileSpan& span) const;
  double xOf(double time) const;
  double yOf(double bytes) const;
  const TileSpan* spanAt(const QPointF& point) const;
  std::optional<int> columnAt(const QPointF& point) const;

  StackTrack* q;
  OwnKeys keys{*q};
  TrackTheme theme = TrackTheme::light();
  QString title;
  QString emptyText;
  TrackAxis axis;
  QList<TrackCategory> categories;
  std::shared_ptr<const TileSource> source;
  std::function<QStringList(qint64)> describer;
  qint64 selected = -1;
  qint64 hovered = -1;
  std::optional<qint64> marked;
  std::optional<QPointF> pointer;
  Drag drag;
  bool keyboardFocus = false;

  View view;
  QRect plot;
  int header = 0;        // height above the picture
  QList<QPoint> legend;  // left end and row of each category
  TrackTicks yTicks;

  QThreadPool pool;
  std::stop_source stop;
  std::optional<Shown> shown;
  bool working = false;
  bool due = false;          // a newer picture than the one under way is wanted
  quint64 sourceNumber = 0;  // counts setSource: late tiles of an older one are dropped
  quint64 look = 0;          // counts changes of theme and categories
};

}  // namespace tenon::ui
