// SPDX-License-Identifier: GPL-3.0-or-later
// Notices and staying awake, spoken over a bus of our own to a desktop of our own.
#include "ui/shell/desktop.h"

#include <fcntl.h>
#include <unistd.h>

#include <QDBusConnection>
#include <QDBusContext>
#include <QDBusUnixFileDescriptor>
#include <QProcess>
#include <QTest>
#include <array>
#include <cerrno>

namespace tenon::ui {

/// Shows nothing and keeps what it was asked to show.
class FakeNotices : public QObject {
  Q_OBJECT
  Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
 public:
  QStringList shown;
  QVariantMap hints;

 public Q_SLOTS:
  uint Notify(const QString& app, uint, const QString& icon, const QString& title,
              const QString& text, const QStringList&, const QVariantMap& with, int) {
    shown = {app, icon, title, text};
    hints = with;
    return 1;
  }
};

/// Hands out locks: each is the writing end of a pipe, which ends when nobody holds it any more.
class FakeLogin : public QObject, protected QDBusContext {
  Q_OBJECT
  Q_CLASSINFO("D-Bus Interface", "org.freedesktop.login1.Manager")
 public:
  QList<QStringList> asked;
  bool refuses = false;

  ~FakeLogin() override {
    for (const int end : ends_) ::close(end);
  }
  /// Whether somebody still holds the lock that was handed out last.
  [[nodiscard]] bool isHeld() const {
    char byte = 0;
    return !ends_.isEmpty() && ::read(ends_.last(), &byte, 1) < 0 && errno == EAGAIN;
  }

 public Q_SLOTS:
  QDBusUnixFileDescriptor Inhibit(const QString& what, const QString& who, const QString& why,
                                  const QString& mode) {
    asked.append({what, who, why, mode});
    if (refuses) {
      sendErrorReply(QStringLiteral("org.freedesktop.DBus.Error.AccessDenied"));
      return {};
    }
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_NONBLOCK | O_CLOEXEC) != 0) return {};
    ends_.append(pipe[0]);
    QDBusUnixFileDescriptor lock;
    lock.giveFileDescriptor(pipe[1]);
    return lock;
  }

 private:
  QList<int> ends_;
};

class DesktopTest final : public QObject {
  Q_OBJECT

 private:
  QProcess daemon_;
  std::unique_ptr<FakeNotices> notices_;
  std::unique_ptr<FakeLogin> login_;
  static QDBusConnection desktop() { return QDBusConnection(QStringLiteral("desktop")); }

 private Q_SLOTS:
  /// Before anything asks for the buses: their addresses are read once.
  void initTestCase() {
    daemon_.start(QStringLiteral("dbus-daemon"),
                  {QStringLiteral("--session"), QStringLiteral("--nofork"),
                   QStringLiteral("--print-address")});
    if (!daemon_.waitForStarted() || !daemon_.waitForReadyRead(3000)) QSKIP("no dbus-daemon");
    const QByteArray address = daemon_.readLine().trimmed();
    qputenv("DBUS_SESSION_BUS_ADDRESS", address);
    qputenv("DBUS_SYSTEM_BUS_ADDRESS", address);
    QDBusConnection bus =
        QDBusConnection::connectToBus(QString::fromUtf8(address), QStringLiteral("desktop"));
    QVERIFY(bus.registerService(QStringLiteral("org.freedesktop.Notifications")));
    QVERIFY(bus.registerService(QStringLiteral("org.freedesktop.login1")));
  }
  void init() {
    notices_ = std::make_unique<FakeNotices>();
    login_ = std::make_unique<FakeLogin>();
    const auto all = QDBusConnection::ExportAllSlots;
    QVERIFY(desktop().registerObject(QStringLiteral("/org/freedesktop/Notifications"),
                                     notices_.get(), all));
    QVERIFY(desktop().registerObject(QStringLiteral("/org/freedesktop/login1"), login_.get(), all));
  }
  void cleanup() {
    notices_.reset();
    login_.reset();
  }
  void cleanupTestCase() {
    QDBusConnection::disconnectFromBus(QStringLiteral("desktop"));
    daemon_.kill();
    daemon_.waitForFinished();
  }

  void aNoticeIsShown() {
    sendDesktopNotice(QStringLiteral("Training finished"), QStringLiteral("run 3, epoch 5"));
    const QStringList wanted{QStringLiteral("Tenon"), QStringLiteral("tenon"),
                             QStringLiteral("Training finished"), QStringLiteral("run 3, epoch 5")};
    QTRY_COMPARE(notices_->shown, wanted);
    QCOMPARE(notices_->hints.value(QStringLiteral("desktop-entry")).toString(),
             QStringLiteral("tenon"));
  }

  void sleepIsInhibitedWhileHeld() {
    SuspendGuard guard;
    guard.hold(QStringLiteral("A training is running"));
    guard.hold(QStringLiteral("again"));  // held already
    QVERIFY(guard.isHeld());
    QTRY_VERIFY(login_->isHeld());
    QTest::qWait(50);  // the answer has come by now, and keeps the lock
    QVERIFY(login_->isHeld());
    const QStringList wanted{QStringLiteral("sleep"), QStringLiteral("Tenon"),
                             QStringLiteral("A training is running"), QStringLiteral("block")};
    QCOMPARE(login_->asked, QList<QStringList>{wanted});
    guard.release();
    QVERIFY(!guard.isHeld());
    QTRY_VERIFY(!login_->isHeld());
    {
      SuspendGuard other;
      other.hold(QStringLiteral("x"));
      QTRY_VERIFY(login_->isHeld());
      QTest::qWait(50);
      QVERIFY(login_->isHeld());
    }
    QTRY_VERIFY(!login_->isHeld());
  }

  /// A run that ends before the answer has come: the lock is given back at once.
  void aLateLockIsNotKept() {
    SuspendGuard guard;
    guard.hold(QStringLiteral("x"));
    guard.release();
    QTRY_COMPARE(login_->asked.size(), 1);
    QTRY_VERIFY(!login_->isHeld());
    QTest::qWait(50);
    QVERIFY(!login_->isHeld());
  }

  void aRefusalChangesNothing() {
    login_->refuses = true;
    SuspendGuard guard;
    guard.hold(QStringLiteral("x"));
    QTRY_COMPARE(login_->asked.size(), 1);
    QTest::qWait(50);
    QVERIFY(guard.isHeld());
    guard.release();
    login_->refuses = false;
    guard.hold(QStringLiteral("y"));
    QTRY_VERIFY(login_->isHeld());
  }
};

}  // namespace tenon::ui

QTEST_GUILESS_MAIN(tenon::ui::DesktopTest)
#include "desktop_test.moc"
