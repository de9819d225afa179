// SPDX-License-Identifier: GPL-3.0-or-later
// Horizontal bars with a label and a number each: class counts, class probabilities.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

#include "ui/plot/palette.h"

namespace tenon::ui {

/// How a bar's number is written.
enum class BarText { Count, Percent, Number };
/// What a bar is, beside its length. Good and Bad carry a sign too, so colour is never alone.
enum class BarRole { Normal, Muted, Good, Bad };

struct BarRow {
  QString label;
  double value = 0;
  BarRole role = BarRole::Normal;
  bool operator==(const BarRow&) const = default;
};

/// Rows of label, bar and number; labels and numbers line up. Put it in a QScrollArea for many
/// rows: it paints the visible ones only. Arrow keys move the current row, Enter activates it.
class BarChart : public QWidget {
  Q_OBJECT

 public:
  explicit BarChart(QWidget* parent = nullptr);

  void setTheme(const PlotTheme& theme);
  /// What the chart is about, for screen readers.
  void setTitle(const QString& title);
  void setRows(const QList<BarRow>& rows);
  const QList<BarRow>& rows() const { return rows_; }
  void setText(BarText text);
  /// Value of a full bar; 0 takes the largest row.
  void setMaximum(double maximum);
  /// Height of a row in pixels, 12 to 48 (default 24).
  void setRowHeight(int pixels);
  /// Index of the series colour of normal bars.
  void setRun(int run);
  void setEmptyText(const QString& text);

  /// The row under a point, -1 if none.
  int rowAt(const QPoint& point) const;
  int currentRow() const { return current_; }
  void setCurrentRow(int row);
  /// The bar's rectangle (without label and number).
  QRect barRect(int row) const;
  /// The number as written.
  QString valueText(int row) const;
  /// What a screen reader says.
  QString summary() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void currentRowChanged(int row);
  void rowActivated(int row);
  /// -1 when the pointer leaves.
  void rowHovered(int row);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void measure();
  void setHovered(int row);
  void paintRow(QPainter& painter, int row) const;
  void paintEmpty(QPainter& painter) const;

  PlotTheme theme_ = PlotTheme::light();
  QString title_;
  QString emptyText_;
  QList<BarRow> rows_;
  BarText text_ = BarText::Count;
  double maximum_ = 0;
  double largest_ = 0;
  int rowHeight_ = 24;
  int run_ = 0;
  int labelWidth_ = 0;
  int numberWidth_ = 0;
  int current_ = -1;
  int hovered_ = -1;
};

}  // namespace tenon::ui
