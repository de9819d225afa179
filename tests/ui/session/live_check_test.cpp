// SPDX-License-Identifier: GPL-3.0-or-later
// The check follows the document, and gives up what nobody waits for any more.
#include "ui/session/live_check.h"

#include <QDir>
#include <QSignalSpy>
#include <QTest>
#include <cstdlib>

#include "tests/support/idx_files.h"
#include "ui/session/background.h"
#include "ui/session/document_edits.h"

namespace tenon::ui {

constexpr int kLong = 30000;
constexpr uint32_t kMany = 3'000'000;  // 192 MB of pixels, packed as small as it gets

class LiveCheckTest final : public QObject {
  Q_OBJECT

 private:
  struct Fixture {
    testing::TemporaryFolder folder;
    Background background{2, "test"};
    Document document{background};
    LiveCheck check{document, background};
  };
  std::unique_ptr<Fixture> f_;

  std::string pathOf(const char* name) const {
    const std::string path = f_->folder.path(name);
    QDir().mkpath(QString::fromStdString(path));
    return path;
  }
  bool open(const std::string& path) {
    QSignalSpy opened(&f_->document, &Document::opened);
    f_->document.open(QString::fromStdString(path));
    return opened.wait(kLong);
  }
  bool waitUntilCurrent() {
    return QTest::qWaitFor([this] { return f_->check.isCurrent() && !f_->check.isChecking(); },
                           kLong);
  }
  /// Pixels that were unpacked and kept, in bytes.
  qint64 unpacked() const {
    qint64 bytes = 0;
    const QDir cache(QString::fromStdString(f_->folder.path("cache")));
    for (const QFileInfo& file : cache.entryInfoList(QDir::Files)) bytes += file.size();
    return bytes;
  }
  /// A project whose data takes its time to unpack.
  std::string writeHuge() {
    const std::string huge = pathOf("huge");
    testing::writeToyProject(huge);
    const std::vector<uint8_t> none;
    std::string images = testing::idxBytes({kMany, 8, 8}, none);
    images.resize(images.size() + size_t{64} * kMany);
    testing::writeBytes(huge + "/train-images.gz", testing::gzipped(images));
    std::string labels = testing::idxBytes({kMany}, none);
    labels.resize(labels.size() + kMany);
    testing::writeBytes(huge + "/train-labels.gz", testing::gzipped(labels));
    return huge;
  }

 private Q_SLOTS:
  void init() {
    f_ = std::make_unique<Fixture>();
    setenv("TENON_CACHE", f_->folder.path("cache").c_str(), 1);
  }
  void cleanup() { f_.reset(); }

  void followsTheDocument() {
    const std::string toy = pathOf("toy");
    testing::writeToyProject(toy);
    QVERIFY(open(toy));
    QVERIFY(waitUntilCurrent());
    QCOMPARE(f_->check.errorCount(), 0);
    const auto data = f_->check.result()->data;
    QVERIFY(!f_->check.result()->devices.isEmpty());
    QCOMPARE(f_->check.result()->devices.first().id, QStringLiteral("cpu"));
    edits::setNodeParam(f_->document, QStringLiteral("conv"), QStringLiteral("kernel_size"),
                        int64_t{99});
    QVERIFY(!f_->check.isCurrent());
    QVERIFY(waitUntilCurrent());
    QVERIFY(f_->check.errorCount() > 0);
    QCOMPARE(f_->check.result()->data, data);  // not opened again
    f_->check.checkNow();
    QVERIFY(waitUntilCurrent());
    QVERIFY(f_->check.result()->data != data);
  }

  void devicesAreChosenFromWhatCanBeUsed() {
    const QList<DeviceEntry> devices{
        {QStringLiteral("cpu"), QStringLiteral("AMD EPYC"), {}, {}, 0},
        {QStringLiteral("cuda:1"), QStringLiteral("NVIDIA H200"), {}, {}, 0},
        {QStringLiteral("cuda"), {}, {}, QStringLiteral("no driver"), 0}};
    const QList<EditorChoice> wanted{
        {QStringLiteral("cpu"), QStringLiteral("CPU")},
        {QStringLiteral("cuda:1"), QStringLiteral("cuda:1, NVIDIA H200")}};
    QCOMPARE(deviceChoices(devices), wanted);
  }

  /// Another project is checked as soon as it is there, whatever the one before is at.
  void doesNotUnpackForNobody() {
    const std::string huge = writeHuge();
    const std::string toy = pathOf("toy");
    testing::writeToyProject(toy);
    QVERIFY(open(huge));
    QVERIFY(f_->check.isChecking());
    QVERIFY(open(toy));
    QVERIFY(waitUntilCurrent());
    QCOMPARE(f_->check.errorCount(), 0);
    QCOMPARE(f_->check.result()->data->training->size(), int64_t{96});
    QVERIFY2(unpacked() < 1'000'000, qPrintable(QString::number(unpacked())));

    QVERIFY(open(huge));
    QVERIFY(f_->check.isChecking());
    f_->document.close();
    QVERIFY(QTest::qWaitFor([this] { return !f_->check.isChecking(); }, kLong));
    QVERIFY(unpacked() < 1'000'000);
  }

  /// Nor does the end of the window wait for it.
  void endsSoon() {
    const testing::TemporaryFolder kept;  // outlives the fixture
    setenv("TENON_CACHE", kept.path("cache").c_str(), 1);
    QVERIFY(open(writeHuge()));
    QVERIFY(f_->check.isChecking());
    f_.reset();
    QVERIFY(!QDir(QString::fromStdString(kept.path("cache"))).exists());
  }
};

}  // namespace tenon::ui

QTEST_GUILESS_MAIN(tenon::ui::LiveCheckTest)
#include "live_check_test.moc"
