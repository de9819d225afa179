// SPDX-License-Identifier: GPL-3.0-or-later
// Stacked blocks over time as a widget: the memory timeline. Knows blocks and categories, not
// memory.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>
#include <functional>
#include <memory>

#include "ui/tracks/tile_source.h"
#include "ui/tracks/track_theme.h"

namespace tenon::ui {

/// The time axis: its name, the unit written behind, and ticks per unit (1e6 for ns shown as ms).
struct TrackAxis {
  QString name;
  QString unit;
  double ticksPerUnit = 1;
};

/// Draws a TileSource. Pictures are made on a thread of its own; until one is there the last one is
/// shown moved and scaled, so panning never waits. Mouse: wheel zooms time at the pointer,
/// Shift+wheel the bytes, drag pans, click selects, double click fits. Keys: arrows pan, + and -
/// zoom, 0 and Home fit, Escape clears the selection.
class StackTrack : public QWidget {
  Q_OBJECT

 public:
  explicit StackTrack(QWidget* parent = nullptr);
  ~StackTrack() override;

  void setTheme(const TrackTheme& theme);
  void setTitle(const QString& title);
  void setAxis(const TrackAxis& axis);
  void setCategories(const QList<TrackCategory>& categories);
  /// Shows a source from its beginning to its end; nullptr shows the empty text.
  void setSource(std::shared_ptr<const TileSource> source);
  std::shared_ptr<const TileSource> source() const;
  void setEmptyText(const QString& text);
  /// Adds lines to the readout of a block (its layer and op, say).
  void setDescriber(std::function<QStringList(qint64 id)> describer);

  /// Highlights a block and brings it into view if it is out of sight; -1 clears. Emits nothing.
  void setSelected(qint64 id);
  qint64 selected() const;
  /// Marks an instant with a vertical line.
  void setMarkedTime(qint64 time);
  void clearMarkedTime();

  /// The visible ticks.
  double viewBegin() const;
  double viewEnd() const;
  void setView(double begin, double end);
  /// The visible bytes.
  double viewLow() const;
  double viewHigh() const;
  void fit();

  /// The rectangle of the picture, in widget coordinates.
  QRect plotArea() const;
  /// Tick at a widget x, bytes at a widget y.
  double timeAt(double x) const;
  double bytesAt(double y) const;
  /// Id of the block drawn at a point, TileSpan::kSmall for lumped ones, -2 for none.
  qint64 blockAt(const QPoint& point) const;
  static constexpr qint64 kNothing = -2;
  /// Whether the picture shown is the one of the present view.
  bool isSettled() const;
  /// What a screen reader says.
  QString summary() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// A person chose a block (-1: none).
  void blockSelected(qint64 id);
  /// The block under the pointer; -1 if none.
  void blockHovered(qint64 id);
  /// The instant under the pointer on a click.
  void timeClicked(qint64 time);
  void viewChanged(double begin, double end);
  /// The picture of the present view has arrived.
  void settled();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  class Impl;
  std::unique_ptr<Impl> d_;
};

}  // namespace tenon::ui
