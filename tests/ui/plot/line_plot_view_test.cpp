// SPDX-License-Identifier: GPL-3.0-or-later
// What LinePlot shows: following, zooming by mouse, wheel and keys, links, redraw rate.
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

#include "ui/plot/chip_button.h"
#include "ui/plot/line_plot.h"
#include "ui/plot/link_group.h"

using namespace tenon::ui;

namespace {

std::shared_ptr<SeriesData> line(int count, double slope = 1) {
  auto data = std::make_shared<SeriesData>();
  for (int i = 0; i < count; ++i) data->append({i, i / 100.0, i * 0.5, i * slope});
  return data;
}

/// A shown plot of 640x360 with one curve of steps 0..999, value = step.
struct Shown {
  LinePlot plot;
  std::shared_ptr<SeriesData> data = line(1000);

  Shown() {
    plot.resize(640, 360);
    plot.setCurve({.key = "a", .name = "a", .data = data});
    plot.show();
    (void)QTest::qWaitForWindowExposed(&plot);
    settle();
  }
  void settle() { (void)plot.grab(); }
  void extend(int by) {
    const int from = static_cast<int>(data->size());
    for (int i = from; i < from + by; ++i) data->append({i, i / 100.0, i * 0.5, i * 1.0});
    plot.dataChanged();
  }
  QPoint at(double share, double height = 0.5) const {
    const QRect area = plot.plotArea();
    return {area.left() + static_cast<int>(share * area.width()),
            area.top() + static_cast<int>(height * area.height())};
  }
  double xAt(const QPoint& point) const {
    const QRect area = plot.plotArea();
    const AxisRange x = plot.xRange();
    return x.lower + (point.x() - area.left()) / static_cast<double>(area.width()) * x.size();
  }
  void wheel(const QPoint& point, int delta, Qt::KeyboardModifiers modifiers = {}) {
    QWheelEvent event(point, plot.mapToGlobal(point), {}, {0, delta}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&plot, &event);
  }
  void drag(const QPoint& from, const QPoint& to, Qt::MouseButton button = Qt::LeftButton) {
    QTest::mousePress(&plot, button, {}, from);
    for (int i = 1; i <= 4; ++i) {
      const QPointF point = from + (to - from) * i / 4.0;
      QMouseEvent move(QEvent::MouseMove, point, plot.mapToGlobal(point), Qt::NoButton, button, {});
      QCoreApplication::sendEvent(&plot, &move);
    }
    QTest::mouseRelease(&plot, button, {}, to);
  }
};

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

}  // namespace

class LinePlotViewTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void followsNewData();
  void newDataNeverMovesAZoomedView();
  void wheelZoomsAtThePointer();
  void shiftWheelZoomsY();
  void wheelOutsideIsLeftToOthers();
  void leftDragSelects();
  void shortDragDoesNothing();
  void escapeCancelsADrag();
  void middleDragPans();
  void spaceDragPans();
  void doubleClickFitsAndFollows();
  void chipFollowsAgain();
  void keys();
  void robustRangeLeavesOutliersOut();
  void yFollowsTheZoomedStretch();
  void includeKeepsBounds();
  void logHidesAndSays();
  void logWithoutPositiveValues();
  void axisChoice();
  void singlePointHasRoom();
  void linkedPlotsMoveTogether();
  void linkedPlotsOfOtherAxesStay();
  void plotLeavesGroupWhenDestroyed();
  void refreshRateIsKept();
  void hiddenPlotsAreNotDrawn();
  void degenerateRangesAreRefused();
};

void LinePlotViewTest::followsNewData() {
  Shown s;
  QVERIFY(s.plot.isFollowing());
  QCOMPARE(s.plot.xRange(), (AxisRange{0, 999}));
  QVERIFY(s.plot.yRange().lower <= 0 && s.plot.yRange().upper >= 999);
  s.plot.setRefreshRate(100);
  s.extend(500);
  QTRY_COMPARE(s.plot.xRange(), (AxisRange{0, 1499}));
}

void LinePlotViewTest::newDataNeverMovesAZoomedView() {
  Shown s;
  s.plot.setRefreshRate(100);
  s.wheel(s.at(0.5), 240);
  s.settle();
  const AxisRange x = s.plot.xRange(), y = s.plot.yRange();
  const int renders = s.plot.renderCount();
  QVERIFY(!s.plot.isFollowing());
  s.extend(5000);
  QTRY_VERIFY(s.plot.renderCount() > renders);  // drawn, but not moved
  QCOMPARE(s.plot.xRange(), x);
  QCOMPARE(s.plot.yRange(), y);
}

