// SPDX-License-Identifier: GPL-3.0-or-later
// The legend of a plot: one row of keys that hide and isolate their curves.
#pragma once

#include <QAbstractButton>
#include <QList>
#include <QString>
#include <QWidget>

#include "ui/plot/palette.h"

class QToolButton;

namespace tenon::ui {

struct LegendEntry {
  QString key;
  QString name;
  QColor colour;
  QList<qreal> dash;
  bool visible = true;
  bool operator==(const LegendEntry&) const = default;
};

/// Draws a curve's sample line, vertically centred in `area`.
void paintLineSample(QPainter& painter, const QRectF& area, const QColor& colour,
                     const QList<qreal>& dash);

/// One key: a button that is checked while its curve shows.
class LegendKey : public QAbstractButton {
  Q_OBJECT

 public:
  explicit LegendKey(QWidget* parent = nullptr);
  void setEntry(const LegendEntry& entry, const PlotTheme& theme);
  const LegendEntry& entry() const { return entry_; }
  QSize sizeHint() const override;

 Q_SIGNALS:
  /// `afterClick`: the first half of a double click has toggled the curve already.
  void isolateRequested(bool afterClick);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  LegendEntry entry_;
  PlotTheme theme_;
};

/// Keys in one row; those that do not fit are in the menu of a button at the end.
class LegendBar : public QWidget {
  Q_OBJECT

 public:
  explicit LegendBar(QWidget* parent = nullptr);
  void setEntries(const QList<LegendEntry>& entries, const PlotTheme& theme);
  const QList<LegendEntry>& entries() const { return entries_; }
  LegendKey* key(const QString& key) const;
  /// Paints the row without widgets, for exported pictures.
  static void paint(QPainter& painter, const QRect& area, const QFont& font,
                    const QList<LegendEntry>& entries, const PlotTheme& theme);

 Q_SIGNALS:
  void toggled(const QString& key);
  void isolated(const QString& key, bool afterClick);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  LegendKey* makeKey();
  void arrange();
  void fillMenu();

  QList<LegendEntry> entries_;
  QList<LegendKey*> keys_;
  QToolButton* more_;
  qsizetype shown_ = 0;
};

}  // namespace tenon::ui
