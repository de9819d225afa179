// SPDX-License-Identifier: GPL-3.0-or-later
// The issues as a table like every other: sorting, filter, CSV; a click leads to the place also
// when the rows stand in another order.
#include <QAction>
#include <QFile>
#include <QHeaderView>
#include <QTest>
#include <algorithm>

#include "tests/ui/panels/inspect_session.h"
#include "ui/panels/issues/issues_model.h"
#include "ui/panels/issues/issues_view.h"
#include "ui/session/document_edits.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_proxy.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

using testing::InspectSession;
constexpr int kLong = InspectSession::kLong;

class IssuesViewTest final : public QObject {
  Q_OBJECT

 private:
  /// A project with an error in the training and one in the graph, checked.
  static bool openFaulty(InspectSession& session) {
    tenon::testing::writeToyProject(session.folder.path());
    session.document.open(QString::fromStdString(session.folder.path()));
    if (!QTest::qWaitFor([&] { return session.check.isCurrent(); }, kLong)) return false;
    edits::setCheckpointParam(session.document, QStringLiteral("best_by"), std::string("nonsense"));
    edits::removeFromGraph(session.document, {QStringLiteral("act")});
    return QTest::qWaitFor(
        [&] { return session.check.isCurrent() && session.check.errorCount() >= 2; }, kLong);
  }
  static QStringList texts(const TableView& table, int column) {
    QStringList all;
    for (int row = 0; row < table.model()->rowCount(); ++row)
      all.append(table.model()->index(row, column).data().toString());
    return all;
  }

 private Q_SLOTS:
  void sortsAndFilters();
  void aClickGoesToTheRowShown();
  void savesWhatIsShown();
  void fewIssuesNeedNoFilter();
};

void IssuesViewTest::sortsAndFilters() {
  InspectSession session;
  QVERIFY(openFaulty(session));
  IssuesView view(session.context);
  view.resize(900, 300);
  view.show();
  auto* table = view.findChild<TableView*>();
  QVERIFY(table->isVisible());
  const int all = table->shownRows();
  QCOMPARE(all, int(session.check.result()->issues.size()));
  for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
    table->sortByColumn(IssuesModel::Text, order);
    QStringList sorted = texts(*table, IssuesModel::Text);
    QCOMPARE(sorted.size(), all);
    if (order == Qt::DescendingOrder) std::reverse(sorted.begin(), sorted.end());
    QVERIFY(std::is_sorted(sorted.begin(), sorted.end(), &naturalLess));
  }
  auto* search = view.findChild<SearchField*>();
  QVERIFY(search && search->isVisible());
  search->setText(QStringLiteral("nonsense"));
  QTRY_COMPARE(table->shownRows(), 1);
  QVERIFY(texts(*table, IssuesModel::Text).first().contains(QLatin1String("nonsense")));
  search->setText(QStringLiteral("no issue says this"));
  QTRY_COMPARE(table->shownRows(), 0);
  QVERIFY(search->isVisible());  // or nobody could take the filter away
  search->clear();
  QTRY_COMPARE(table->shownRows(), all);
}

void IssuesViewTest::aClickGoesToTheRowShown() {
  InspectSession session;
  QVERIFY(openFaulty(session));
  IssuesView view(session.context);
  view.resize(900, 300);
  view.show();
  auto* table = view.findChild<TableView*>();
  table->setFilterText(QStringLiteral("nonsense"));
  QCOMPARE(table->shownRows(), 1);
  const QModelIndex first = table->model()->index(0, IssuesModel::Text);
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(first).center());
  QCOMPARE(session.navigation.current().mode, Mode::Train);
  QCOMPARE(session.navigation.current().field, QStringLiteral("train.checkpoint.best_by"));
}

void IssuesViewTest::savesWhatIsShown() {
  InspectSession session;
  QVERIFY(openFaulty(session));
  const QString path = QString::fromStdString(session.folder.path("issues.csv"));
  session.prompts.answer = path;
  IssuesView view(session.context);
  view.show();
  view.findChild<TableView*>()->setFilterText(QStringLiteral("nonsense"));
  QAction* csv = nullptr;
  for (QAction* action : view.actions())
    if (action->text().contains(QLatin1String("CS"))) csv = action;
  QVERIFY(csv);
  csv->trigger();
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QStringList lines = QString::fromUtf8(file.readAll()).split(QStringLiteral("\r\n"));
  QCOMPARE(lines.size(), 3);  // header, the row, the end
  QCOMPARE(lines[0], QStringLiteral("Kind,Issue,Place"));
  QVERIFY(lines[1].startsWith(QLatin1String("Error,")) &&
          lines[1].contains(QLatin1String("nonsense")));
}

/// In the low panel of a small window both issues are read whole.
void IssuesViewTest::fewIssuesNeedNoFilter() {
  InspectSession session;
  tenon::testing::writeToyProject(session.folder.path());
  session.document.open(QString::fromStdString(session.folder.path()));
  QVERIFY(QTest::qWaitFor([&] { return session.check.isCurrent(); }, kLong));
  edits::setCheckpointParam(session.document, QStringLiteral("best_by"), std::string("nonsense"));
  edits::setTrainPartType(session.document, edits::TrainPart::Loss, QStringLiteral("nonsense"));
  QVERIFY(QTest::qWaitFor(
      [&] { return session.check.isCurrent() && session.check.errorCount() == 2; }, kLong));
  IssuesView view(session.context);
  view.resize(900, 300);
  view.show();
  auto* table = view.findChild<TableView*>();
  auto* search = view.findChild<SearchField*>();
  const int rows = table->shownRows();
  QVERIFY(rows >= 2 && search->isVisible());
  const auto lastIsWhole = [&] {
    const QRect last = table->visualRect(table->model()->index(rows - 1, IssuesModel::Text));
    return last.height() == measure::kRow && table->viewport()->rect().contains(last);
  };
  QTRY_VERIFY(lastIsWhole());
  table->setFocus();  // a field that is written in stays
  view.resize(900,
              table->horizontalHeader()->height() + rows * measure::kRow + 2 * table->frameWidth());
  QTRY_VERIFY(!search->isVisible());
  QTRY_VERIFY(lastIsWhole());
  view.resize(900, 300);
  QTRY_VERIFY(search->isVisible());
}

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::IssuesViewTest)
#include "issues_view_test.moc"