void LinePlotViewTest::wheelZoomsAtThePointer() {
  Shown s;
  for (const double share : {0.1, 0.5, 0.93}) {
    const QPoint point = s.at(share);
    const double before = s.xAt(point);
    const double size = s.plot.xRange().size();
    s.wheel(point, 120);
    QVERIFY(near(s.xAt(point), before, 1e-6 * size));
    QVERIFY(near(s.plot.xRange().size(), size / 1.2, 1e-6 * size));
  }
  const double size = s.plot.xRange().size();
  s.wheel(s.at(0.3), -120);
  QVERIFY(near(s.plot.xRange().size(), size * 1.2, 1e-6 * size));
}

void LinePlotViewTest::shiftWheelZoomsY() {
  Shown s;
  const AxisRange x = s.plot.xRange();
  const double size = s.plot.yRange().size();
  s.wheel(s.at(0.5, 0.5), 120, Qt::ShiftModifier);
  QCOMPARE(s.plot.xRange(), x);
  QVERIFY(near(s.plot.yRange().size(), size / 1.2, 1e-6 * size));
  // A y-range a person chose stays when they zoom x afterwards.
  const AxisRange y = s.plot.yRange();
  s.wheel(s.at(0.2), 120);
  s.settle();
  QCOMPARE(s.plot.yRange(), y);
}

void LinePlotViewTest::wheelOutsideIsLeftToOthers() {
  Shown s;
  QWheelEvent event(QPointF(5, 200), QPointF(5, 200), {}, {0, 120}, Qt::NoButton, {},
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&s.plot, &event);
  QVERIFY(s.plot.isFollowing());
  QVERIFY(!event.isAccepted());
}

void LinePlotViewTest::leftDragSelects() {
  Shown s;
  const double from = s.xAt(s.at(0.25)), to = s.xAt(s.at(0.5));
  s.drag(s.at(0.5), s.at(0.25));  // from right to left works too
  QVERIFY(near(s.plot.xRange().lower, from, 1e-6));
  QVERIFY(near(s.plot.xRange().upper, to, 1e-6));
  QVERIFY(!s.plot.isFollowing());
}

void LinePlotViewTest::shortDragDoesNothing() {
  Shown s;
  s.drag(s.at(0.5), s.at(0.5) + QPoint(2, 0));
  QVERIFY(s.plot.isFollowing());
}

void LinePlotViewTest::escapeCancelsADrag() {
  Shown s;
  QTest::mousePress(&s.plot, Qt::LeftButton, {}, s.at(0.2));
  QTest::keyClick(&s.plot, Qt::Key_Escape);
  QTest::mouseRelease(&s.plot, Qt::LeftButton, {}, s.at(0.6));
  QVERIFY(s.plot.isFollowing());
}

void LinePlotViewTest::middleDragPans() {
  Shown s;
  s.plot.setXRange({400, 600});
  s.settle();
  const AxisRange y = s.plot.yRange();
  const double grabbed = s.xAt(s.at(0.5));
  s.drag(s.at(0.5), s.at(0.75, 0.2), Qt::MiddleButton);
  QVERIFY(near(s.xAt(s.at(0.75)), grabbed, 1.0));
  QVERIFY(near(s.plot.xRange().size(), 200, 1e-6));
  s.settle();
  QCOMPARE(s.plot.yRange(), y);  // y stays unless a person had zoomed it
  s.plot.setYRange({0, 100});
  s.drag(s.at(0.5, 0.5), s.at(0.5, 0.75), Qt::MiddleButton);
  QVERIFY(near(s.plot.yRange().lower, 25, 1));
}

void LinePlotViewTest::spaceDragPans() {
  Shown s;
  s.plot.setXRange({400, 600});
  s.settle();
  QTest::keyPress(&s.plot, Qt::Key_Space);
  s.drag(s.at(0.5), s.at(0.25));
  QTest::keyRelease(&s.plot, Qt::Key_Space);
  QVERIFY(near(s.plot.xRange().lower, 450, 1));
  s.drag(s.at(0.25), s.at(0.5));  // without Space it selects again
  QVERIFY(near(s.plot.xRange().size(), 50, 1));
}

void LinePlotViewTest::doubleClickFitsAndFollows() {
  Shown s;
  s.wheel(s.at(0.5), 480);
  QSignalSpy spy(&s.plot, &LinePlot::followingChanged);
  QTest::mouseDClick(&s.plot, Qt::LeftButton, {}, s.at(0.5));
  QVERIFY(s.plot.isFollowing());
  QCOMPARE(spy.count(), 1);
  QCOMPARE(s.plot.xRange(), (AxisRange{0, 999}));
}

