// SPDX-License-Identifier: GPL-3.0-or-later
// StackTrack by mouse, wheel and keys; what it draws and says; panning a million blocks.
#include "ui/tracks/stack_track.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <random>

#include "ui/tracks/block_stack.h"
#include "ui/tracks/tile_picture.h"

using namespace tenon::ui;

namespace {

const QList<TrackCategory> kCategories{{"parameters", QColor(0x0F6CB6)},
                                       {"activations", QColor(0xC4501B)}};
constexpr std::int64_t kMiB = 1024 * 1024;

/// 64 MiB all along below, 32 MiB from 250 to 750 on it.
std::shared_ptr<const TileSource> twoBlocks() {
  return std::make_shared<BlockStack>(std::vector<TrackBlock>{
      {1, 0, 1000, 64 * kMiB, 0}, {2, 250, 750, 32 * kMiB, 1}, {3, 990, 1000, 16, 1}});
}

std::shared_ptr<const TileSource> many(int count) {
  std::mt19937 random(20);
  std::vector<TrackBlock> blocks;
  for (int i = 0; i < count; ++i) {
    const auto length = random() % 1000 == 0 ? random() % 2000000 : 1 + random() % 400;
    blocks.push_back({i, i * 2, i * 2 + static_cast<int>(length),
                      static_cast<std::int64_t>(256 + random() % 4000) << (random() % 10),
                      static_cast<int>(random() % 2)});
  }
  return std::make_shared<BlockStack>(std::move(blocks));
}

struct Shown {
  StackTrack track;

  explicit Shown(std::shared_ptr<const TileSource> source = twoBlocks()) {
    track.resize(700, 260);
    track.setTitle("Memory");
    track.setAxis({"event", "", 1});
    track.setCategories(kCategories);
    track.setSource(std::move(source));
    track.show();
    (void)QTest::qWaitForWindowExposed(&track);
    settle();
  }
  void settle() { QTRY_VERIFY(track.isSettled()); }
  QPoint at(double time, double bytes) const {
    const QRect plot = track.plotArea();
    const double x = (time - track.viewBegin()) / (track.viewEnd() - track.viewBegin());
    const double y = (bytes - track.viewLow()) / (track.viewHigh() - track.viewLow());
    return {plot.left() + static_cast<int>(x * plot.width()),
            plot.top() + plot.height() - 1 - static_cast<int>(y * plot.height())};
  }
  void wheel(const QPoint& point, int delta, Qt::KeyboardModifiers modifiers = {}) {
    QWheelEvent event(point, track.mapToGlobal(point), {}, {0, delta}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&track, &event);
  }
  void move(const QPoint& point, Qt::MouseButtons buttons = Qt::NoButton) {
    QMouseEvent event(QEvent::MouseMove, point, track.mapToGlobal(point), Qt::NoButton, buttons,
                      {});
    QCoreApplication::sendEvent(&track, &event);
  }
};

}  // namespace

class StackTrackTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void showsTheWhole();
  void hitsBlocks();
  void clickSelects();
  void selectionFromOutside();
  void hoverTells();
  void wheelZooms();
  void dragPans();
  void keysMove();
  void zoomIsBounded();
  void emptyAndReplaced();
  void switchedThemeEqualsAFreshStart();
  void selectionIsDrawn();
  void summaryReads();
  void hiddenStartsNoWork();
  void destructionDuringWork();
  void panOfAMillionBlocks();
};

void StackTrackTest::showsTheWhole() {
  Shown s;
  QCOMPARE(s.track.viewBegin(), 0.0);
  QCOMPARE(s.track.viewEnd(), 1000.0);
  QCOMPARE(s.track.viewLow(), 0.0);
  QVERIFY(s.track.viewHigh() > 96.0 * kMiB);
  const QImage image = s.track.grab().toImage();
  const TrackTheme theme = TrackTheme::light();
  QCOMPARE(image.pixelColor(s.at(500, 32.0 * kMiB)), blockColour(theme, kCategories[0].colour, 1));
  QCOMPARE(image.pixelColor(s.at(500, 80.0 * kMiB)), blockColour(theme, kCategories[1].colour, 2));
  QCOMPARE(image.pixelColor(s.at(100, 90.0 * kMiB)), theme.surface);
}

