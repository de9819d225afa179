// SPDX-License-Identifier: GPL-3.0-or-later
// The box that reads the values of all curves where the pointer stands.
#pragma once

#include <QColor>
#include <QFont>
#include <QList>
#include <QRect>
#include <QString>

#include "ui/plot/palette.h"

class QPainter;

namespace tenon::ui {

/// One curve's line.
struct ReadoutRow {
  QColor colour;
  QList<qreal> dash;
  QString name;
  QString raw;
  QString smooth;  ///< Empty: not smoothed.
  QString where;   ///< Its own step if it differs from the heading's.
};

struct Readout {
  QString heading;
  QList<ReadoutRow> rows;
};

/// Lays a readout out in columns and paints it; rows beyond the height are counted in a last line.
class ReadoutBox {
 public:
  /// @param height the most pixels the box may take.
  ReadoutBox(const Readout& readout, const QFont& font, int height);
  QSize size() const;
  void paint(QPainter& painter, const QPoint& corner, const PlotTheme& theme) const;

 private:
  void measure();
  void paintTitles(QPainter& painter, const QRect& line, const PlotTheme& theme) const;
  void paintRow(QPainter& painter, const QRect& line, const ReadoutRow& row,
                const PlotTheme& theme) const;

  Readout readout_;
  QFont font_;
  QString rawTitle_;
  QString smoothTitle_;
  qsizetype shown_ = 0;
  int nameWidth_ = 0;
  int rawRight_ = 0;     // from the left of a line, like the next two
  int smoothRight_ = 0;  // equals rawRight_ if nothing is smoothed
  int width_ = 0;
  bool smooth_ = false;
};

}  // namespace tenon::ui
