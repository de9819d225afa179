// SPDX-License-Identifier: GPL-3.0-or-later
// What LinePlot draws and says: themes, legend, empty state, marks, readout, exports.
#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "ui/plot/legend_bar.h"
#include "ui/plot/line_plot.h"

using namespace tenon::ui;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::shared_ptr<SeriesData> wave(int count, double height) {
  auto data = std::make_shared<SeriesData>();
  for (int i = 0; i < count; ++i) {
    data->append({i, i / 100.0, i * 2.0, height * (1 + std::sin(i * 0.05)) + 0.01 * (i % 7)});
  }
  return data;
}

void fill(LinePlot& plot) {
  plot.resize(600, 300);
  plot.setTitle("Loss");
  plot.setValueAxis("cross-entropy", "nats");
  plot.setCurve({.key = "t", .name = "training", .data = wave(3000, 1)});
  plot.setCurve({.key = "v", .name = "validation", .data = wave(20, 1.2), .validation = true});
  plot.setCurve({.key = "o", .name = "other run", .data = wave(3000, 0.5), .run = 9});
  plot.setSmoothing(0.9);
}

LegendKey* keyOf(LinePlot& plot, const QString& key) {
  return plot.findChild<LegendBar*>()->key(key);
}

int count(const QImage& image, const QRect& area, const QColor& colour) {
  int found = 0;
  for (int y = area.top(); y <= area.bottom(); ++y) {
    for (int x = area.left(); x <= area.right(); ++x) {
      if (image.rect().contains(x, y) && image.pixelColor(x, y) == colour) ++found;
    }
  }
  return found;
}

QStringList linesOf(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
}

}  // namespace

class LinePlotLookTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void switchedThemeEqualsAFreshStart();
  void legendHides();
  void legendIsolates();
  void legendOverflowsIntoAMenu();
  void emptyStateSaysAndOffers();
  void allHiddenIsSaid();
  void notANumberIsMarked();
  void everyPeakIsDrawn();
  void aSingleValueIsADot();
  void readoutReadsAllCurves();
  void summaryReads();
  void csvHoldsAllPoints();
  void csvSmoothed();
  void exportsFailWithText();
  void pngAndSvg();
  void copies();
  void menuOffersAll();
  void hoverPaintsAReadout();
  void replacingAndRemoving();
  void highResolution();
};

void LinePlotLookTest::switchedThemeEqualsAFreshStart() {
  LinePlot switched, fresh;
  switched.setTheme(PlotTheme::light());
  fill(switched);
  const QImage light = switched.grab().toImage();
  switched.setTheme(PlotTheme::dark());
  fresh.setTheme(PlotTheme::dark());
  fill(fresh);
  QCOMPARE(switched.grab().toImage(), fresh.grab().toImage());
  switched.setTheme(PlotTheme::light());
  QCOMPARE(switched.grab().toImage(), light);
  QVERIFY(light != fresh.grab().toImage());
}

void LinePlotLookTest::legendHides() {
  LinePlot plot;
  fill(plot);
  plot.show();
  const QImage before = plot.grab().toImage();
  QSignalSpy spy(&plot, &LinePlot::curveVisibilityChanged);
  QTest::mouseClick(keyOf(plot, "t"), Qt::LeftButton);
  QVERIFY(!plot.isCurveVisible("t"));
  QVERIFY(plot.isCurveVisible("v"));
  QCOMPARE(spy.count(), 1);
  QCOMPARE(spy.first().at(0).toString(), QStringLiteral("t"));
  QVERIFY(plot.grab().toImage() != before);
  QTest::mouseClick(keyOf(plot, "t"), Qt::LeftButton);
  QVERIFY(plot.isCurveVisible("t"));
  QTest::mouseMove(&plot, QPoint(1, 1));
  QTest::keyClick(keyOf(plot, "v"), Qt::Key_Space);  // and by keyboard
  QVERIFY(!plot.isCurveVisible("v"));
  QCOMPARE(keyOf(plot, "v")->accessibleName(), QStringLiteral("validation"));
}

void LinePlotLookTest::legendIsolates() {
  LinePlot plot;
  fill(plot);
  plot.show();
  (void)plot.grab();
  const auto shown = [&plot] {
    QStringList keys;
    for (const QString& key : plot.curves()) {
      if (plot.isCurveVisible(key)) keys.append(key);
    }
    return keys.join(',');
  };
  const auto doubleClick = [&plot](const QString& key) {
    QTest::mouseClick(keyOf(plot, key), Qt::LeftButton);
    QTest::mouseDClick(keyOf(plot, key), Qt::LeftButton);
  };
  doubleClick("v");
  QCOMPARE(shown(), QStringLiteral("v"));
  doubleClick("v");  // again: all
  QCOMPARE(shown(), QStringLiteral("t,v,o"));
  QTest::mouseClick(keyOf(plot, "o"), Qt::LeftButton, Qt::ControlModifier);
  QCOMPARE(shown(), QStringLiteral("o"));
  QTest::mouseClick(keyOf(plot, "t"), Qt::LeftButton, Qt::ControlModifier);
  QCOMPARE(shown(), QStringLiteral("t"));
  QTest::keyClick(keyOf(plot, "t"), Qt::Key_Return);
  QCOMPARE(shown(), QStringLiteral("t,v,o"));
}

