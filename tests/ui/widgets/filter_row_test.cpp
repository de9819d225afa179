// SPDX-License-Identifier: GPL-3.0-or-later
// The line that filters a list: there when there is room for it or somebody needs it; and the focus
// that is seen where it is sent.
#include "ui/widgets/filter_row.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QScrollArea>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <QVBoxLayout>

#include "ui/widgets/focus_visibly.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

constexpr int kLeast = 100;  // a header of 28 and three rows of 24

class FilterRowTest final : public QObject {
  Q_OBJECT

 private:
  struct Stage {
    QStandardItemModel model{9, 2};
    QWidget panel;
    TableView* table = new TableView(&panel);
    FilterRow* row = new FilterRow(QStringLiteral("Filter layers"), &panel);

    Stage() {
      auto* column = new QVBoxLayout(&panel);
      column->setContentsMargins(0, 0, 0, 0);
      column->setSpacing(0);
      column->addWidget(row);
      column->addWidget(table, 1);
      table->setSourceModel(&model);
    }
    /// With this much room beneath the row, were it there.
    bool show(int beneath) {
      panel.resize(400, row->sizeHint().height() + beneath);
      panel.show();
      panel.activateWindow();
      return QTest::qWaitForWindowActive(&panel);
    }
  };

 private Q_SLOTS:
  void initTestCase() { new ThemeController(*qApp, ThemeController::Choice::Dark, this); }

  void makesWayWhileThePanelIsLow() {
    Stage s;
    QVERIFY(s.show(kLeast - 1));
    QVERIFY(!s.row->isVisible());
    const int hidden = s.table->height();
    QCOMPARE(hidden, s.panel.height());
    s.panel.resize(400, s.panel.height() + 1);
    QTRY_VERIFY(s.row->isVisible());
    QTRY_COMPARE(s.table->height(), kLeast);
    QCOMPARE(s.table->viewport()->height(), 3 * measure::kRow);
    s.panel.resize(400, 60);
    QTRY_VERIFY(!s.row->isVisible());
  }

  void staysWhileItIsNeeded() {
    Stage s;
    QVERIFY(s.show(300));
    SearchField* field = s.row->field();
    QCOMPARE(field->accessibleName(), QStringLiteral("Filter layers"));
    QSignalSpy search(s.row, &FilterRow::searchChanged);
    field->setFocus();
    QTRY_VERIFY(field->hasFocus());
    s.panel.resize(400, 60);
    QVERIFY(s.row->isVisible());  // written in
    QTest::keyClicks(field, QStringLiteral("conv"));
    s.table->setFocus();
    QTest::qWait(20);
    QVERIFY(s.row->isVisible());  // narrows the list
    QTRY_COMPARE(search.count(), 1);
    QCOMPARE(search.first().first().toString(), QStringLiteral("conv"));
    field->setFocus();
    field->clear();
    QVERIFY(s.row->isVisible());
    s.table->setFocus();
    QTRY_VERIFY(!s.row->isVisible());
  }

  /// What stands beside the field says what the list shows: only the field makes way.
  void whatStandsBesideTheFieldStays() {
    Stage s;
    auto* note = new QLabel(QStringLiteral("first 8 of 20 runs"));
    s.row->addBehind(note, 200);
    QVERIFY(s.show(300));
    QVERIFY(s.row->field()->isVisible() && note->isVisible());
    const int whole = s.row->height();
    s.panel.resize(400, 60);
    QTRY_VERIFY(!s.row->field()->isVisible());
    QVERIFY(s.row->isVisible() && note->isVisible());
    QTRY_VERIFY(s.row->height() < whole);
    QVERIFY(note->height() >= note->sizeHint().height());
    note->hide();  // nothing left to say
    QVERIFY(!s.row->isVisible());
    note->show();
    QVERIFY(s.row->isVisible() && note->isVisible() && !s.row->field()->isVisible());
    s.panel.resize(400, 400);
    QTRY_VERIFY(s.row->field()->isVisible());
    QTRY_COMPARE(s.row->height(), whole);
    note->hide();
    QVERIFY(s.row->isVisible());
  }

  void aPanelThatBeginsLowHasTheNote() {
    Stage s;
    auto* note = new QLabel(QStringLiteral("Peak, 3 ms"));
    s.row->addBefore(note, 140);
    s.panel.resize(400, 60);
    s.panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&s.panel));
    QVERIFY(note->isVisible() && !s.row->field()->isVisible());
  }

  void comesWhenAskedFor() {
    Stage s;
    QVERIFY(s.show(kLeast - 1));
    SearchField* field = s.row->field();
    QVERIFY(!field->isVisible());
    s.row->open();
    QVERIFY(field->isVisible());
    QTRY_VERIFY(field->hasFocus());
    s.table->setFocus();
    QTRY_VERIFY(!s.row->isVisible());  // nothing was written
    s.row->open();
    QTest::keyClicks(field, QStringLiteral("conv"));
    s.table->setFocus();
    QTest::qWait(20);
    QVERIFY(field->isVisible());
  }

  /// What Enter leaves over would press the dialog's only button.
  void enterClosesNoDialog() {
    QDialog dialog;
    auto* column = new QVBoxLayout(&dialog);
    auto* field = new SearchField(QStringLiteral("Filter"), &dialog);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    column->addWidget(field);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::close);
    QSignalSpy returned(field, &QLineEdit::returnPressed);
    dialog.show();
    dialog.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    field->setFocus();
    QTest::keyClick(field, Qt::Key_Return);
    QTest::keyClick(field, Qt::Key_Enter, Qt::KeypadModifier);
    QVERIFY(dialog.isVisible());
    QCOMPARE(returned.count(), 2);
  }

  void theFocusIsSeenWhereItIsSent() {
    QWidget window;
    auto* all = new QVBoxLayout(&window);
    auto* area = new QScrollArea;
    auto* form = new QWidget;
    auto* column = new QVBoxLayout(form);
    QLineEdit* last = nullptr;
    for (int i = 0; i < 60; ++i) column->addWidget(last = new QLineEdit);
    area->setWidget(form);
    area->setWidgetResizable(true);
    all->addWidget(area);
    window.resize(300, 200);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(last->visibleRegion().isEmpty());
    window.setAttribute(Qt::WA_KeyboardFocusChange, false);
    focusVisibly(*last);
    QVERIFY(last->hasFocus());
    QVERIFY(window.testAttribute(Qt::WA_KeyboardFocusChange));
    QTRY_COMPARE(last->visibleRegion().boundingRect(), last->rect());
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::FilterRowTest)
#include "filter_row_test.moc"
