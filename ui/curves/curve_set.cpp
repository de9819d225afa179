// SPDX-License-Identifier: GPL-3.0-or-later
// Arriving rows become curves of a plot.
#include "ui/curves/curve_set.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ui/plot/line_plot.h"
#include "ui/session/run_data.h"

namespace tenon::ui {
namespace {

QString plotKey(qint64 run, const CurveLine& line) {
  return QStringLiteral("%1/%2").arg(run).arg(line.metric);
}

}  // namespace

CurveSet::CurveSet(RunData& data, LinePlot& plot, QObject* parent)
    : QObject(parent), data_(data), plot_(plot), feed_(data) {
  connect(&feed_, &CurveFeed::grew, this, &CurveSet::take);
  connect(&feed_, &CurveFeed::reset, this, &CurveSet::reset);
  connect(&feed_, &CurveFeed::caughtUp, this, [this](qint64 run) {
    const bool mended = problems_.remove(run) > 0;
    if (behind_.removeAll(run) > 0 || mended) Q_EMIT stateChanged();
  });
  connect(&feed_, &CurveFeed::failed, this, [this](qint64 run, const QString& text) {
    if (std::exchange(problems_[run], text) != text) Q_EMIT stateChanged();
  });
  connect(&data_.runs(), &QAbstractItemModel::dataChanged, this, [this] {
    if (showsNames() && runNames() != names_) rebuild();
  });
}

CurveSet::~CurveSet() = default;

void CurveSet::setNamesRuns(bool always) {
  if (std::exchange(alwaysNamed_, always) != always) rebuild();
}

void CurveSet::setLines(const QList<CurveLine>& lines) {
  if (lines == lines_) return;
  lines_ = lines;
  QStringList metrics;
  for (const CurveLine& line : lines_) metrics.append(line.metric);
  feed_.setMetrics(metrics);  // says reset() where the choice differs
  rebuild();
}

void CurveSet::setRuns(const QList<qint64>& runs) {
  if (runs == feed_.runs()) return;
  const QList<qint64> before = feed_.runs();
  for (auto it = curves_.begin(); it != curves_.end();)
    it = runs.contains(it.key().first) ? std::next(it) : curves_.erase(it);
  behind_.removeIf([&](qint64 run) { return !runs.contains(run); });
  problems_.removeIf(
      [&](QMap<qint64, QString>::iterator problem) { return !runs.contains(problem.key()); });
  for (const qint64 run : runs)
    if (!before.contains(run)) behind_.append(run);
  feed_.setRuns(runs);
  rebuild();
  Q_EMIT stateChanged();
}

void CurveSet::take(const CurveGrowth& growth) {
  const auto line = std::find_if(lines_.begin(), lines_.end(), [&](const CurveLine& candidate) {
    return candidate.metric == growth.metric;
  });
  if (line == lines_.end() || !feed_.runs().contains(growth.run)) return;
  std::shared_ptr<SeriesData>& series = curves_[{growth.run, growth.metric}];
  const bool isNew = !series;
  if (isNew) series = std::make_shared<SeriesData>();
  if (growth.restarted) series->clear();
  for (const CurvePoint& point : growth.points)
    series->append({point.step, point.epoch, point.seconds, point.value});
  if (std::exchange(unit_, growth.unit) != growth.unit) Q_EMIT unitChanged(unit_);
  if (isNew) {
    show(growth.run, *line);
    Q_EMIT stateChanged();
  } else {
    plot_.dataChanged();
  }
}

void CurveSet::reset() {
  curves_.clear();
  problems_.clear();
  behind_ = feed_.runs();
  plot_.clearCurves();
  Q_EMIT stateChanged();
}

/// Adds a line at its place: appends it if nothing after it is shown, else puts all in order anew.
void CurveSet::show(qint64 run, const CurveLine& line) {
  bool after = false;
  for (const qint64 other : feed_.runs()) {
    for (const CurveLine& next : lines_) {
      if (after && curves_.contains({other, next.metric})) {
        rebuild();
        return;
      }
      if (other == run && next.metric == line.metric) after = true;
    }
  }
  addToPlot(run, line);
}

void CurveSet::rebuild() {
  QStringList hidden;
  for (const QString& key : plot_.curves())
    if (!plot_.isCurveVisible(key)) hidden.append(key);
  plot_.clearCurves();
  names_ = runNames();
  for (const qint64 run : feed_.runs())
    for (const CurveLine& line : lines_)
      if (curves_.contains({run, line.metric})) addToPlot(run, line);
  const QStringList shown = plot_.curves();
  for (const QString& key : hidden)
    if (shown.contains(key)) plot_.setCurveVisible(key, false);
}

void CurveSet::addToPlot(qint64 run, const CurveLine& line) {
  CurveSpec curve;
  curve.key = plotKey(run, line);
  curve.name = nameOf(run, line);
  curve.data = curves_.value({run, line.metric});
  curve.run = RunsModel::colorIndex(run) + line.hue;
  curve.validation = line.validation;
  curve.steps = line.steps;
  curve.fill = line.fill;
  curve.smooth = line.smooth;
  plot_.setCurve(curve);
}

QStringList CurveSet::runNames() const {
  QStringList names;
  for (const qint64 run : feed_.runs()) {
    const RunInfo* info = data_.runs().find(run);
    names.append(info ? QString::fromStdString(info->name) : tr("run %1").arg(run));
  }
  return names;
}

QString CurveSet::nameOf(qint64 run, const CurveLine& line) const {
  if (!showsNames()) return line.label;
  const QString name = names_.value(feed_.runs().indexOf(run));
  return line.label.isEmpty() ? name : tr("%1, %2").arg(name, line.label);
}

}  // namespace tenon::ui