void LinePlotLookTest::legendOverflowsIntoAMenu() {
  LinePlot plot;
  plot.resize(420, 240);
  for (int i = 0; i < 12; ++i) {
    plot.setCurve({.key = QString::number(i),
                   .name = QString("run %1").arg(i),
                   .data = wave(9, i),
                   .run = i});
  }
  plot.show();
  (void)plot.grab();
  int inRow = 0;
  for (LegendKey* key : plot.findChildren<LegendKey*>()) inRow += key->isVisible() ? 1 : 0;
  QVERIFY(inRow >= 2 && inRow < 12);
  auto* menu = plot.findChild<LegendBar*>()->findChild<QMenu*>();
  Q_EMIT menu->aboutToShow();
  QCOMPARE(menu->actions().size(), 12 - inRow);
  menu->actions().last()->trigger();
  QVERIFY(!plot.isCurveVisible("11"));
}

void LinePlotLookTest::emptyStateSaysAndOffers() {
  LinePlot plot;
  plot.resize(500, 240);
  plot.show();
  plot.setEmptyText("No points yet. They come when the run starts.");
  QAction run("&Run");
  QSignalSpy triggered(&run, &QAction::triggered);
  plot.setEmptyAction(&run);
  const QImage empty = plot.grab().toImage();
  auto* button = plot.findChild<QPushButton*>();
  QVERIFY(button->isVisible());
  QCOMPARE(button->text(), QStringLiteral("Run"));
  button->click();
  QCOMPARE(triggered.count(), 1);
  run.setEnabled(false);
  (void)plot.grab();
  QVERIFY(!button->isEnabled());
  QCOMPARE(plot.summary(), QStringLiteral("No points yet. They come when the run starts."));
  plot.setEmptyText("Other words");
  QVERIFY(plot.grab().toImage() != empty);
  plot.setCurve({.key = "a", .name = "a", .data = wave(5, 1)});
  (void)plot.grab();
  QVERIFY(!button->isVisible());
}

void LinePlotLookTest::allHiddenIsSaid() {
  LinePlot plot, other;
  for (LinePlot* p : {&plot, &other}) {
    p->resize(400, 200);
    p->setLegendVisible(false);
    p->setEmptyText("nothing");
  }
  plot.setCurve({.key = "a", .name = "a", .data = wave(5, 1)});
  plot.setCurveVisible("a", false);
  QVERIFY(plot.grab().toImage() != other.grab().toImage());
}

void LinePlotLookTest::notANumberIsMarked() {
  LinePlot plot;
  plot.resize(500, 240);
  auto data = std::make_shared<SeriesData>();
  for (int i = 0; i < 100; ++i) data->append({i, 0, 0, i == 50 ? kNaN : 1.0 * i});
  plot.setCurve({.key = "a", .name = "a", .data = data});
  const QImage image = plot.grab().toImage();
  const QRect area = plot.plotArea();
  const int x = area.left() + static_cast<int>(50 / 99.0 * area.width());
  const QRect foot(x - 3, area.bottom() - 7, 7, 8);
  QVERIFY(count(image, foot, plot.theme().bad) >= 8);
  QCOMPARE(count(image, foot.translated(-60, 0), plot.theme().bad), 0);
}

void LinePlotLookTest::aSingleValueIsADot() {
  for (const bool steps : {false, true}) {
    LinePlot plot;
    plot.resize(400, 200);
    plot.setCurve({.key = "t", .name = "t", .data = wave(1, 1), .steps = steps});
    plot.setLegendVisible(false);
    const QImage image = plot.grab().toImage();
    QVERIFY(count(image, plot.plotArea(), plot.theme().seriesColour(0)) >= 9);
  }
}

void LinePlotLookTest::everyPeakIsDrawn() {
  LinePlot plot;
  plot.resize(500, 240);
  plot.setLegendVisible(false);
  auto data = std::make_shared<SeriesData>();
  for (int i = 0; i < 300000; ++i) data->append({i, 0, 0, i == 150001 ? 100.0 : 0.001 * (i % 3)});
  plot.setCurve({.key = "a", .name = "a", .data = data});
  const QImage image = plot.grab().toImage();
  const QRect area = plot.plotArea();
  const QRect middle(area.center().x() - 3, area.top() + area.height() / 4, 7, 40);
  QVERIFY(count(image, middle, plot.theme().seriesColour(0)) >= 40);
}

