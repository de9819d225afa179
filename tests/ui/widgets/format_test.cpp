// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as text and back.
#include "ui/widgets/format.h"

#include <QtTest>
#include <cmath>
#include <limits>
#include <random>

using namespace tenon::ui;

namespace {

/// Thin and unbreakable spaces shown as '_' and ' '.
QString plain(QString text) { return text.replace(QChar(0x2009), u'_').replace(QChar(0xA0), u' '); }

}  // namespace

class FormatTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void bytes_data() {
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("0") << qint64(0) << "0 B";
    QTest::newRow("1023") << qint64(1023) << "1023 B";
    QTest::newRow("1024") << qint64(1024) << "1 KiB";
    QTest::newRow("1536") << qint64(1536) << "1.5 KiB";
    QTest::newRow("carry") << qint64(1024 * 1024 - 1) << "1 MiB";
    QTest::newRow("MiB") << qint64(432'640'000) << "413 MiB";
    QTest::newRow("small MiB") << qint64(13'000'000) << "12.4 MiB";
    QTest::newRow("GiB") << qint64(1'342'177'280) << "1.25 GiB";
    QTest::newRow("TiB") << (qint64(3) << 40) << "3 TiB";
    QTest::newRow("negative") << qint64(-2048) << "-2 KiB";
  }
  void bytes() {
    QFETCH(qint64, bytes);
    QTEST(plain(formatBytes(bytes)), "text");
  }

  void duration_data() {
    QTest::addColumn<double>("seconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("ms") << 0.85 << "850 ms";
    QTest::newRow("zero") << 0.0 << "0 ms";
    QTest::newRow("almost 1 s") << 0.9996 << "1.0 s";
    QTest::newRow("s") << 12.44 << "12.4 s";
    QTest::newRow("almost 1 min") << 59.96 << "1 min 00 s";
    QTest::newRow("min") << 185.0 << "3 min 05 s";
    QTest::newRow("h") << 3725.0 << "1 h 02 min";
    QTest::newRow("almost 1 d") << 86399.0 << "1 d 00 h";
    QTest::newRow("d") << 187'200.0 << "2 d 04 h";
    QTest::newRow("negative") << -1.0 << "–";
    QTest::newRow("unknown") << std::nan("") << "–";
    QTest::newRow("endless") << std::numeric_limits<double>::infinity() << "–";
  }
  void duration() {
    QFETCH(double, seconds);
    QTEST(plain(formatDuration(seconds)), "text");
  }

  void number_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("0") << 0.0 << "0";
    QTest::newRow("accuracy") << 92.5312 << "92.53";
    QTest::newRow("loss") << 0.214372 << "0.2144";
    QTest::newRow("small") << 0.00123456 << "0.001235";
    QTest::newRow("tiny") << 1.23456e-6 << "1.235e-06";
    QTest::newRow("1e-4") << 1e-4 << "0.0001000";
    QTest::newRow("thousands") << 12345.6 << "12346";
    QTest::newRow("huge") << 1.5e9 << "1.500e+09";
    QTest::newRow("carry") << 9.99999 << "10.00";
    QTest::newRow("negative") << -0.5 << "-0.5000";
    QTest::newRow("NaN") << std::nan("") << "NaN";
    QTest::newRow("inf") << -std::numeric_limits<double>::infinity() << "-∞";
  }
  void number() {
    QFETCH(double, value);
    QTEST(plain(formatNumber(value)), "text");
  }

  void counts() {
    QCOMPARE(plain(formatCount(0)), "0");
    QCOMPARE(plain(formatCount(9999)), "9999");
    QCOMPARE(plain(formatCount(60000)), "60_000");
    QCOMPARE(plain(formatCount(-1234567)), "-1_234_567");
    QCOMPARE(plain(formatCompact(864)), "864");
    QCOMPARE(plain(formatCompact(18496)), "18.5 k");
    QCOMPARE(plain(formatCompact(999'950)), "1 M");
    QCOMPARE(plain(formatCompact(1'240'000)), "1.24 M");
    QCOMPARE(plain(formatCompact(0.25)), "0.250");
    QCOMPARE(plain(formatPercent(0.92531)), "92.53 %");
    QCOMPARE(plain(formatPercent(std::nan(""))), "–");
  }

  void shortestReadsBackTheSame() {
    QCOMPARE(shortestNumber(2e-3), "0.002");
    QCOMPARE(shortestNumber(1e-8), "1e-08");
    QCOMPARE(shortestNumber(0.1 + 0.2), "0.30000000000000004");
    QCOMPARE(shortestNumber(1e6), "1000000");
    QCOMPARE(shortestNumber(1e22), "1e22");
    QCOMPARE(shortestNumber(-0.0001), "-0.0001");
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i) {
      const quint64 bits = random();
      double value = 0;
      memcpy(&value, &bits, sizeof value);
      if (!std::isfinite(value)) continue;
      const auto back = parseNumber(shortestNumber(value));
      QVERIFY2(back && *back == value, qPrintable(shortestNumber(value)));
    }
  }

  void parse_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("ok");
    QTest::addColumn<double>("value");
    const auto good = [](const char* text, double value) {
      QTest::newRow(text) << text << true << value;
    };
    good("2e-3", 0.002);
    good("0.002", 0.002);
    good(" 1/255 ", 1.0 / 255);
    good("1 / 4", 0.25);
    good("-.5", -0.5);
    good("5.", 5);
    good("+3", 3);
    good("1_000", 1000);
    good("2E6", 2e6);
    QTest::newRow("thin space") << QStringLiteral("60\u2009000") << true << 60000.0;
    QTest::newRow("minus sign") << QStringLiteral("\u22125") << true << -5.0;
    for (const char* text : {"", " ", "abc", "1,5", "1,000", "1.2.3", "1/0", "/2", "1/", "1/2/3",
                             "inf", "nan", "1e999", "0x10", "1 2", "--1", "1e"}) {
      QTest::newRow(text) << text << false << 0.0;
    }
  }
  void parse() {
    QFETCH(QString, text);
    QFETCH(bool, ok);
    QFETCH(double, value);
    const auto number = parseNumber(text);
    QCOMPARE(number.has_value(), ok);
    if (ok) QCOMPARE(*number, value);
  }
};

QTEST_GUILESS_MAIN(FormatTest)
#include "format_test.moc"
