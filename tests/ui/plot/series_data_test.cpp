// SPDX-License-Identifier: GPL-3.0-or-later
// Level of detail of SeriesData against brute force, and the smoothed series against its
// definition.
#include "ui/plot/series_data.h"

#include <QElapsedTimer>
#include <QTest>
#include <cmath>
#include <map>
#include <random>

#include "ui/plot/smoothed_series.h"

using namespace tenon::ui;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// `count` random points: irregular steps and times, some runs of NaN, zeros and negatives.
std::vector<SeriesPoint> randomPoints(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0.3, 1.0);
  std::vector<SeriesPoint> points;
  SeriesPoint at;
  int nanLeft = 0;
  for (std::size_t i = 0; i < count; ++i) {
    at.step += static_cast<std::int64_t>(random() % 50 == 0 ? random() % 40 : 1);
    at.epoch = static_cast<double>(at.step) / 469.0;
    at.seconds += 0.01 + 0.001 * static_cast<double>(random() % 10);
    if (random() % 700 == 0) nanLeft = static_cast<int>(random() % 500);
    at.value = nanLeft-- > 0 ? (random() % 3 == 0 ? std::numeric_limits<double>::infinity() : kNaN)
                             : noise(random);
    points.push_back(at);
  }
  return points;
}

}  // namespace

class SeriesDataTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void storesAllColumns();
  void refusesStepsThatRunBackwards();
  void raisesTimesThatRunBackwards();
  void extentEqualsBruteForce();
  void boundsEqualBruteForce();
  void columnsHoldTheExtremesOfEveryColumn_data();
  void columnsHoldTheExtremesOfEveryColumn();
  void sparseCurveKeepsItsPoints();
  void neighboursOutsideTheRangeAreKept();
  void marksShowEveryColumnWithNaN();
  void truncateFromForgetsAndGoesOn();
  void quantiles();
  void finiteBeforeCounts();
  void smoothingEqualsDefinition();
  void smoothingFollowsTruncation();
  void stepsTakeNoMemory();
  void tenMillionPoints();
};

void SeriesDataTest::storesAllColumns() {
  const auto points = randomPoints(200000, 1);
  SeriesData data;
  QCOMPARE(data.append(points), points.size());
  QCOMPARE(data.size(), points.size());
  for (std::size_t i = 0; i < points.size(); i += 37) {
    const SeriesPoint p = data.at(i);
    QCOMPARE(p.step, points[i].step);
    QVERIFY(std::abs(p.epoch - points[i].epoch) <= 1e-8 * std::max(1.0, points[i].epoch));
    QVERIFY(std::abs(p.seconds - points[i].seconds) < 1e-3);
    QVERIFY(p.value == points[i].value || (std::isnan(p.value) && std::isnan(points[i].value)));
  }
}

void SeriesDataTest::refusesStepsThatRunBackwards() {
  SeriesData data;
  QVERIFY(data.append({10, 0.1, 1, 5}));
  QVERIFY(data.append({10, 0.1, 1, 6}));  // two values at one step are fine
  QVERIFY(!data.append({9, 0.09, 2, 7}));
  QCOMPARE(data.size(), std::size_t{2});
  QCOMPARE(data.extent(0, 2).max, 6.0);
}

void SeriesDataTest::raisesTimesThatRunBackwards() {
  SeriesData data;
  data.append({1, 1.0, 50, 0});
  data.append({2, 0.5, 20, 0});
  QCOMPARE(data.at(1).epoch, 1.0);
  QCOMPARE(data.at(1).seconds, 50.0);
}

void SeriesDataTest::extentEqualsBruteForce() {
  const auto points = randomPoints(150000, 2);
  SeriesData data;
  data.append(points);
  std::mt19937 random(3);
  for (int trial = 0; trial < 300; ++trial) {
    std::size_t a = random() % points.size();
    std::size_t b = std::min(points.size(), a + random() % (trial % 3 == 0 ? 100000 : 300));
    Extent wanted;
    for (std::size_t i = a; i < b; ++i) wanted.add(points[i].value);
    const Extent got = data.extent(a, b);
    QCOMPARE(got.min, wanted.min);
    QCOMPARE(got.max, wanted.max);
    QCOMPARE(got.minPositive, wanted.minPositive);
  }
}

void SeriesDataTest::boundsEqualBruteForce() {
  const auto points = randomPoints(70000, 4);
  SeriesData data;
  data.append(points);
  std::mt19937 random(5);
  for (const XAxis axis : {XAxis::Step, XAxis::Epoch, XAxis::Time}) {
    for (int trial = 0; trial < 200; ++trial) {
      const std::size_t at = random() % points.size();
      // Stored places, so that equality is met too.
      const double x = data.x(axis, at) + (trial % 2 == 0 ? 0.0 : 0.004);
      std::size_t low = 0, up = 0;
      while (low < points.size() && data.x(axis, low) < x) ++low;
      up = low;
      while (up < points.size() && data.x(axis, up) <= x) ++up;
      QCOMPARE(data.lowerBound(axis, x), low);
      QCOMPARE(data.upperBound(axis, x), up);
    }
    QCOMPARE(data.lowerBound(axis, -1e300), std::size_t{0});
    QCOMPARE(data.lowerBound(axis, 1e300), points.size());
    QCOMPARE(data.nearest(axis, -5), std::size_t{0});
    QCOMPARE(data.nearest(axis, 1e300), points.size() - 1);
  }
}