void LinePlotLookTest::readoutReadsAllCurves() {
  LinePlot plot;
  auto train = std::make_shared<SeriesData>();
  for (int i = 0; i < 2000; ++i) train->append({i, i / 469.0, i * 0.25, i == 1000 ? 0.12345 : 2.0});
  auto valid = std::make_shared<SeriesData>();
  valid->append({469, 1, 117.25, 0.5});
  valid->append({938, 2, 234.5, kNaN});
  plot.setCurve({.key = "t", .name = "training", .data = train});
  plot.setCurve({.key = "v", .name = "validation", .data = valid, .validation = true});
  QStringList lines = plot.readout(1000.2);
  QCOMPARE(lines.size(), 3);
  QCOMPARE(lines[0], QStringLiteral("step 1\u202f000   epoch 2.13   4 min 10 s"));
  QCOMPARE(lines[1], QStringLiteral("training\t0.1235"));
  QCOMPARE(lines[2], QStringLiteral("validation\tNaN\tat 938"));
  plot.setSmoothing(0.5);
  lines = plot.readout(1000.2);
  QCOMPARE(lines[1], QStringLiteral("training\t0.1235\t1.062"));  // (2 + 0.12345) / 2
  QCOMPARE(lines[2], QStringLiteral("validation\tNaN\tat 938"));  // never smoothed
  plot.setCurveVisible("t", false);
  QCOMPARE(plot.readout(500).at(0), QStringLiteral("step 469   epoch 1.00   1 min 57 s"));
  plot.clearCurves();
  QVERIFY(plot.readout(500).isEmpty());
}

void LinePlotLookTest::summaryReads() {
  LinePlot plot;
  auto data = std::make_shared<SeriesData>();
  for (int i = 0; i < 100; ++i) data->append({i, 0, 0, 100.0 - i});
  plot.setTitle("Loss");
  plot.setCurve({.key = "t", .name = "training", .data = data});
  QCOMPARE(plot.summary(), QStringLiteral("training: last 1, minimum 1, maximum 100, falling"));
  (void)plot.grab();
  QCOMPARE(plot.accessibleName(), QStringLiteral("Loss"));
  QCOMPARE(plot.accessibleDescription(), plot.summary());
  auto nan = std::make_shared<SeriesData>();
  nan->append({0, 0, 0, kNaN});
  plot.setCurve({.key = "t", .name = "training", .data = nan});
  QCOMPARE(plot.summary(), QStringLiteral("training: last NaN, no finite values"));
}

void LinePlotLookTest::csvHoldsAllPoints() {
  QTemporaryDir dir;
  LinePlot plot;
  auto data = std::make_shared<SeriesData>();
  data->append({0, 0, 0, 0.1});
  data->append({10, 0.5, 2.5, kNaN});
  data->append({20, 1, 5, 1.0 / 3});
  plot.setCurve({.key = "a", .name = "loss, \"train\"", .data = data});
  plot.setCurve({.key = "h", .name = "hidden", .data = data});
  plot.setCurveVisible("h", false);
  QCOMPARE(plot.exportCsv(dir.filePath("a.csv")), QString());
  QCOMPARE(linesOf(dir.filePath("a.csv")),
           (QStringList{"series,step,epoch,time_s,value,smoothed",
                        "\"loss, \"\"train\"\"\",0,0,0,0.1,0.1",
                        "\"loss, \"\"train\"\"\",10,0.5,2.5,nan,nan",
                        "\"loss, \"\"train\"\"\",20,1,5,0.3333333333333333,0.3333333333333333"}));
}

void LinePlotLookTest::csvSmoothed() {
  QTemporaryDir dir;
  LinePlot plot;
  auto data = std::make_shared<SeriesData>();
  data->append({0, 0, 0, 1});
  data->append({1, 0, 0, 2});
  plot.setCurve({.key = "a", .name = "a", .data = data});
  plot.setSmoothing(0.5);
  QCOMPARE(plot.exportCsv(dir.filePath("a.csv")), QString());
  const QStringList last = linesOf(dir.filePath("a.csv")).last().split(',');
  QCOMPARE(last[4], QStringLiteral("2"));
  QVERIFY(std::abs(last[5].toDouble() - (0.25 * 1 + 0.5 * 2) / 0.75) < 1e-12);
}

void LinePlotLookTest::exportsFailWithText() {
  LinePlot plot;
  fill(plot);
  const QString nowhere = "/no/such/folder/a";
  QVERIFY(!plot.exportCsv(nowhere).isEmpty());
  QVERIFY(!plot.exportPng(nowhere).isEmpty());
  QVERIFY(!plot.exportSvg(nowhere).isEmpty());
}