void StackTrackTest::hitsBlocks() {
  Shown s;
  QCOMPARE(s.track.blockAt(s.at(500, 32.0 * kMiB)), qint64{1});
  QCOMPARE(s.track.blockAt(s.at(500, 80.0 * kMiB)), qint64{2});
  QCOMPARE(s.track.blockAt(s.at(100, 80.0 * kMiB)), StackTrack::kNothing);
  QCOMPARE(s.track.blockAt({1, 1}), StackTrack::kNothing);
  const QPoint point = s.at(500, 80.0 * kMiB);
  QVERIFY(std::abs(s.track.timeAt(point.x()) - 500) < 2);
  QVERIFY(std::abs(s.track.bytesAt(point.y()) - 80.0 * kMiB) < kMiB);
}

void StackTrackTest::clickSelects() {
  Shown s;
  QSignalSpy selected(&s.track, &StackTrack::blockSelected);
  QSignalSpy clicked(&s.track, &StackTrack::timeClicked);
  QTest::mouseClick(&s.track, Qt::LeftButton, {}, s.at(500, 80.0 * kMiB));
  QCOMPARE(selected.count(), 1);
  QCOMPARE(selected.last().at(0).toLongLong(), 2);
  QCOMPARE(s.track.selected(), qint64{2});
  QVERIFY(std::abs(clicked.last().at(0).toLongLong() - 500) <= 2);
  QTest::mouseClick(&s.track, Qt::LeftButton, {}, s.at(500, 80.0 * kMiB));
  QCOMPARE(selected.count(), 1);  // already selected
  QTest::mouseClick(&s.track, Qt::LeftButton, {}, s.at(100, 90.0 * kMiB));
  QCOMPARE(selected.last().at(0).toLongLong(), -1);
  s.track.setSelected(1);
  QTest::keyClick(&s.track, Qt::Key_Escape);
  QCOMPARE(s.track.selected(), qint64{-1});
}

void StackTrackTest::selectionFromOutside() {
  Shown s;
  QSignalSpy selected(&s.track, &StackTrack::blockSelected);
  s.track.setView(0, 100);
  s.track.setSelected(2);  // lives from 250: out of sight
  QVERIFY(s.track.viewBegin() < 250 && s.track.viewEnd() > 250);
  QVERIFY(std::abs(s.track.viewEnd() - s.track.viewBegin() - 100) < 1e-6);
  QCOMPARE(selected.count(), 0);
  const double begin = s.track.viewBegin();
  s.track.setSelected(1);  // in sight already
  QCOMPARE(s.track.viewBegin(), begin);
  s.track.setSelected(4711);  // unknown: harmless
  s.settle();
}

void StackTrackTest::hoverTells() {
  Shown s;
  QSignalSpy hovered(&s.track, &StackTrack::blockHovered);
  QStringList asked;
  s.track.setDescriber([&asked](qint64 id) {
    asked.append(QString::number(id));
    return QStringList{"layer conv1"};
  });
  const QImage before = s.track.grab().toImage();
  s.move(s.at(500, 80.0 * kMiB));
  QCOMPARE(hovered.last().at(0).toLongLong(), 2);
  QVERIFY(s.track.grab().toImage() != before);
  QCOMPARE(asked.value(0), QStringLiteral("2"));
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(&s.track, &leave);
  QCOMPARE(hovered.last().at(0).toLongLong(), -1);
  QCOMPARE(s.track.grab().toImage(), before);
}