void SeriesDataTest::columnsHoldTheExtremesOfEveryColumn_data() {
  QTest::addColumn<int>("axis");
  QTest::addColumn<int>("columns");
  QTest::addColumn<double>("from");
  QTest::addColumn<double>("to");
  QTest::addColumn<bool>("positive");
  for (int axis = 0; axis < 3; ++axis) {
    for (const int columns : {1, 7, 333, 1800}) {
      for (const bool positive : {false, true}) {
        QTest::addRow("axis%d columns%d all %d", axis, columns, positive)
            << axis << columns << 0.0 << 1.0 << positive;
        QTest::addRow("axis%d columns%d part %d", axis, columns, positive)
            << axis << columns << 0.31 << 0.34 << positive;
      }
    }
  }
}

void SeriesDataTest::columnsHoldTheExtremesOfEveryColumn() {
  QFETCH(int, axis);
  QFETCH(int, columns);
  QFETCH(double, from);
  QFETCH(double, to);
  QFETCH(bool, positive);
  static const auto points = randomPoints(120000, 6);
  SeriesData data;
  data.append(points);
  ColumnQuery query;
  query.axis = static_cast<XAxis>(axis);
  query.lower = from * data.x(query.axis, points.size() - 1);
  query.upper = to * data.x(query.axis, points.size() - 1);
  query.columns = columns;
  query.positiveOnly = positive;

  std::map<int, Extent> wanted;  // by column, over what may be shown
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = data.x(query.axis, i);
    if (x < query.lower || x > query.upper) continue;
    if (!positive || points[i].value > 0) wanted[query.columnOf(x)].add(points[i].value);
  }
  std::vector<QPointF> out;
  data.columns(query, out);
  std::map<int, Extent> got;
  std::map<int, int> count;
  for (const QPointF& p : out) {
    if (p.x() < query.lower || p.x() > query.upper) continue;
    ++count[query.columnOf(p.x())];
    got[query.columnOf(p.x())].add(p.y());
  }
  for (const auto& [column, n] : count) QVERIFY2(n <= 2, qPrintable(QString::number(column)));
  for (const auto& [column, extremes] : wanted) {
    QCOMPARE(got[column].min, extremes.min);
    QCOMPARE(got[column].max, extremes.max);
  }
  QVERIFY(!wanted.empty());
}

void SeriesDataTest::sparseCurveKeepsItsPoints() {
  SeriesData data;
  for (int i = 0; i < 10; ++i) data.append({i * 100, i * 1.0, i * 2.0, i * 0.5});
  std::vector<QPointF> out;
  data.columns({XAxis::Step, 0, 900, 1000, false}, out);
  QCOMPARE(out.size(), std::size_t{10});
  for (int i = 0; i < 10; ++i)
    QCOMPARE(out[static_cast<std::size_t>(i)], QPointF(i * 100, i * 0.5));
}

void SeriesDataTest::neighboursOutsideTheRangeAreKept() {
  SeriesData data;
  for (int i = 0; i < 10; ++i) data.append({i * 100, 0, 0, i * 1.0});
  std::vector<QPointF> out;
  data.columns({XAxis::Step, 250, 620, 100, false}, out);
  QCOMPARE(out.front(), QPointF(200, 2));
  QCOMPARE(out.back(), QPointF(700, 7));
  data.columns({XAxis::Step, 210, 290, 100, false}, out);  // none inside: the line still crosses
  QCOMPARE(out, (std::vector<QPointF>{QPointF(200, 2), QPointF(300, 3)}));
}

void SeriesDataTest::marksShowEveryColumnWithNaN() {
  const auto points = randomPoints(50000, 8);
  SeriesData data;
  data.append(points);
  ColumnQuery query{XAxis::Time, 20, 400, 777, false};
  std::vector<double> marks;
  data.marks(query, marks);
  std::map<int, bool> wanted, got;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = data.x(query.axis, i);
    if (x >= query.lower && x <= query.upper && !std::isfinite(points[i].value)) {
      wanted[query.columnOf(x)] = true;
    }
  }
  for (const double x : marks) got[query.columnOf(x)] = true;
  QVERIFY(wanted.size() > 20);
  QCOMPARE(got, wanted);
  QCOMPARE(marks.size(), got.size());
}