void LinePlotLookTest::pngAndSvg() {
  QTemporaryDir dir;
  LinePlot plot;
  fill(plot);
  QCOMPARE(plot.exportPng(dir.filePath("a.png"), 2), QString());
  const QImage png(dir.filePath("a.png"));
  QCOMPARE(png.size(), QSize(1200, 600));
  QCOMPARE(png.pixelColor(1, 599), plot.theme().surface);
  QCOMPARE(plot.exportSvg(dir.filePath("a.svg")), QString());
  QSvgRenderer svg(dir.filePath("a.svg"));
  QVERIFY(svg.isValid());
  // Qt writes whole millimetres and reads them back at 90 dots an inch.
  QVERIFY(std::abs(svg.defaultSize().width() - 600) <= 2);
  QCOMPARE(svg.viewBox(), QRect(0, 0, 600, 300));
  QFile file(dir.filePath("a.svg"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray text = file.readAll();
  QVERIFY(text.contains("<polyline"));  // lines, not a picture of lines
  QVERIFY(text.contains("cross-entropy (nats)"));
  QVERIFY(text.contains("validation"));
  QVERIFY(!text.contains("<image"));
}

void LinePlotLookTest::copies() {
  LinePlot plot;
  fill(plot);
  QTest::keyClick(&plot, Qt::Key_C, Qt::ControlModifier);
  QCOMPARE(QGuiApplication::clipboard()->image().size(), QSize(1200, 600));
}

void LinePlotLookTest::menuOffersAll() {
  LinePlot plot;
  fill(plot);
  QMenu menu;
  plot.addActionsTo(&menu);
  QSignalSpy exports(&plot, &LinePlot::exportRequested);
  const auto trigger = [&menu](const QString& text) {
    for (QAction* action : menu.actions()) {
      if (action->text().remove('&') == text) return action->trigger();
    }
    QFAIL(qPrintable(text));
  };
  for (const char* text : {"Save as PNG...", "Save as SVG...", "Save values as CSV..."}) {
    trigger(QLatin1String(text));
  }
  QCOMPARE(exports.count(), 3);
  QCOMPARE(exports.at(2).at(0).value<ExportKind>(), ExportKind::Csv);
  trigger("Log scale");
  QCOMPARE(plot.yScale(), YScale::Log);
  trigger("Robust range");
  QCOMPARE(plot.yFit(), YFit::Robust);
  for (QAction* action : menu.actions()) {
    if (action->menu()) action->menu()->actions().at(2)->trigger();
  }
  QCOMPARE(plot.xAxis(), XAxis::Time);
}

void LinePlotLookTest::hoverPaintsAReadout() {
  LinePlot plot;
  fill(plot);
  plot.show();
  const QImage before = plot.grab().toImage();
  const int renders = plot.renderCount();
  QSignalSpy spy(&plot, &LinePlot::hovered);
  const QPointF point = plot.plotArea().center();
  QMouseEvent move(QEvent::MouseMove, point, point, Qt::NoButton, Qt::NoButton, {});
  QCoreApplication::sendEvent(&plot, &move);
  QCOMPARE(spy.count(), 1);
  const QImage hovered = plot.grab().toImage();
  QVERIFY(hovered != before);
  QVERIFY(count(hovered, plot.rect(), plot.theme().raised) > 1000);
  QCOMPARE(plot.renderCount(), renders);  // the curves were not drawn again
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(&plot, &leave);
  QCOMPARE(plot.grab().toImage(), before);
}

void LinePlotLookTest::replacingAndRemoving() {
  LinePlot plot;
  fill(plot);
  plot.setCurveVisible("t", false);
  plot.setCurve({.key = "t", .name = "renamed", .data = wave(10, 1)});
  QCOMPARE(plot.curves(), (QStringList{"t", "v", "o"}));
  QVERIFY(!plot.isCurveVisible("t"));  // hidden stays hidden
  plot.removeCurve("v");
  QCOMPARE(plot.curves(), (QStringList{"t", "o"}));
  plot.setCurve({.key = "n", .name = "without data", .data = nullptr});
  (void)plot.grab();
  plot.removeCurve("unknown");
  QVERIFY(!plot.isCurveVisible("unknown"));
  QCOMPARE(plot.curves().size(), 3);
}

void LinePlotLookTest::highResolution() {
  LinePlot plot;
  fill(plot);
  const QImage image = plot.image({400, 200}, 2);
  QCOMPARE(image.size(), QSize(800, 400));
  // The raw curve keeps its one-device-pixel pen: as an export in logical pixels it is not doubled.
  QVERIFY(image != plot.image({400, 200}, 1).scaled(800, 400));
}

QTEST_MAIN(LinePlotLookTest)
#include "line_plot_look_test.moc"