void LinePlotViewTest::chipFollowsAgain() {
  Shown s;
  auto* chip = s.plot.findChild<ChipButton*>();
  QVERIFY(chip && !chip->isVisible());
  s.wheel(s.at(0.5), 120);
  s.settle();
  QVERIFY(chip->isVisible());
  QCOMPARE(chip->text(), QStringLiteral("Following off"));
  QVERIFY(s.plot.plotArea().contains(chip->geometry()));
  QTest::mouseClick(chip, Qt::LeftButton);
  QVERIFY(s.plot.isFollowing());
  QVERIFY(!chip->isVisible());
}

void LinePlotViewTest::keys() {
  Shown s;
  QTest::keyClick(&s.plot, Qt::Key_Plus);
  QVERIFY(near(s.plot.xRange().size(), 999 / 1.5, 1e-6));
  const AxisRange x = s.plot.xRange();
  QTest::keyClick(&s.plot, Qt::Key_Right);
  QVERIFY(near(s.plot.xRange().lower, x.lower + 0.1 * x.size(), 1e-6));
  QTest::keyClick(&s.plot, Qt::Key_Left);
  QVERIFY(near(s.plot.xRange().lower, x.lower, 1e-6));
  QTest::keyClick(&s.plot, Qt::Key_Minus);
  QVERIFY(near(s.plot.xRange().size(), 999, 1e-6));
  s.settle();
  const AxisRange y = s.plot.yRange();
  QTest::keyClick(&s.plot, Qt::Key_Up);
  QVERIFY(near(s.plot.yRange().lower, y.lower + 0.1 * y.size(), 1e-6));
  for (const Qt::Key key : {Qt::Key_0, Qt::Key_Home}) {
    s.plot.setXRange({1, 2});
    QTest::keyClick(&s.plot, key);
    QVERIFY(s.plot.isFollowing());
    QCOMPARE(s.plot.xRange(), (AxisRange{0, 999}));
  }
}

void LinePlotViewTest::robustRangeLeavesOutliersOut() {
  Shown s;
  auto data = std::make_shared<SeriesData>();
  for (int i = 0; i < 1000; ++i) data->append({i, 0, 0, i == 500 ? 1e6 : (i % 10) * 1.0});
  s.plot.setCurve({.key = "a", .name = "a", .data = data});
  QVERIFY(s.plot.yRange().upper > 1e6);
  s.plot.setYFit(YFit::Robust);
  QVERIFY(s.plot.yRange().upper < 12);
  QVERIFY(s.plot.yRange().lower < 0.5);
}

void LinePlotViewTest::yFollowsTheZoomedStretch() {
  Shown s;
  s.plot.setXRange({100, 200});
  QVERIFY(near(s.plot.yRange().lower, 95, 1e-6));
  QVERIFY(near(s.plot.yRange().upper, 205, 1e-6));
}

void LinePlotViewTest::includeKeepsBounds() {
  Shown s;
  auto data = std::make_shared<SeriesData>();
  for (int i = 0; i < 10; ++i) data->append({i, 0, 0, 0.5 + 0.01 * i});
  s.plot.setCurve({.key = "a", .name = "a", .data = data});
  s.plot.setYInclude(0, 1);
  QCOMPARE(s.plot.yRange(), (AxisRange{0, 1}));
  data->append({10, 0, 0, 1.5});  // passes the bound: the value wins
  s.plot.fitAndFollow();
  QVERIFY(s.plot.yRange().upper > 1.5);
}

void LinePlotViewTest::logHidesAndSays() {
  Shown s;
  auto data = std::make_shared<SeriesData>();
  for (int i = 0; i < 100; ++i) data->append({i, 0, 0, i < 50 ? std::pow(10, -i / 10.0) : -1.0});
  s.plot.setCurve({.key = "a", .name = "a", .data = data});
  QVERIFY(s.plot.note().isEmpty());
  s.plot.setYScale(YScale::Log);
  QCOMPARE(s.plot.note(), QStringLiteral("values \u2264 0 hidden"));
  QVERIFY(s.plot.yRange().lower > 0 && s.plot.yRange().lower < std::pow(10, -4.9));
  QVERIFY(s.plot.yRange().upper > 1);
  s.plot.setXRange({0, 40});  // nothing hidden in here
  QVERIFY(s.plot.note().isEmpty());
  s.settle();
}

void LinePlotViewTest::logWithoutPositiveValues() {
  Shown s;
  s.plot.setCurve({.key = "a", .name = "a", .data = line(100, -1)});
  s.plot.setYScale(YScale::Log);
  s.settle();
  QVERIFY(s.plot.yRange().lower > 0);
  QVERIFY(!s.plot.note().isEmpty());
}

