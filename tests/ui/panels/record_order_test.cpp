// SPDX-License-Identifier: GPL-3.0-or-later
// The order to record a step, as the panels of Inspect tell and take it: also one that is older
// than the panel, and one whose step has begun.
#include <QPushButton>
#include <QThread>
#include <algorithm>

#include "engine/store/store.h"
#include "tests/ui/panels/inspect_session.h"
#include "ui/panels/recordings/recordings_view.h"
#include "ui/panels/step_graph/step_graph_view.h"
#include "ui/widgets/empty_state.h"

namespace tenon::ui {

using testing::InspectSession;
using testing::shown;
using testing::texts;
constexpr int kLong = InspectSession::kLong;

class RecordOrderTest final : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<InspectSession> s_;

  static QPushButton* button(const QWidget& view, const char* text) {
    for (QPushButton* button : view.findChildren<QPushButton*>())
      if (button->isVisible() && button->text() == QLatin1String(text)) return button;
    return nullptr;
  }
  static bool press(const QWidget& view, const char* text) {
    QPushButton* found = button(view, text);
    if (found) found->click();
    return found != nullptr;
  }
  static bool says(const QWidget& view, const char* text) {
    return texts(view).contains(QLatin1String(text));
  }
  bool startAndPause() {
    setenv("TENON_CACHE", s_->folder.path("cache").c_str(), 1);
    tenon::testing::writeToyProject(s_->folder.path(), "\"epochs\": 2000, ");
    QSignalSpy opened(&s_->document, &Document::opened);
    s_->document.open(QString::fromStdString(s_->folder.path()));
    if (!opened.wait(kLong)) return false;
    const auto reaches = [this](RunState state) {
      return QTest::qWaitFor([&] { return s_->run.state() == state; }, kLong);
    };
    s_->run.start();
    if (!reaches(RunState::Running)) return false;
    s_->run.pause();
    return reaches(RunState::Paused);
  }
  /// Waits without letting the window hear of it.
  bool isStoredBehindTheBack() {
    const auto store = Store::open(s_->folder.path(), OpenMode::ReadOnly);
    for (int i = 0; i < kLong / 10; ++i, QThread::msleep(10))
      if (!store->artifacts().list(s_->run.run(), "memory").empty()) return true;
    return false;
  }

 private Q_SLOTS:
  void init() { s_ = std::make_unique<InspectSession>(); }
  void cleanup() { s_.reset(); }

  void anOrderIsOlderThanThePanels() {
    QVERIFY(startAndPause());
    s_->run.recordNextStep();
    const auto list = shown<RecordingsView>(s_->context);
    const auto graph = shown<StepGraphView>(s_->context);
    QVERIFY(button(*list, "Do one step") && !button(*list, "Record next step"));
    QVERIFY(says(*list, "The run is paused: its next step is recorded."));
    QVERIFY(says(*graph, "Recording the next step"));
    QVERIFY(!button(*graph, "Record next step"));
    QVERIFY(press(*graph, "Do not record"));
    QVERIFY(!s_->run.isRecordingDue());
    QVERIFY(says(*graph, "No recorded step"));
    QVERIFY(!button(*list, "Do not record"));

    // The buttons order whatever the window's command would do now.
    QVERIFY(press(*list, "Record next step"));
    QVERIFY(s_->run.isRecordingDue());
    QVERIFY(press(*list, "Do not record"));
    QVERIFY(!s_->run.isRecordingDue());
    QVERIFY(press(*graph, "Record next step"));
    QVERIFY(s_->run.isRecordingDue());
    QVERIFY(button(*list, "Do not record"));
  }

  void bothSayThatItIsTooLate() {
    QVERIFY(startAndPause());
    const auto list = shown<RecordingsView>(s_->context);
    const auto graph = shown<StepGraphView>(s_->context);
    QSignalSpy can(&s_->run, &RunController::canWithdrawRecordingChanged);
    s_->run.recordNextStep();
    QCOMPARE(can.count(), 1);
    QVERIFY(s_->run.canWithdrawRecording());
    s_->run.step();
    QVERIFY(isStoredBehindTheBack());
    QVERIFY(press(*graph, "Do not record"));
    QVERIFY(s_->run.isRecordingDue() && !s_->run.canWithdrawRecording());
    QCOMPARE(can.count(), 2);
    for (const QWidget* view :
         {static_cast<QWidget*>(list.get()), static_cast<QWidget*>(graph.get())}) {
      QVERIFY(says(*view, "Too late: the step is being recorded."));
      QVERIFY(!button(*view, "Do not record") && !button(*view, "Record next step") &&
              !button(*view, "Do one step"));
    }
    QVERIFY(QTest::qWaitFor([this] { return !s_->run.isRecordingDue(); }, kLong));
    QVERIFY(!s_->run.canWithdrawRecording());
    s_->run.recordNextStep();  // another order can be taken back again
    QVERIFY(s_->run.canWithdrawRecording());
    QTRY_VERIFY(button(*list, "Do not record"));
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::RecordOrderTest)
#include "record_order_test.moc"
