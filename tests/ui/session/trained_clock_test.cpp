// SPDX-License-Identifier: GPL-3.0-or-later
// TrainedClock says at each instant what the sum over all spans says, in order or not.
#include "ui/session/trained_clock.h"

#include <QElapsedTimer>
#include <QTest>
#include <limits>

namespace tenon::ui {

constexpr int64_t kForever = std::numeric_limits<int64_t>::max();

class TrainedClockTest final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void agreesWithTheSum() {
    // A pause, spans that touch, one without length, and one that goes on.
    const TrainedTime time({{10, 20}, {30, 40}, {40, 45}, {50, 50}, {60, kForever}});
    TrainedClock clock(time);
    for (qint64 at = 0; at < 100; ++at) QCOMPARE(clock.until(at), time.until(at));
    QCOMPARE(clock.until(99), 64);
    for (const qint64 at : {35, 12, 70, 20, 0, 45, 5})
      QCOMPARE(clock.until(at), time.until(at));  // also back
    const TrainedTime ended({{10, 20}});
    QCOMPARE(TrainedClock(ended).until(1000), 10);
    const TrainedTime none;
    QCOMPARE(TrainedClock(none).until(1000), 0);
  }

  /// A run that was paused a thousand times: its points are walked, not summed up each.
  void manySpansCostNoMore() {
    std::vector<TrainedSpan> spans;
    for (int64_t i = 0; i < 50'000; ++i) spans.push_back({10 * i, 10 * i + 5});
    const TrainedTime time(std::move(spans));
    TrainedClock clock(time);
    QElapsedTimer watch;
    watch.start();
    qint64 last = 0;
    for (qint64 at = 0; at < 500'000; ++at) last = clock.until(at);
    QCOMPARE(last, 250'000);
    QVERIFY2(watch.elapsed() < 2000, qPrintable(QString::number(watch.elapsed())));
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::TrainedClockTest)
#include "trained_clock_test.moc"