void StackTrackTest::wheelZooms() {
  Shown s;
  const QPoint point = s.at(300, 40.0 * kMiB);
  const double before = s.track.timeAt(point.x());
  QSignalSpy changed(&s.track, &StackTrack::viewChanged);
  s.wheel(point, 120);
  QVERIFY(changed.count() >= 1);
  QVERIFY(std::abs(s.track.timeAt(point.x()) - before) < 1e-6);
  QVERIFY(std::abs((s.track.viewEnd() - s.track.viewBegin()) - 1000 / 1.2) < 1e-6);
  const double high = s.track.viewHigh(), bytes = s.track.bytesAt(point.y());
  s.wheel(point, 120, Qt::ShiftModifier);
  QVERIFY(std::abs((s.track.viewHigh() - s.track.viewLow()) - high / 1.2) < 1);
  QVERIFY(std::abs(s.track.bytesAt(point.y()) - bytes) < 1);
  s.settle();
  QCOMPARE(s.track.blockAt(s.at(300, 40.0 * kMiB)), qint64{1});
  QTest::mouseDClick(&s.track, Qt::LeftButton, {}, point);
  QCOMPARE(s.track.viewEnd() - s.track.viewBegin(), 1000.0);
}

void StackTrackTest::dragPans() {
  Shown s;
  s.track.setView(200, 400);
  QSignalSpy selected(&s.track, &StackTrack::blockSelected);
  const QPoint from = s.at(300, 40.0 * kMiB);
  const double grabbed = s.track.timeAt(from.x());
  QTest::mousePress(&s.track, Qt::LeftButton, {}, from);
  s.move(from + QPoint(40, 0), Qt::LeftButton);
  s.move(from + QPoint(100, 0), Qt::LeftButton);
  QTest::mouseRelease(&s.track, Qt::LeftButton, {}, from + QPoint(100, 0));
  QVERIFY(std::abs(s.track.timeAt(from.x() + 100) - grabbed) < 1e-6);
  QCOMPARE(selected.count(), 0);  // a drag is no click
}

void StackTrackTest::keysMove() {
  Shown s;
  s.track.setView(200, 400);
  QTest::keyClick(&s.track, Qt::Key_Right);
  QVERIFY(std::abs(s.track.viewBegin() - 220) < 1e-6);
  QTest::keyClick(&s.track, Qt::Key_Left);
  QVERIFY(std::abs(s.track.viewBegin() - 200) < 1e-6);
  QTest::keyClick(&s.track, Qt::Key_Plus);
  QVERIFY(std::abs(s.track.viewEnd() - s.track.viewBegin() - 200 / 1.5) < 1e-6);
  QTest::keyClick(&s.track, Qt::Key_Minus);
  QTest::keyClick(&s.track, Qt::Key_Up, Qt::ShiftModifier);
  QVERIFY(s.track.viewLow() > 0);
  const double low = s.track.viewLow();
  QTest::keyClick(&s.track, Qt::Key_Down);
  QVERIFY(s.track.viewLow() < low);
  QTest::keyClick(&s.track, Qt::Key_Home);
  QCOMPARE(s.track.viewBegin(), 0.0);
  QCOMPARE(s.track.viewLow(), 0.0);
}

void StackTrackTest::zoomIsBounded() {
  Shown s;
  for (int i = 0; i < 100; ++i) s.wheel(s.at(s.track.viewBegin() + 1, 40.0 * kMiB), 120);
  QVERIFY(s.track.viewEnd() - s.track.viewBegin() >= 4 - 1e-9);
  for (int i = 0; i < 200; ++i) s.wheel(s.track.plotArea().center(), -120);
  QVERIFY(s.track.viewEnd() - s.track.viewBegin() <= 1500 + 1e-6);
  for (int i = 0; i < 100; ++i) QTest::keyClick(&s.track, Qt::Key_Right, Qt::ShiftModifier);
  QVERIFY(s.track.viewBegin() < 1000);  // never all out of sight
  s.track.setView(5, 5);
  QVERIFY(s.track.viewEnd() > s.track.viewBegin());
  s.settle();
}

void StackTrackTest::emptyAndReplaced() {
  Shown s;
  const QImage full = s.track.grab().toImage();
  s.track.setSelected(2);
  s.track.setSource(nullptr);
  s.track.setEmptyText("Record a step to see its memory");
  QVERIFY(s.track.isSettled());
  QVERIFY(s.track.grab().toImage() != full);
  QCOMPARE(s.track.summary(), QStringLiteral("Record a step to see its memory"));
  QCOMPARE(s.track.selected(), qint64{-1});
  QCOMPARE(s.track.blockAt(s.track.plotArea().center()), StackTrack::kNothing);
  s.wheel(s.track.plotArea().center(), 120);
  QTest::keyClick(&s.track, Qt::Key_Right);
  s.track.setSource(std::make_shared<BlockStack>(std::vector<TrackBlock>{}));  // as good as none
  QVERIFY(!s.track.source());
  s.track.setSource(twoBlocks());
  s.settle();
  QCOMPARE(s.track.grab().toImage(), full);
}

