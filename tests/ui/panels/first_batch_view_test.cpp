// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of the first batch: what it says until the batch is there.
#include <QLabel>
#include <QTest>

#include "tests/ui/panels/inspect_session.h"
#include "ui/panels/first_batch/first_batch_view.h"
#include "ui/session/document_edits.h"
#include "ui/widgets/image_grid.h"

namespace tenon::ui {

using testing::InspectSession;
constexpr int kLong = InspectSession::kLong;

class FirstBatchViewTest final : public QObject {
  Q_OBJECT

 private:
  static bool says(const QWidget& view, const char* text) {
    for (const QLabel* label : view.findChildren<QLabel*>())
      if (label->isVisible() && label->text() == QLatin1String(text)) return true;
    return false;
  }

 private Q_SLOTS:
  void saysThatItReads();
  void classNamesAreReadWhole();
};

void FirstBatchViewTest::saysThatItReads() {
  InspectSession session;
  FirstBatchView view(session.context);
  view.resize(900, 300);
  view.setVisible(true);
  QVERIFY(says(view, "Open a project to see its first batch."));
  view.hide();
  tenon::testing::writeToyProject(session.folder.path());
  session.document.open(QString::fromStdString(session.folder.path()));
  QVERIFY(QTest::qWaitFor(
      [&] { return session.check.result()->data->training && !session.check.isChecking(); },
      kLong));
  view.setVisible(true);
  QVERIFY(says(view, "Reading the first batch..."));
  const auto* grid = view.findChild<ImageGrid*>();
  QVERIFY(
      QTest::qWaitFor([&] { return grid->isVisible() && grid->model()->rowCount() > 0; }, kLong));
  QVERIFY(!says(view, "Reading the first batch..."));
  session.document.close();
  QVERIFY(
      QTest::qWaitFor([&] { return says(view, "Open a project to see its first batch."); }, kLong));
}

void FirstBatchViewTest::classNamesAreReadWhole() {
  InspectSession session;
  tenon::testing::writeToyProject(session.folder.path());
  session.document.open(QString::fromStdString(session.folder.path()));
  QVERIFY(QTest::qWaitFor([&] { return session.check.isCurrent(); }, kLong));
  const QString longest = QStringLiteral("T-shirt or pullover");
  DataSpec data = *session.document.spec().data;
  data.classes = {"a", longest.toStdString(), "c", "d"};
  edits::setData(session.document, QStringLiteral("names"), data, QStringLiteral("data.classes"));
  QVERIFY(QTest::qWaitFor(
      [&] {
        const auto read = session.check.result()->data;
        return session.check.isCurrent() && read && read->classes.size() == 4 &&
               read->classes[1] == longest.toStdString();
      },
      kLong));
  const auto view = testing::shown<FirstBatchView>(session.context);
  const auto* grid = view->findChild<ImageGrid*>();
  QVERIFY(
      QTest::qWaitFor([&] { return grid->isVisible() && grid->model()->rowCount() > 0; }, kLong));
  QVERIFY(ImageGrid::chipWidth(longest) > grid->cellSize());
  QVERIFY(grid->visualRect(grid->model()->index(0, 0)).width() >= ImageGrid::chipWidth(longest));
}

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::FirstBatchViewTest)
#include "first_batch_view_test.moc"
