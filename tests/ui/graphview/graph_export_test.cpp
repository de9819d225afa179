// SPDX-License-Identifier: GPL-3.0-or-later
// The whole graph as SVG, PDF and PNG, and what is said when that does not work.
#include <QFile>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <cstdlib>

#include "tests/ui/graphview/graph_window.h"

using namespace tenon::ui;

class GraphExportTest : public QObject {
  Q_OBJECT

 private:
  static bool isClose(QSize a, QSize b) {
    return std::abs(a.width() - b.width()) <= 1 && std::abs(a.height() - b.height()) <= 1;
  }
  /// Pixels that stand out from the ground in the corner.
  static int inkOf(const QImage& image) {
    const int ground = qGray(image.pixel(1, 1));
    int ink = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        ink += std::abs(qGray(image.pixel(x, y)) - ground) > 40 ? 1 : 0;
    return ink;
  }

 private Q_SLOTS:
  void savesTheWholeGraph() {
    Window w;
    QTemporaryDir dir;
    const QString svg = dir.filePath(QStringLiteral("g.svg"));
    const QString pdf = dir.filePath(QStringLiteral("g.PDF"));
    const QString png = dir.filePath(QStringLiteral("g.png"));
    for (const QString& path : {svg, pdf, png}) QCOMPARE(w.view.savePicture(path), QString());
    const QImage wanted = w.view.toImage();
    QCOMPARE(QImage(png), wanted.convertToFormat(QImage(png).format()));
    // The drawing has the same size, but for a pixel that millimetres lose, and as much drawn.
    QSvgRenderer renderer(svg);
    QVERIFY(renderer.isValid());
    const QSize size = wanted.size() / 2;
    QVERIFY(isClose(renderer.defaultSize(), size));
    QImage drawn(wanted.size(), QImage::Format_RGB32);
    QPainter painter(&drawn);
    renderer.render(&painter);
    painter.end();
    QVERIFY(inkOf(wanted) > 2000);
    QVERIFY2(std::abs(inkOf(drawn) - inkOf(wanted)) < inkOf(wanted) / 3,
             qPrintable(QStringLiteral("%1 of %2").arg(inkOf(drawn)).arg(inkOf(wanted))));
    QFile page(pdf);
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QByteArray bytes = page.readAll();
    QVERIFY(bytes.startsWith("%PDF-"));
    const QByteArray key = "/MediaBox [0 0 ";
    const QByteArray box = bytes.mid(bytes.indexOf(key) + key.size(), 60);
    const QList<QByteArray> sides = box.left(box.indexOf(']')).split(' ');
    QCOMPARE(sides.size(), 2);
    QVERIFY2(isClose({qRound(sides[0].toDouble()), qRound(sides[1].toDouble())}, size),
             box.constData());
  }

  void saysWhyAPictureIsNotSaved() {
    Window w;
    QTemporaryDir dir;
    const QString nowhere = dir.filePath(QStringLiteral("no/g.svg"));
    QVERIFY(w.view.savePicture(nowhere).contains(nowhere));
    QVERIFY(
        w.view.savePicture(dir.filePath(QStringLiteral("g.doc"))).contains(".svg, .pdf or .png"));
    QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("g.doc"))));
    w.view.setGraph({});
    QVERIFY(!w.view.savePicture(dir.filePath(QStringLiteral("g.svg"))).isEmpty());
  }
};

QTEST_MAIN(GraphExportTest)
#include "graph_export_test.moc"