void SeriesDataTest::truncateFromForgetsAndGoesOn() {
  const auto points = randomPoints(140000, 9);
  SeriesData data, fresh;
  data.append(points);
  const auto cut = std::size_t{66000};
  const std::int64_t step = points[cut].step;
  data.truncateFrom(step);
  QCOMPARE(data.revision(), std::uint64_t{1});
  for (const SeriesPoint& p : points) {
    if (p.step < step) fresh.append(p);
  }
  QCOMPARE(data.size(), fresh.size());
  for (const SeriesPoint& p : points) {
    if (p.step >= step) QCOMPARE(data.append(p), fresh.append(p));
  }
  QCOMPARE(data.size(), points.size());
  std::vector<QPointF> a, b;
  const ColumnQuery query{XAxis::Step, 0, static_cast<double>(points.back().step), 500, false};
  data.columns(query, a);
  fresh.columns(query, b);
  QCOMPARE(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    QVERIFY(a[i] == b[i] || (std::isnan(a[i].y()) && std::isnan(b[i].y())));
  }
  QCOMPARE(data.finiteBefore(points.size()), fresh.finiteBefore(points.size()));
  data.clear();
  QVERIFY(data.empty());
  QVERIFY(data.append({0, 0, 0, 1}));
}

void SeriesDataTest::quantiles() {
  SeriesData data;
  for (int i = 0; i <= 100; ++i) data.append({i, 0, 0, i == 50 ? kNaN : i * 1.0});
  double out[3];
  const double q[3] = {0, 0.5, 1};
  data.quantiles(0, 101, false, q, out);
  QCOMPARE(out[0], 0.0);
  QCOMPARE(out[1], 50.0);  // between 49 and 51, as 50 is NaN
  QCOMPARE(out[2], 100.0);
  data.quantiles(0, 101, true, q, out);
  QCOMPARE(out[0], 1.0);
  data.quantiles(50, 51, false, q, out);
  QVERIFY(std::isnan(out[0]));
}

void SeriesDataTest::finiteBeforeCounts() {
  const auto points = randomPoints(5000, 10);
  SeriesData data;
  data.append(points);
  std::size_t finite = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    QCOMPARE(data.finiteBefore(i), finite);
    if (std::isfinite(points[i].value)) ++finite;
  }
  QVERIFY(finite < points.size());
}

void SeriesDataTest::smoothingEqualsDefinition() {
  const auto points = randomPoints(70000, 11);
  const auto data = std::make_shared<SeriesData>();
  for (const double decay : {0.0, 0.6, 0.97, 0.999}) {
    data->clear();
    SmoothedSeries smooth(data);
    smooth.setDecay(decay);
    double state = 0, weight = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      data->append(points[i]);
      if (std::isfinite(points[i].value)) {
        state = decay * state + (1 - decay) * points[i].value;
        weight = decay * weight + (1 - decay);
      }
      if (i % 97 != 0) continue;  // read while it grows
      const double got = smooth.at(i);
      if (weight == 0) {
        QVERIFY(std::isnan(got));
      } else {
        QVERIFY2(std::abs(got - state / weight) < 1e-9 * std::max(1.0, std::abs(got)),
                 qPrintable(QStringLiteral("%1: %2 %3").arg(i).arg(got).arg(state / weight)));
      }
    }
  }
}

void SeriesDataTest::smoothingFollowsTruncation() {
  const auto data = std::make_shared<SeriesData>();
  SmoothedSeries smooth(data);
  smooth.setDecay(0.5);
  for (int i = 0; i < 40; ++i) data->append({i, 0, 0, 1.0});
  QCOMPARE(smooth.at(39), 1.0);
  data->truncateFrom(0);
  for (int i = 0; i < 40; ++i) data->append({i, 0, 0, 3.0});
  QCOMPARE(smooth.at(39), 3.0);
}

void SeriesDataTest::stepsTakeNoMemory() {
  LinearRuns steps(0);
  for (int i = 0; i < 1000000; ++i) steps.append(i * 10);
  QCOMPARE(steps.runs(), std::size_t{1});
  LinearRuns epochs(1e-9);
  for (int i = 0; i < 1000000; ++i) epochs.append(i / 469.0);
  QVERIFY2(epochs.runs() < 20, qPrintable(QString::number(epochs.runs())));
  QVERIFY(std::abs(epochs.at(999999) - 999999 / 469.0) < 3e-6);
}

void SeriesDataTest::tenMillionPoints() {
  SeriesData data;
  QElapsedTimer timer;
  timer.start();
  qint64 worst = 0;
  std::uint32_t state = 1;
  for (int block = 0; block < 1000; ++block) {
    QElapsedTimer one;
    one.start();
    for (int i = 0; i < 10000; ++i) {
      state = state * 1664525u + 1013904223u;
      const int n = block * 10000 + i;
      data.append({n, n / 469.0, n * 0.01, state / 4294967296.0});
    }
    worst = std::max(worst, one.nsecsElapsed());
  }
  qInfo("append: %.1f ns a point, slowest 10,000: %.2f ms", timer.nsecsElapsed() / 1e7,
        worst / 1e6);
  std::vector<QPointF> out;
  timer.restart();
  for (int i = 0; i < 20; ++i) data.columns({XAxis::Step, i * 1000.0, 9.9e6, 1800, false}, out);
  const double ms = timer.nsecsElapsed() / 20e6;
  qInfo("columns of 10 M points at 1,800: %.3f ms", ms);
  QVERIFY(ms < 20);
  QVERIFY(out.size() <= 2 * 1800 + 2);
}

QTEST_MAIN(SeriesDataTest)
#include "series_data_test.moc"
