// SPDX-License-Identifier: GPL-3.0-or-later
// Bars, sparklines, palettes, ticks and number texts.
#include <QPainter>
#include <QScrollArea>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "ui/plot/axis_ticks.h"
#include "ui/plot/bar_chart.h"
#include "ui/plot/number_text.h"
#include "ui/plot/sparkline.h"

using namespace tenon::ui;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// W3C relative luminance contrast (WCAG 2.1, 1.4.3).
double contrast(const QColor& a, const QColor& b) {
  const auto luminance = [](const QColor& c) {
    const auto channel = [](double v) {
      return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
  };
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace

class SmallChartsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void coloursKeepTheirContrast();
  void runsStayApart();
  void metricTexts();
  void durationTexts();
  void countTexts();
  void digitsAreEqual();
  void linearTicksAreRound();
  void stepTicksAreWhole();
  void durationTicksAreRound();
  void logTicksFitTheRange();
  void barsAreProportional();
  void barRowsAndSelection();
  void barTexts();
  void barsThemeSwitch();
  void thousandRowsPaintTheVisibleOnes();
  void sparklineDrawsPeaks();
  void sparklineDescribes();
};

void SmallChartsTest::coloursKeepTheirContrast() {
  for (const PlotTheme& theme : {PlotTheme::dark(), PlotTheme::light()}) {
    QCOMPARE(theme.series.size(), 8);
    for (const QColor& colour : theme.series) QVERIFY(contrast(colour, theme.surface) >= 3);
    for (const QColor& colour : {theme.text, theme.secondary, theme.bad, theme.good}) {
      QVERIFY2(contrast(colour, theme.surface) >= 4.5, qPrintable(colour.name()));
    }
    QVERIFY(!theme.series.contains(theme.accent));
  }
  QVERIFY(!(PlotTheme::dark() == PlotTheme::light()));
}

void SmallChartsTest::runsStayApart() {
  const PlotTheme theme = PlotTheme::dark();
  QSet<QString> seen;
  for (int run = 0; run < 32; ++run) {
    for (const bool validation : {false, true}) {
      QString look = theme.seriesColour(run).name();
      for (const qreal length : seriesDash(run, validation)) look += QString(" %1").arg(length);
      QVERIFY2(!seen.contains(look), qPrintable(QString::number(run)));
      seen.insert(look);
    }
  }
  QCOMPARE(theme.seriesColour(8), theme.seriesColour(0));
  QVERIFY(seriesDash(0, false).isEmpty());
  QVERIFY(!seriesDash(0, true).isEmpty());
  QVERIFY(!seriesDash(8, false).isEmpty());
  QCOMPARE(theme.seriesColour(-1), theme.secondary);
}

void SmallChartsTest::metricTexts() {
  QCOMPARE(metricText(0.284123), QStringLiteral("0.2841"));
  QCOMPARE(metricText(0.00032101), QStringLiteral("0.0003210"));
  QCOMPARE(metricText(1.2e-5), QStringLiteral("1.2e-05"));
  QCOMPARE(metricText(93.456), QStringLiteral("93.46"));
  QCOMPARE(metricText(12345.6), QStringLiteral("12346"));
  QCOMPARE(metricText(0), QStringLiteral("0"));
  QCOMPARE(metricText(-2), QStringLiteral("-2"));
  QCOMPARE(metricText(3e9), QStringLiteral("3e+09"));
  QCOMPARE(metricText(kNaN), QStringLiteral("NaN"));
  QCOMPARE(metricText(-INFINITY), QStringLiteral("-inf"));
}

void SmallChartsTest::durationTexts() {
  QCOMPARE(durationText(0.423), QStringLiteral("0.42 s"));
  QCOMPARE(durationText(12.34), QStringLiteral("12.3 s"));
  QCOMPARE(durationText(59.97), QStringLiteral("1 min 00 s"));
  QCOMPARE(durationText(245), QStringLiteral("4 min 05 s"));
  QCOMPARE(durationText(3600), QStringLiteral("1 h 00 min"));
  QCOMPARE(durationText(3720), QStringLiteral("1 h 02 min"));
  QCOMPARE(durationText(-5), QStringLiteral("-5.00 s"));
}

void SmallChartsTest::countTexts() {
  QCOMPARE(countText(999), QStringLiteral("999"));
  QCOMPARE(countText(60000), QStringLiteral("60\u202f000"));
  QCOMPARE(countText(-1234567), QStringLiteral("-1\u202f234\u202f567"));
  QCOMPARE(countText(-123), QStringLiteral("-123"));
}

void SmallChartsTest::digitsAreEqual() {
  const QFont font = digitsFont(QFont());
  const QFontMetricsF metrics(font);
  for (char16_t digit = u'0'; digit <= u'9'; ++digit) {
    QVERIFY(std::abs(metrics.horizontalAdvance(QChar(digit)) - metrics.horizontalAdvance('0')) <
            0.01);
  }
}

void SmallChartsTest::linearTicksAreRound() {
  QCOMPARE(linearTicks({0, 1}, 5).labels, (QStringList{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  QCOMPARE(linearTicks({-0.0021, 0.0021}, 4).labels,
           (QStringList{"-0.002", "-0.001", "0", "0.001", "0.002"}));
  QVERIFY(linearTicks({5, 5}, 4).major.empty());
  for (double size = 1e-12; size < 1e12; size *= 3.7) {
    const auto ticks = linearTicks({0.3 * size, 1.3 * size}, 5);
    QVERIFY(ticks.major.size() >= 2 && ticks.major.size() <= 9);
    QCOMPARE(QSet<QString>(ticks.labels.begin(), ticks.labels.end()).size(), ticks.labels.size());
  }
}

void SmallChartsTest::stepTicksAreWhole() {
  QCOMPARE(stepTicks({0, 3}, 8).labels, (QStringList{"0", "1", "2", "3"}));
  QCOMPARE(stepTicks({0, 50000}, 5).labels, (QStringList{"0", "10k", "20k", "30k", "40k", "50k"}));
  QCOMPARE(stepTicks({0, 2e6}, 2).labels, (QStringList{"0", "1M", "2M"}));
  QCOMPARE(stepTicks({100.2, 100.4}, 3).major.size(), std::size_t{0});
}

void SmallChartsTest::durationTicksAreRound() {
  QCOMPARE(durationTicks({0, 60}, 4).labels, (QStringList{"0 s", "15 s", "30 s", "45 s", "1 min"}));
  QCOMPARE(durationTicks({0, 7200}, 4).labels,
           (QStringList{"0 s", "30 min", "1 h", "1 h 30", "2 h"}));
  QCOMPARE(durationTicks({60, 120}, 4).labels.at(1), QStringLiteral("1:15 min"));
  QCOMPARE(durationTicks({0, 0.4}, 4).labels.at(1), QStringLiteral("0.1 s"));
  QCOMPARE(durationTicks({0, 4 * 86400}, 4).labels.at(1), QStringLiteral("24 h"));
}

void SmallChartsTest::logTicksFitTheRange() {
  QCOMPARE(logTicks({0.001, 10}, 6).labels, (QStringList{"0.001", "0.01", "0.1", "1", "10"}));
  QCOMPARE(logTicks({0.1, 2}, 6).labels, (QStringList{"0.1", "0.2", "0.5", "1", "2"}));
  QVERIFY(logTicks({0.21, 0.34}, 5).major.size() >= 2);  // within a decade: round numbers
  QVERIFY(logTicks({1e-30, 1e30}, 5).major.size() <= 6);
  QVERIFY(logTicks({0, 1}, 5).major.empty());
  QVERIFY(!logTicks({0.001, 10}, 6).minor.empty());
}

void SmallChartsTest::barsAreProportional() {
  BarChart chart;
  chart.resize(400, 120);
  chart.setRows({{"a", 100}, {"b", 50}, {"c", 0.01}, {"d", 0}, {"e", kNaN}});
  const int full = chart.barRect(0).width();
  QVERIFY(full > 200);
  QVERIFY(std::abs(chart.barRect(1).width() * 2 - full) <= 1);
  QCOMPARE(chart.barRect(2).width(), 1);  // little is not nothing
  QCOMPARE(chart.barRect(3).width(), 0);
  QCOMPARE(chart.barRect(4).width(), 0);
  for (int row = 1; row < 5; ++row) QCOMPARE(chart.barRect(row).left(), chart.barRect(0).left());
  chart.setMaximum(200);
  QVERIFY(std::abs(chart.barRect(0).width() * 2 - full) <= 1);
  const QImage image = chart.grab().toImage();
  QCOMPARE(image.pixelColor(chart.barRect(0).center()), PlotTheme::light().seriesColour(0));
  QCOMPARE(image.pixelColor(chart.barRect(0).right() + 5, chart.barRect(0).center().y()),
           PlotTheme::light().sunken);
}

void SmallChartsTest::barRowsAndSelection() {
  BarChart chart;
  chart.resize(300, 96);
  chart.setRows({{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}});
  QSignalSpy current(&chart, &BarChart::currentRowChanged);
  QSignalSpy activated(&chart, &BarChart::rowActivated);
  QSignalSpy hovered(&chart, &BarChart::rowHovered);
  QCOMPARE(chart.rowAt({10, 30}), 1);
  QCOMPARE(chart.rowAt({10, 500}), -1);
  QTest::mouseClick(&chart, Qt::LeftButton, {}, {10, 50});
  QCOMPARE(chart.currentRow(), 2);
  QTest::keyClick(&chart, Qt::Key_Down);
  QTest::keyClick(&chart, Qt::Key_Down);
  QCOMPARE(chart.currentRow(), 3);
  QTest::keyClick(&chart, Qt::Key_Return);
  QCOMPARE(activated.count(), 1);
  QCOMPARE(activated.last().at(0).toInt(), 3);
  QTest::keyClick(&chart, Qt::Key_Home);
  QCOMPARE(chart.currentRow(), 0);
  QTest::mouseDClick(&chart, Qt::LeftButton, {}, {10, 30});
  QCOMPARE(activated.last().at(0).toInt(), 1);
  const QPointF point(10, 30);
  QMouseEvent move(QEvent::MouseMove, point, point, Qt::NoButton, Qt::NoButton, {});
  QCoreApplication::sendEvent(&chart, &move);
  QCOMPARE(hovered.last().at(0).toInt(), 1);
  chart.setCurrentRow(2);
  chart.setRows({{"a", 1}});
  QCOMPARE(chart.currentRow(), -1);
  QCOMPARE(hovered.last().at(0).toInt(), -1);
  QVERIFY(current.count() >= 4);
}

void SmallChartsTest::barTexts() {
  BarChart chart;
  chart.setTitle("Classes");
  chart.setRows({{"Shirt", 0.614, BarRole::Bad}, {"Coat", 6000, BarRole::Good}, {"Bag", kNaN}});
  QCOMPARE(chart.valueText(1), QStringLiteral("6\u202f000"));
  chart.setText(BarText::Percent);
  QCOMPARE(chart.valueText(0), QStringLiteral("61.4 %"));
  QCOMPARE(chart.summary(),
           QStringLiteral("Shirt: 61.4 %, wrong; Coat: 600000.0 %, right; Bag: NaN"));
  QCOMPARE(chart.accessibleName(), QStringLiteral("Classes"));
  QCOMPARE(chart.accessibleDescription(), chart.summary());
  chart.setText(BarText::Number);
  QCOMPARE(chart.valueText(0), QStringLiteral("0.6140"));
  chart.setRows({});
  chart.setEmptyText("No classes");
  QCOMPARE(chart.summary(), QStringLiteral("No classes"));
  (void)chart.grab();
}

void SmallChartsTest::barsThemeSwitch() {
  BarChart a, b;
  for (BarChart* chart : {&a, &b}) chart->resize(300, 60);
  a.setRows({{"x", 3}, {"y", 2, BarRole::Good}});
  (void)a.grab();
  a.setTheme(PlotTheme::dark());
  b.setTheme(PlotTheme::dark());
  b.setRows({{"x", 3}, {"y", 2, BarRole::Good}});
  QCOMPARE(a.grab().toImage(), b.grab().toImage());
}

void SmallChartsTest::thousandRowsPaintTheVisibleOnes() {
  BarChart chart;
  QList<BarRow> rows;
  for (int i = 0; i < 100000; ++i) rows.append({QString("class %1").arg(i), i * 1.0});
  chart.setRows(rows);
  chart.resize(300, chart.sizeHint().height());
  QImage target(300, 240, QImage::Format_RGB32);
  chart.render(&target, {}, QRegion(0, 24000, 300, 240));  // the font's first use takes long
  QElapsedTimer timer;
  timer.start();
  chart.render(&target, {}, QRegion(0, 24000, 300, 240));
  QVERIFY(timer.elapsed() < 1000);
  QVERIFY(target.pixelColor(chart.barRect(1005).left() + 1, 5 * 24 + 12) ==
          PlotTheme::light().seriesColour(0));
}

void SmallChartsTest::sparklineDrawsPeaks() {
  QImage image(64, 24, QImage::Format_RGB32);
  image.fill(Qt::white);
  std::vector<double> values(100000, 0.0);
  values[50000] = 1;
  values[70000] = kNaN;
  QPainter painter(&image);
  paintSparkline(painter, QRectF(0, 0, 64, 24), values, Qt::black);
  painter.end();
  int dark = 0;
  for (int x = 26; x < 38; ++x) dark += image.pixelColor(x, 8).lightness() < 160 ? 1 : 0;
  QVERIFY(dark >= 1);
  QCOMPARE(image.pixelColor(10, 8), QColor(Qt::white));
  QImage untouched = image;
  QPainter again(&untouched);
  const std::vector<double> nothing{kNaN, kNaN};
  paintSparkline(again, QRectF(0, 0, 64, 24), nothing, Qt::black);
  paintSparkline(again, QRectF(0, 0, 64, 24), {}, Qt::black);
  again.end();
  QCOMPARE(untouched, image);
}

void SmallChartsTest::sparklineDescribes() {
  Sparkline line;
  QCOMPARE(line.accessibleDescription(), QStringLiteral("No values"));
  line.setValues({3, 1, 2});
  QVERIFY(line.accessibleDescription().contains(QStringLiteral("last 2, minimum 1, maximum 3")));
  line.setTheme(PlotTheme::dark());
  line.setRun(2);
  (void)line.grab();
}

QTEST_MAIN(SmallChartsTest)
#include "small_charts_test.moc"