void StackTrackTest::switchedThemeEqualsAFreshStart() {
  Shown switched, fresh;
  const QImage light = switched.track.grab().toImage();
  for (StackTrack* track : {&switched.track, &fresh.track}) track->setTheme(TrackTheme::dark());
  switched.track.setTheme(TrackTheme::light());
  switched.settle();
  QCOMPARE(switched.track.grab().toImage(), light);
  fresh.settle();
  QVERIFY(fresh.track.grab().toImage() != light);
}

void StackTrackTest::selectionIsDrawn() {
  Shown s;
  s.track.setSelected(3);  // 16 bytes for ten ticks: far below a pixel
  s.settle();
  const QImage image = s.track.grab().toImage();
  int accents = 0;
  const QRect plot = s.track.plotArea();
  for (int x = plot.right() - 20; x <= plot.right(); ++x) {
    for (int y = plot.top(); y < plot.bottom(); ++y) {
      accents += image.pixelColor(x, y) == TrackTheme::light().accent ? 1 : 0;
    }
  }
  QVERIFY(accents >= 3);
  s.track.setMarkedTime(500);
  QVERIFY(s.track.grab().toImage().pixelColor(s.at(500, 10.0 * kMiB)) ==
          TrackTheme::light().accent);
  s.track.clearMarkedTime();
  QCOMPARE(s.track.grab().toImage(), image);
}

void StackTrackTest::summaryReads() {
  Shown s;
  QCOMPARE(s.track.accessibleName(), QStringLiteral("Memory"));
  QVERIFY(s.track.summary().contains("peak 96 MiB at 250"));
  s.track.setSelected(2);
  QVERIFY(s.track.accessibleDescription().contains("selected: activations, 32 MiB"));
}

void StackTrackTest::hiddenStartsNoWork() {
  StackTrack track;
  track.resize(500, 200);
  track.setSource(twoBlocks());
  QTest::qWait(30);
  QVERIFY(!track.isSettled());
  track.show();
  QTRY_VERIFY(track.isSettled());
}

void StackTrackTest::destructionDuringWork() {
  const auto source = many(200000);
  for (int i = 0; i < 8; ++i) {
    auto track = std::make_unique<StackTrack>();
    track->resize(600, 200);
    track->setSource(source);
    track->show();
    (void)QTest::qWaitForWindowExposed(track.get());
    track->setView(1000.0 * i, 1e5);
    track.reset();  // with a tile under way
  }
  QCoreApplication::processEvents();
  QVERIFY(source.use_count() >= 1);
}

void StackTrackTest::panOfAMillionBlocks() {
  Shown s(many(1000000));
  s.track.resize(1000, 300);
  s.settle();
  QImage target(s.track.size(), QImage::Format_RGB32);
  std::vector<double> frames;
  for (int i = 0; i < 150; ++i) {
    QElapsedTimer timer;
    timer.start();
    s.track.setView(8000.0 * i, 8000.0 * i + 4e5);
    s.track.render(&target);
    frames.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    QCoreApplication::processEvents();
  }
  std::sort(frames.begin(), frames.end());
  qInfo("pan over 1 M blocks: median %.2f ms, p99 %.2f ms a frame on the GUI thread",
        frames[frames.size() / 2], frames[frames.size() * 99 / 100]);
  QVERIFY2(frames[frames.size() / 2] < 100, "generous: the goal is 16 ms");
  s.settle();
  QVERIFY(s.track.blockAt(s.track.plotArea().center() + QPoint(0, 60)) >= -2);
}

QTEST_MAIN(StackTrackTest)
#include "stack_track_test.moc"
