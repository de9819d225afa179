// SPDX-License-Identifier: GPL-3.0-or-later
// CurveSet: some metrics of some runs as the curves of one plot, kept up to date from the store.
#pragma once

#include <QHash>
#include <QList>
#include <QMap>
#include <QObject>
#include <QString>
#include <memory>

#include "ui/session/curve_feed.h"

namespace tenon::ui {

class LinePlot;
class RunData;
class SeriesData;

/// A metric as one line of a plot.
struct CurveLine {
  QString metric;  ///< name in the store: "train/loss"
  QString label;   ///< in the legend; behind the run's name where several runs are shown
  bool validation = false;
  bool steps = false;
  bool fill = false;
  bool smooth = false;
  int hue = 0;  ///< series colours away from the run's own, where one run has several quantities
  friend bool operator==(const CurveLine&, const CurveLine&) = default;
};

/**
 * Fills a plot. Lines of a run appear with their first value, in the order of the runs and lines
 * asked for, however they arrive. Runs and lines that stay keep what was read.
 */
class CurveSet final : public QObject {
  Q_OBJECT
 public:
  /// `plot` must outlive this.
  CurveSet(RunData& data, LinePlot& plot, QObject* parent = nullptr);
  ~CurveSet() override;

  void setLines(const QList<CurveLine>& lines);
  void setRuns(const QList<qint64>& runs);
  [[nodiscard]] const QList<qint64>& runs() const { return feed_.runs(); }
  /// Lines carry the name of their run even when there is only one; else only where there are more.
  void setNamesRuns(bool always);
  /// While asleep nothing is read; waking catches up.
  void setAsleep(bool asleep) { feed_.setAsleep(asleep); }
  /// True if no value has arrived.
  [[nodiscard]] bool isEmpty() const { return curves_.isEmpty(); }
  /// True once everything that was in the store of all runs is here.
  [[nodiscard]] bool isComplete() const { return behind_.isEmpty(); }
  /// Why values cannot be read; empty while they can.
  [[nodiscard]] QString problem() const {
    return problems_.isEmpty() ? QString() : problems_.first();
  }

 Q_SIGNALS:
  /// Unit of what is drawn, with the first values ("%", "MiB").
  void unitChanged(const QString& unit);
  /// isEmpty(), isComplete() or problem() may have changed.
  void stateChanged();

 private:
  using Key = std::pair<qint64, QString>;
  void take(const CurveGrowth& growth);
  void reset();
  void show(qint64 run, const CurveLine& line);
  void rebuild();
  void addToPlot(qint64 run, const CurveLine& line);
  [[nodiscard]] bool showsNames() const { return alwaysNamed_ || feed_.runs().size() > 1; }
  [[nodiscard]] QStringList runNames() const;
  [[nodiscard]] QString nameOf(qint64 run, const CurveLine& line) const;

  RunData& data_;
  LinePlot& plot_;
  CurveFeed feed_;
  QList<CurveLine> lines_;
  QHash<Key, std::shared_ptr<SeriesData>> curves_;
  QList<qint64> behind_;            ///< runs of which rows are still to come
  QMap<qint64, QString> problems_;  ///< of runs whose rows cannot be read
  QStringList names_;               ///< of the runs, as the legend has them
  QString unit_;
  bool alwaysNamed_ = false;
};

}  // namespace tenon::ui
