// SPDX-License-Identifier: GPL-3.0-or-later
// Rows from the store to curves.
#include "ui/session/curve_feed.h"

#include <QTimer>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/store/trained_time.h"
#include "ui/session/epoch_scale.h"
#include "ui/session/run_data.h"
#include "ui/session/trained_clock.h"

namespace tenon::ui {
namespace {

constexpr int64_t kRowsAtOnce = 100'000;
constexpr int kRetryMs = 500;
constexpr int kRetryLateMs = 10'000;

/// What one reading brings.
struct Batch {
  RunCursor cursor;
  std::vector<CurveGrowth> curves;
  EpochScale scale;
  QHash<QString, QString> units;
  int64_t rows = 0;
  TrainedTime time;
};

bool matches(const QStringList& patterns, const QString& name) {
  if (patterns.isEmpty()) return true;
  return std::any_of(patterns.begin(), patterns.end(), [&](const QString& pattern) {
    if (pattern.endsWith(u'*')) return name.startsWith(QStringView(pattern).chopped(1));
    if (pattern.endsWith(u'/')) return name.startsWith(pattern);
    return name == pattern;
  });
}

CurveGrowth growthOf(qint64 run, const SeriesRows& rows, const Batch& batch) {
  CurveGrowth growth;
  growth.run = run;
  growth.metric = QString::fromStdString(rows.name);
  growth.unit = batch.units.value(growth.metric);
  growth.restarted = rows.restarted;
  growth.points.reserve(static_cast<qsizetype>(rows.rows.size()));
  TrainedClock clock(batch.time);
  for (const MetricRow& row : rows.rows) {
    const double seconds = static_cast<double>(clock.until(row.timeUs)) * 1e-6;
    growth.points.append({row.step, batch.scale.at(row.step, row.epoch), seconds, row.value});
  }
  return growth;
}

}  // namespace

/// How far one run was read.
struct CurveFeed::Follow {
  RunCursor cursor;
  EpochScale scale;
  QHash<QString, QString> units;
  bool reading = false;
  bool again = false;
  bool waits = false;      ///< for the next try after a failure
  int retryMs = kRetryMs;  ///< after the next failure
};

CurveFeed::CurveFeed(RunData& data, QObject* parent) : QObject(parent), data_(data) {
  connect(&data_, &RunData::sourceChanged, this, &CurveFeed::startOver);
  connect(&data_, &RunData::rowsAvailable, this, [this](qint64 run) {
    if (follows_.contains(run)) read(run);
  });
  connect(&data_, &RunData::retried, this, &CurveFeed::retryNow);
}

void CurveFeed::setRuns(const QList<qint64>& runs) {
  if (runs == runs_) return;
  runs_ = runs;
  for (const qint64 run : follows_.keys())
    if (!runs_.contains(run)) follows_.remove(run);
  for (const qint64 run : runs_) {
    if (follows_.contains(run)) continue;
    follows_.insert(run, std::make_shared<Follow>());
    read(run);
  }
}

void CurveFeed::setMetrics(const QStringList& names) {
  if (names == metrics_) return;
  metrics_ = names;
  startOver();
}

void CurveFeed::setAsleep(bool asleep) {
  if (std::exchange(asleep_, asleep) == asleep || asleep) return;
  for (const qint64 run : follows_.keys()) read(run);
}

void CurveFeed::startOver() {
  follows_.clear();
  Q_EMIT reset();
  for (const qint64 run : runs_) {
    follows_.insert(run, std::make_shared<Follow>());
    read(run);
  }
}

void CurveFeed::read(qint64 run) {
  if (asleep_) return;
  const std::shared_ptr<Follow> follow = follows_.value(run);
  if (!follow) return;
  if (follow->reading) {
    follow->again = true;
    return;
  }
  follow->reading = true;
  follow->again = false;
  follow->scale.hint(data_.stepsPerEpoch(run));
  const auto work = [run, patterns = metrics_, at = *follow](Store& store) {
    Batch batch{at.cursor, {}, at.scale, at.units, 0, {}};
    const std::vector<SeriesRows> all = store.metrics().readSince(run, batch.cursor, kRowsAtOnce);
    // After the rows, which may be of a span that began while they were read.
    batch.time = store.runs().trainedTime(run);
    if (batch.time.spans().empty()) {  // there is no such run
      batch.cursor = at.cursor;
      return batch;
    }
    const auto isNew = [&](const SeriesRows& rows) {
      return !batch.units.contains(QString::fromStdString(rows.name));
    };
    if (std::any_of(all.begin(), all.end(), isNew)) {
      for (const SeriesInfo& info : store.metrics().series(run))
        batch.units.insert(QString::fromStdString(info.name), QString::fromStdString(info.unit));
    }
    for (const SeriesRows& rows : all) {
      batch.rows += static_cast<int64_t>(rows.rows.size());
      for (const MetricRow& row : rows.rows) batch.scale.learn(row.step, row.epoch);
    }
    for (const SeriesRows& rows : all)
      if (matches(patterns, QString::fromStdString(rows.name)))
        batch.curves.push_back(growthOf(run, rows, batch));
    return batch;
  };
  const auto take = [this, run, follow](const Batch& batch) {
    follow->reading = false;
    follow->retryMs = kRetryMs;
    if (follows_.value(run) != follow) return;  // started over or not wanted any more
    follow->cursor = batch.cursor;
    follow->scale = batch.scale;
    follow->units = batch.units;
    for (const CurveGrowth& growth : batch.curves) Q_EMIT grew(growth);
    if (batch.rows >= kRowsAtOnce || follow->again) {
      read(run);
    } else {
      Q_EMIT caughtUp(run);
    }
  };
  data_.query(this, work, take, [this, run, follow](const QString& text) {
    retryLater(run, follow);
    if (follows_.value(run) == follow) Q_EMIT failed(run, text);
  });
}

/// A run that has ended announces no rows that would ask again.
void CurveFeed::retryLater(qint64 run, const std::shared_ptr<Follow>& follow) {
  const int wait = std::exchange(follow->retryMs, std::min(2 * follow->retryMs, kRetryLateMs));
  follow->waits = true;
  QTimer::singleShot(wait, this, [this, run, follow] {
    if (!std::exchange(follow->waits, false)) return;  // somebody pressed
    follow->reading = false;  // not before: new rows may come ten times a second
    if (follows_.value(run) == follow) read(run);
  });
}

void CurveFeed::retryNow() {
  for (const qint64 run : follows_.keys()) {
    const std::shared_ptr<Follow> follow = follows_.value(run);
    if (!std::exchange(follow->waits, false)) continue;
    follow->reading = false;
    read(run);
  }
}

}  // namespace tenon::ui
