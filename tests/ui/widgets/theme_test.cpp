// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens, contrast, switching, the desktop's wish, icons and the look of the style.
#include "ui/widgets/theme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QProcess>
#include <QSignalSpy>
#include <QtTest>

#include "tests/ui/widgets/gallery.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/system_scheme.h"

using namespace tenon::ui;

namespace {

/// The window as the application shows it, without blinking cursors.
QImage shot(QWidget& window) {
  window.setAttribute(Qt::WA_DontShowOnScreen);
  window.show();
  QTest::qWait(50);
  if (QWidget* focus = QApplication::focusWidget()) focus->clearFocus();
  QCoreApplication::processEvents();
  return window.grab().toImage();
}

void keep(const QImage& image, const QString& name) {
  const QString folder = qEnvironmentVariable("TENON_SCREENS");
  if (!folder.isEmpty()) image.save(folder + u'/' + name + QLatin1String(".png"));
}

int differingPixels(const QImage& a, const QImage& b) {
  if (a.size() != b.size()) return -1;
  int count = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) count += a.pixel(x, y) != b.pixel(x, y);
  }
  return count;
}

/// The part of the settings portal that the program asks.
class FakePortal : public QObject {
  Q_OBJECT
  Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")
 public:
  uint value = 0;
  void change(uint next) {
    value = next;
    auto signal = QDBusMessage::createSignal("/org/freedesktop/portal/desktop",
                                             "org.freedesktop.portal.Settings", "SettingChanged");
    signal << QString("org.freedesktop.appearance") << QString("color-scheme")
           << QVariant::fromValue(QDBusVariant(value));
    QDBusConnection("portal").send(signal);
  }

 public Q_SLOTS:
  QDBusVariant Read(const QString&, const QString&) {
    return QDBusVariant(QVariant::fromValue(QDBusVariant(value)));
  }
};

/// A bus of our own with the portal on it, served from a thread so that blocking calls are
/// answered.
class FakeBus {
 public:
  FakeBus() {
    daemon_.start("dbus-daemon", {"--session", "--nofork", "--print-address"});
    if (!daemon_.waitForStarted() || !daemon_.waitForReadyRead(3000)) return;
    address_ = QString::fromUtf8(daemon_.readLine()).trimmed();
    thread_.start();
    portal.moveToThread(&thread_);
    QMetaObject::invokeMethod(
        &portal,
        [this] {
          auto bus = QDBusConnection::connectToBus(address_, "portal");
          up_ = bus.registerObject("/org/freedesktop/portal/desktop", &portal,
                                   QDBusConnection::ExportAllSlots) &&
                bus.registerService("org.freedesktop.portal.Desktop");
        },
        Qt::BlockingQueuedConnection);
  }
  ~FakeBus() {
    QDBusConnection::disconnectFromBus("client");
    if (thread_.isRunning()) {
      QMetaObject::invokeMethod(
          &portal,
          [] {
            QDBusConnection("portal").unregisterObject("/org/freedesktop/portal/desktop");
            QDBusConnection::disconnectFromBus("portal");
          },
          Qt::BlockingQueuedConnection);
    }
    thread_.quit();
    thread_.wait();
    daemon_.kill();
    daemon_.waitForFinished();
  }
  [[nodiscard]] bool isUp() const { return up_; }
  [[nodiscard]] QDBusConnection client() const {
    return QDBusConnection::connectToBus(address_, "client");
  }

  FakePortal portal;

 private:
  QProcess daemon_;
  QThread thread_;
  QString address_;
  bool up_ = false;
};

}  // namespace

class ThemeTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void contrastOfKnownPairs() {
    QCOMPARE(contrastRatio(Qt::white, Qt::black), 21.0);
    QCOMPARE(contrastRatio(Qt::red, Qt::red), 1.0);
    // W3C example: #777777 on white is 4.48.
    QVERIFY(qAbs(contrastRatio(QColor(0x77, 0x77, 0x77), Qt::white) - 4.478) < 0.001);
  }

  void contrastOfTokens_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("dark") << true;
    QTest::newRow("light") << false;
  }

  void contrastOfTokens() {
    QFETCH(bool, dark);
    const Theme& t = dark ? Theme::dark() : Theme::light();
    const auto atLeast = [&](const char* name, const QColor& top, const QColor& ground,
                             double bound) {
      const double ratio = contrastRatio(top, ground);
      QVERIFY2(ratio >= bound,
               qPrintable(QStringLiteral("%1: %2 < %3").arg(name).arg(ratio).arg(bound)));
    };
    for (const QColor& ground : {t.surface, t.raised}) {
      atLeast("text", t.text, ground, 4.5);
      atLeast("secondary", t.secondary, ground, 4.5);
      atLeast("accent", t.accent, ground, 4.5);
      atLeast("good", t.good, ground, 4.5);
      atLeast("bad", t.bad, ground, 4.5);
      atLeast("warn", t.warn, ground, 4.5);
      atLeast("field border", t.fieldBorder, ground, 3.0);
    }
    atLeast("text on selection", t.text, t.selection, 4.5);
    atLeast("secondary on selection", t.secondary, t.selection, 4.5);
    atLeast("accent text", t.accentText, t.accent, 4.5);
    for (const QColor& color : t.series) atLeast("series", color, t.surface, 3.0);
    for (const QColor& color : t.series) atLeast("series on plots", color, t.sunken, 3.0);
  }

  void paletteSaysTokens() {
    const Theme& t = Theme::dark();
    const QPalette p = t.palette();
    QCOMPARE(p.color(QPalette::Window), QColor("#1e1f22"));
    QCOMPARE(p.color(QPalette::Active, QPalette::Highlight), QColor("#4a3a22"));
    QCOMPARE(p.color(QPalette::Inactive, QPalette::Highlight), QColor("#4a3a22"));
    QCOMPARE(p.color(QPalette::PlaceholderText), QColor("#a9abb0"));
    QVERIFY(p.color(QPalette::Disabled, QPalette::Text) != t.text);
    QCOMPARE(t.seriesColor(9), t.series[1]);
    QCOMPARE(t.seriesColor(-1), t.series[7]);
  }

  void numbersHaveEqualDigits() {
    const QFontMetricsF metrics(numberFont());
    for (char16_t c = u'1'; c <= u'9'; ++c) {
      QCOMPARE(metrics.horizontalAdvance(c), metrics.horizontalAdvance(u'0'));
    }
    QCOMPARE(textFont(TextSize::Small).pointSizeF(), 9.0);
    QCOMPARE(textFont(TextSize::Display).pointSizeF(), 16.0);
  }

  void portalValues() {
    using Wish = SystemScheme::Preference;
    QCOMPARE(SystemScheme::fromPortal(QVariant(1U)), Wish::Dark);
    QCOMPARE(SystemScheme::fromPortal(QVariant(2U)), Wish::Light);
    QCOMPARE(SystemScheme::fromPortal(QVariant(0U)), Wish::None);
    const QVariant nested =
        QVariant::fromValue(QDBusVariant(QVariant::fromValue(QDBusVariant(1U))));
    QCOMPARE(SystemScheme::fromPortal(nested), Wish::Dark);
    const SystemScheme offline(QDBusConnection(QStringLiteral("no such bus")));
    QCOMPARE(offline.preference(), Wish::None);
  }

  void portalIsAskedAndFollowed() {
    FakeBus bus;
    if (!bus.isUp()) QSKIP("dbus-daemon is not installed");
    bus.portal.value = 1;
    SystemScheme scheme(bus.client());
    QTRY_COMPARE(scheme.preference(), SystemScheme::Preference::Dark);
    QSignalSpy changes(&scheme, &SystemScheme::changed);
    QMetaObject::invokeMethod(&bus.portal, [&] { bus.portal.change(2); });
    QTRY_COMPARE(changes.size(), 1);
    QCOMPARE(scheme.preference(), SystemScheme::Preference::Light);
    QMetaObject::invokeMethod(&bus.portal, [&] { bus.portal.change(2); });
    QTest::qWait(50);
    QCOMPARE(changes.size(), 1);
  }

  void switchingEqualsAFreshStart() {
    using Choice = ThemeController::Choice;
    ThemeController controller(*qApp, Choice::Light);
    QCOMPARE(controller.theme().kind, Theme::Kind::Light);
    QCOMPARE(&currentTheme(), &Theme::light());
    QScopedPointer<QWidget> lightFirst(gallery::window());
    const QImage light = shot(*lightFirst);
    keep(light, "widgets-light");

    QSignalSpy changes(&controller, &ThemeController::changed);
    controller.setChoice(Choice::Dark);
    QCOMPARE(changes.size(), 1);
    controller.setChoice(Choice::Dark);
    QCOMPARE(changes.size(), 1);
    const QImage switched = shot(*lightFirst);
    QScopedPointer<QWidget> darkFirst(gallery::window());
    const QImage dark = shot(*darkFirst);
    keep(dark, "widgets-dark");
    keep(switched, "widgets-switched");
    QVERIFY(differingPixels(dark, light) > 100'000);
    QCOMPARE(differingPixels(dark, switched), 0);

    controller.setChoice(Choice::Light);
    QCOMPARE(differingPixels(shot(*lightFirst), light), 0);
    QCOMPARE(differingPixels(shot(*darkFirst), light), 0);
  }

  void iconsFollowTheTheme() {
    ThemeController controller(*qApp, ThemeController::Choice::Light);
    QScopedPointer<QWidget> sheet(gallery::icons());
    keep(shot(*sheet), "icons-light");
    const QIcon run = icon("run");
    const auto strongest = [](const QIcon& icon) {
      const QImage image = icon.pixmap(QSize(16, 16), 2.0).toImage();
      QColor found;
      int alpha = -1;
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
          const QColor c = image.pixelColor(x, y);
          if (c.alpha() > alpha) {
            alpha = c.alpha();
            found = c;
          }
        }
      }
      return found.rgb() & 0xFFFFFF;
    };
    QCOMPARE(strongest(run), Theme::light().text.rgb() & 0xFFFFFF);
    QCOMPARE(strongest(icon("run", Tint::Bad)), Theme::light().bad.rgb() & 0xFFFFFF);
    QCOMPARE(strongest(icon("conv", Tint::Series2)), Theme::light().series[2].rgb() & 0xFFFFFF);
    controller.setChoice(ThemeController::Choice::Dark);
    QCOMPARE(strongest(run), Theme::dark().text.rgb() & 0xFFFFFF);
    keep(shot(*sheet), "icons-dark");
    QCOMPARE(run.pixmap(QSize(16, 16), 2.0).size(), QSize(32, 32));
    QVERIFY(hasIcon("conv"));
    QVERIFY(!hasIcon("nonsense"));
    QVERIFY(!icon("nonsense").pixmap(16, 16).isNull());
    QVERIFY(iconNames().size() >= 60);
  }

  void everyIconDrawsSomethingWithinItsSquare() {
    for (const QString& name : iconNames()) {
      const QImage image = iconPixmap(name, Qt::black, 48, 1.0).toImage();
      int inked = 0;
      bool edge = false;
      for (int i = 0; i < 48; ++i) {
        for (const QPoint p : {QPoint(i, 0), QPoint(i, 47), QPoint(0, i), QPoint(47, i)}) {
          edge = edge || image.pixelColor(p).alpha() > 40;
        }
        for (int k = 0; k < 48; ++k) inked += image.pixelColor(i, k).alpha() > 128;
      }
      QVERIFY2(inked > 30, qPrintable(name));
      QVERIFY2(!edge, qPrintable(name + " is cut off"));
    }
  }

  void measuresOfControls() {
    ThemeController controller(*qApp, ThemeController::Choice::Dark);
    QPushButton plain("Cancel");
    QCOMPARE(plain.sizeHint().height(), measure::kButton);
    QPushButton primary("Run");
    primary.setProperty(kPrimaryProperty, true);
    QCOMPARE(primary.sizeHint().height(), measure::kPrimary);
    QCOMPARE(QLineEdit().sizeHint().height(), measure::kField);
    QCOMPARE(QComboBox().sizeHint().height(), measure::kField);
    QCOMPARE(QSpinBox().sizeHint().height(), measure::kField);
    QVERIFY(QCheckBox("x").sizeHint().height() >= 24);
    QToolButton tool;
    tool.setIconSize({16, 16});
    tool.setIcon(icon("run"));
    QCOMPARE(tool.sizeHint(), QSize(24, 24));
  }

  void scrollBarReachesItsEnds() {
    ThemeController controller(*qApp, ThemeController::Choice::Dark);
    QScrollBar bar(Qt::Vertical);
    bar.resize(12, 200);
    bar.setRange(0, 1'000'000);
    bar.setPageStep(100);
    QStyleOptionSlider option;
    const auto handle = [&] {
      option.initFrom(&bar);
      option.orientation = Qt::Vertical;
      option.maximum = bar.maximum();
      option.pageStep = bar.pageStep();
      option.sliderPosition = bar.value();
      return bar.style()->subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarSlider,
                                         &bar);
    };
    QCOMPARE(handle().top(), 0);
    QCOMPARE(handle().height(), 28);
    bar.setValue(1'000'000);
    QCOMPARE(handle().bottom(), 199);
  }
};

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"
