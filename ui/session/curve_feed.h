// SPDX-License-Identifier: GPL-3.0-or-later
// CurveFeed: the curves a panel follows, as rows that arrive, from the first one ever logged to the
// newest.
#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>

#include "engine/store/metrics.h"

namespace tenon::ui {

class RunData;

/// One value of a curve; the same members as ui/plot's SeriesPoint.
struct CurvePoint {
  qint64 step = 0;
  double epoch = 0;    ///< epochs since the start, with fractions
  double seconds = 0;  ///< trained since the run started
  double value = 0;    ///< may be NaN or infinite
};

/// New points of one curve.
struct CurveGrowth {
  qint64 run = 0;
  QString metric;          ///< "train/loss", "validation/accuracy", "memory/allocated", ...
  QString unit;            ///< "%", "MiB", ...
  bool restarted = false;  ///< forget what was known of this curve: it was rewound
  QList<CurvePoint> points;
};

/**
 * Delivers the rows of chosen runs and metrics. Changing the choice delivers what is new in it from
 * its first row; what left it is just not delivered any more. Arrivals are in order a curve, at
 * most ten batches a second a run, and pause while the feed is asleep (a hidden panel).
 */
class CurveFeed final : public QObject {
  Q_OBJECT
 public:
  explicit CurveFeed(RunData& data, QObject* parent = nullptr);

  /// Runs to follow, in any order.
  void setRuns(const QList<qint64>& runs);
  /// Names; one that ends in '/' or '*' stands for all that begin so. Empty: all.
  void setMetrics(const QStringList& names);
  [[nodiscard]] const QList<qint64>& runs() const { return runs_; }
  /// Nothing is delivered while asleep; waking catches up.
  void setAsleep(bool asleep);

 Q_SIGNALS:
  void grew(const tenon::ui::CurveGrowth& growth);
  /// The feed starts over (another project, or metrics were chosen anew): forget all curves.
  void reset();
  /// The rows of a run cannot be read, for this reason; tried again until they can. The next
  /// caughtUp() of the run says that they could.
  void failed(qint64 run, const QString& text);
  /// All rows that were in the store are delivered.
  void caughtUp(qint64 run);

 private:
  struct Follow;
  void read(qint64 run);
  void retryLater(qint64 run, const std::shared_ptr<Follow>& follow);
  void retryNow();
  void startOver();

  RunData& data_;
  QList<qint64> runs_;
  QStringList metrics_;
  QHash<qint64, std::shared_ptr<Follow>> follows_;
  quint64 generation_ = 0;
  bool asleep_ = false;
};

}  // namespace tenon::ui