void LinePlotViewTest::axisChoice() {
  Shown s;
  s.wheel(s.at(0.5), 120);
  s.plot.setXAxis(XAxis::Epoch);
  QVERIFY(s.plot.isFollowing());
  QVERIFY(near(s.plot.xRange().upper, 9.99, 1e-6));
  s.plot.setXAxis(XAxis::Time);
  QVERIFY(near(s.plot.xRange().upper, 499.5, 1e-3));
  s.settle();
}

void LinePlotViewTest::singlePointHasRoom() {
  Shown s;
  s.plot.setCurve({.key = "a", .name = "a", .data = line(1)});
  s.settle();
  QVERIFY(s.plot.xRange().size() > 0);
  QVERIFY(s.plot.yRange().size() > 0);
}

void LinePlotViewTest::linkedPlotsMoveTogether() {
  Shown a, b;
  LinkGroup group;
  group.add(&a.plot);
  group.add(&b.plot);
  a.wheel(a.at(0.5), 120);
  QCOMPARE(b.plot.xRange(), a.plot.xRange());
  QVERIFY(!b.plot.isFollowing());
  QTest::mouseDClick(&b.plot, Qt::LeftButton, {}, b.at(0.5));
  QVERIFY(a.plot.isFollowing());
  QCOMPARE(a.plot.xRange(), (AxisRange{0, 999}));
  // One with more data stretches both.
  a.extend(1000);
  a.plot.fitAndFollow();
  QCOMPARE(b.plot.xRange(), (AxisRange{0, 1999}));
  group.remove(&b.plot);
  QCOMPARE(b.plot.xRange(), (AxisRange{0, 999}));
}

void LinePlotViewTest::linkedPlotsOfOtherAxesStay() {
  Shown a, b;
  LinkGroup group;
  group.add(&a.plot);
  group.add(&b.plot);
  b.plot.setXAxis(XAxis::Epoch);
  a.wheel(a.at(0.5), 120);
  QVERIFY(b.plot.isFollowing());
  QVERIFY(near(b.plot.xRange().upper, 9.99, 1e-6));
}

void LinePlotViewTest::plotLeavesGroupWhenDestroyed() {
  LinkGroup group;
  {
    Shown a;
    group.add(&a.plot);
    QCOMPARE(group.plots().size(), 1);
  }
  QCOMPARE(group.plots().size(), 0);
  Shown b;
  {
    LinkGroup shorter;
    shorter.add(&b.plot);
  }
  b.wheel(b.at(0.5), 120);  // must not reach a group that is gone
  QVERIFY(!b.plot.isFollowing());
}

void LinePlotViewTest::refreshRateIsKept() {
  Shown s;
  s.plot.setRefreshRate(10);
  QTest::qWait(150);
  const int before = s.plot.renderCount();
  QElapsedTimer timer;
  timer.start();
  while (timer.elapsed() < 600) {
    s.extend(1);
    QTest::qWait(5);
  }
  const int renders = s.plot.renderCount() - before;
  const qint64 most = timer.elapsed() / 100 + 2;
  QVERIFY2(renders >= 1 && renders <= most, qPrintable(QString::number(renders)));
}

void LinePlotViewTest::hiddenPlotsAreNotDrawn() {
  Shown s;
  s.plot.setRefreshRate(100);
  s.plot.hide();
  const int before = s.plot.renderCount();
  for (int i = 0; i < 10; ++i) {
    s.extend(10);
    QTest::qWait(15);
  }
  QCOMPARE(s.plot.renderCount(), before);
  s.plot.show();
  QTRY_VERIFY(s.plot.renderCount() > before);
  QCOMPARE(s.plot.xRange(), (AxisRange{0, 1099}));
}

void LinePlotViewTest::degenerateRangesAreRefused() {
  Shown s;
  const double nan = std::nan("");
  for (const AxisRange bad : {AxisRange{5, 5}, AxisRange{7, 3}, AxisRange{nan, 3}}) {
    s.plot.setXRange(bad);
    s.plot.setYRange(bad);
    QVERIFY(s.plot.isFollowing());
  }
  s.plot.setYScale(YScale::Log);
  s.plot.setYRange({-1, 10});
  QVERIFY(s.plot.isFollowing());
  for (int i = 0; i < 400; ++i) s.wheel(s.at(0.37), 120);  // as far in as numbers go
  s.settle();
  QVERIFY(s.plot.xRange().size() > 0);
  for (int i = 0; i < 900; ++i) s.wheel(s.at(0.37), -120);
  s.settle();
  QVERIFY(std::isfinite(s.plot.xRange().size()));
}

QTEST_MAIN(LinePlotViewTest)
#include "line_plot_view_test.moc"
