// SPDX-License-Identifier: GPL-3.0-or-later
// Tables, trees and the gallery: sorting, filtering, columns, copying, CSV, a million pictures,
// keys.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>

#include "tests/ui/widgets/gallery.h"
#include "ui/widgets/image_grid.h"
#include "ui/widgets/table_view.h"

using namespace tenon::ui;

namespace {

QStandardItemModel* people(QObject* parent) {
  auto* model = new QStandardItemModel(0, 3, parent);
  model->setHorizontalHeaderLabels({"Run", "Loss", "Note"});
  const QList<QStringList> rows{{"run 10", "0.5", "a,b"},
                                {"run 9", "1e-3", "say \"hi\""},
                                {"run 1", "–", ""},
                                {"Run 2", "12", "two\nlines"}};
  for (const QStringList& row : rows) {
    QList<QStandardItem*> items;
    for (const QString& cell : row) items.append(new QStandardItem(cell));
    model->appendRow(items);
  }
  return model;
}

QStringList column(const TableView& view, int which) {
  QStringList texts;
  for (int row = 0; row < view.model()->rowCount(); ++row) {
    texts.append(view.model()->index(row, which).data().toString());
  }
  return texts;
}

}  // namespace

class ViewsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { new ThemeController(*qApp, ThemeController::Choice::Dark, this); }

  void sortsAsPeopleCount() {
    TableView view;
    view.setSourceModel(people(&view));
    QAbstractItemModelTester tester(view.model());
    QCOMPARE(column(view, 0), (QStringList{"run 10", "run 9", "run 1", "Run 2"}));
    view.sortByColumn(0, Qt::AscendingOrder);
    QCOMPARE(column(view, 0), (QStringList{"run 1", "Run 2", "run 9", "run 10"}));
    view.sortByColumn(1, Qt::AscendingOrder);
    QCOMPARE(column(view, 1), (QStringList{"1e-3", "0.5", "12", "–"}));
    view.sourceModel()->setData(view.sourceModel()->index(3, 1), -5.0, kSortRole);
    view.sortByColumn(1, Qt::DescendingOrder);
    view.sortByColumn(1, Qt::AscendingOrder);
    QCOMPARE(column(view, 1).first(), "12");
    QCOMPARE(view.rowHeight(0), measure::kRow);
  }

  void filtersAndSpeaksInSourceRows() {
    TableView view;
    view.setSourceModel(people(&view));
    view.sortByColumn(0, Qt::AscendingOrder);
    QSignalSpy current(&view, &TableView::currentRowChanged);
    view.setCurrentSourceRow(1);
    QCOMPARE(current.last()[0].toInt(), 1);
    QCOMPARE(view.currentSourceIndex().row(), 1);
    QCOMPARE(view.currentIndex().row(), 2);
    view.setFilterText("HI");
    QCOMPARE(view.shownRows(), 1);
    QCOMPARE(column(view, 0), QStringList{"run 9"});
    view.setFilterText({});
    QCOMPARE(view.shownRows(), 4);
    view.selectAll();
    QCOMPARE(view.selectedSourceRows(), (QList<int>{2, 3, 1, 0}));
    QSignalSpy activated(&view, &TableView::rowActivated);
    Q_EMIT view.activated(view.model()->index(0, 0));
    QCOMPARE(activated[0][0].toInt(), 2);
  }

  void columnsAreChosenAndKept() {
    TableView view;
    view.setSourceModel(people(&view));
    QScopedPointer<QMenu> menu(view.createColumnMenu());
    const auto actions = menu->actions();
    QCOMPARE(actions.size(), 5);
    QVERIFY(!actions[0]->isEnabled());
    actions[1]->trigger();
    QVERIFY(view.isColumnHidden(1));
    const QByteArray state = view.saveColumns();
    actions[4]->trigger();
    QVERIFY(!view.isColumnHidden(1));
    QVERIFY(view.restoreColumns(state));
    QVERIFY(view.isColumnHidden(1));
    QVERIFY(!view.restoreColumns("rubbish"));
    QCOMPARE(view.toCsv().section("\r\n", 0, 0), "Run,Note");
  }

  void csvAndCopy() {
    TableView view;
    view.setSourceModel(people(&view));
    QCOMPARE(view.toCsv(),
             "Run,Loss,Note\r\nrun 10,0.5,\"a,b\"\r\nrun 9,1e-3,\"say \"\"hi\"\"\"\r\n"
             "run 1,–,\r\nRun 2,12,\"two\nlines\"\r\n");
    view.sortByColumn(0, Qt::AscendingOrder);
    view.resize(400, 300);
    view.show();
    view.selectionModel()->select(view.model()->index(3, 0),
                                  QItemSelectionModel::Select | QItemSelectionModel::Rows);
    view.selectionModel()->select(view.model()->index(0, 0),
                                  QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), "run 1\t–\t\nrun 10\t0.5\ta,b");
    QStandardItemModel empty(0, 2);
    QCOMPARE(csvText(empty, {1}), "2\r\n");
  }

  void modelsMaySortThemselves() {
    TableView view;
    auto* model = people(&view);
    view.setSourceModel(model, TableView::Sorting::ByModel);
    QCOMPARE(view.model(), model);
    QSignalSpy filter(&view, &TableView::filterChanged);
    view.setFilterText("x");
    QCOMPARE(filter[0][0].toString(), "x");
    QCOMPARE(view.shownRows(), 4);
  }

  void galleryOfAMillion() {
    gallery::Pictures pictures(1'000'000);
    ImageGrid grid;
    QSignalSpy range(&grid, &ImageGrid::visibleRangeChanged);
    QElapsedTimer timer;
    timer.start();
    grid.setModel(&pictures);
    grid.resize(800, 600);
    grid.show();
    (void)grid.grab();
    qInfo("a million pictures shown in %lld ms", timer.elapsed());
    QVERIFY(timer.elapsed() < 1000);
    QVERIFY(pictures.asked_ < 100);
    const int across = grid.columns();
    QCOMPARE(across, (grid.viewport()->width() - 16 + 4) / (96 + 12 + 4));
    QCOMPARE(grid.visibleRange().first, 0);

    grid.scrollTo(pictures.index(999'999));
    QCOMPARE(grid.visibleRange().second, 999'999);
    QCOMPARE(range.last()[1].toInt(), 999'999);
    QVERIFY(grid.viewport()->rect().contains(grid.visualRect(pictures.index(999'999))));
    QCOMPARE(grid.indexAt(grid.visualRect(pictures.index(999'998)).center()).row(), 999'998);
    pictures.questions_ = 0;
    (void)grid.grab();
    QVERIFY(pictures.questions_ < 100 * 10);
    grid.selectAll();
    QVERIFY(grid.selectionModel()->isSelected(pictures.index(500'000)));
  }

  void galleryMakesRoomForNames() {
    gallery::Pictures pictures(100);
    ImageGrid grid;
    grid.setModel(&pictures);
    grid.setCellSize(48);
    grid.setTextLines(1);
    grid.resize(800, 400);
    grid.show();
    const int narrow = grid.visualRect(pictures.index(0)).width();
    const int across = grid.columns();
    const int name = ImageGrid::chipWidth(QStringLiteral("T-shirt/top, with a long name"));
    QVERIFY(name > 48);
    grid.setTextWidth(name);
    QCOMPARE(grid.visualRect(pictures.index(0)).width(), narrow + name - 48);
    QVERIFY(grid.columns() < across);
    QVERIFY(grid.visualRect(pictures.index(grid.columns() - 1)).right() < 800);
    grid.setTextWidth(20);  // narrower than the picture
    QCOMPARE(grid.visualRect(pictures.index(0)).width(), narrow);
    grid.setTextWidth(name);
    grid.setTextLines(0);  // nothing to read
    QCOMPARE(grid.visualRect(pictures.index(0)).width(), narrow);
  }

  void galleryKeysAndMouse() {
    gallery::Pictures pictures(100);
    ImageGrid grid;
    grid.setModel(&pictures);
    grid.resize(800, 400);
    grid.show();
    const int across = grid.columns();
    const auto current = [&] { return grid.currentIndex().row(); };
    grid.setCurrentIndex(pictures.index(0));
    QTest::keyClick(&grid, Qt::Key_Right);
    QCOMPARE(current(), 1);
    QTest::keyClick(&grid, Qt::Key_Down);
    QCOMPARE(current(), 1 + across);
    QTest::keyClick(&grid, Qt::Key_Up);
    QTest::keyClick(&grid, Qt::Key_Up);
    QCOMPARE(current(), 1);
    QTest::keyClick(&grid, Qt::Key_End);
    QCOMPARE(current(), 99);
    QTest::keyClick(&grid, Qt::Key_Right);
    QCOMPARE(current(), 99);
    QVERIFY(grid.viewport()->rect().contains(grid.visualRect(grid.currentIndex())));
    QTest::keyClick(&grid, Qt::Key_PageUp);
    QVERIFY(current() < 99);
    QTest::keyClick(&grid, Qt::Key_Home);
    QCOMPARE(current(), 0);
    QVERIFY(grid.accessibleDescription().contains("image 1 of 100"));

    const auto click = [&](int row, Qt::KeyboardModifiers keys = {}) {
      QTest::mouseClick(grid.viewport(), Qt::LeftButton, keys,
                        grid.visualRect(pictures.index(row)).center());
    };
    click(2);
    QCOMPARE(grid.selectionModel()->selectedRows().size(), 1);
    click(across + 1, Qt::ShiftModifier);
    QCOMPARE(grid.selectionModel()->selectedRows().size(), across);
    click(0, Qt::ControlModifier);
    QCOMPARE(grid.selectionModel()->selectedRows().size(), across + 1);
    QTest::mouseClick(grid.viewport(), Qt::LeftButton, {}, QPoint(2, 2));
    QCOMPARE(grid.selectionModel()->selectedRows().size(), 0);
  }

  void galleryKeepsItsPlace() {
    gallery::Pictures pictures(10'000);
    ImageGrid grid;
    grid.setModel(&pictures);
    grid.resize(800, 400);
    grid.show();
    grid.scrollTo(pictures.index(5000), QAbstractItemView::PositionAtTop);
    const int before = grid.visibleRange().first;
    grid.setCellSize(48);
    QVERIFY(qAbs(grid.visibleRange().first - before) <= grid.columns());
    grid.resize(500, 400);
    // Still about where the reader was: within two lines of the top.
    QVERIFY(qAbs(grid.visualRect(pictures.index(before)).top()) <= 2 * (48 + 12 + 32 + 4) + 8);
    grid.setTextLines(0);
    QCOMPARE(grid.visualRect(pictures.index(0)).height(), 48 + 12);
    grid.setModel(nullptr);
    QCOMPARE(grid.visibleRange(), std::pair(-1, -1));
    grid.setPlaceholder("No images");
    (void)grid.grab();
  }

  void galleryFollowsItsModel() {
    QStringListModel model({"a", "b"});
    ImageGrid grid;
    grid.setModel(&model);
    grid.resize(300, 200);
    grid.show();
    QSignalSpy range(&grid, &ImageGrid::visibleRangeChanged);
    model.insertRows(0, 400);
    QTRY_VERIFY(grid.verticalScrollBar()->maximum() > 0);
    model.setStringList({"x"});
    QTRY_COMPARE(grid.verticalScrollBar()->maximum(), 0);
    QCOMPARE(grid.visibleRange(), std::pair(0, 0));
  }
};

QTEST_MAIN(ViewsTest)
#include "views_test.moc"
