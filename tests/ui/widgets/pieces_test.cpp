// SPDX-License-Identifier: GPL-3.0-or-later
// The small widgets: labels, tiles, chips, sections, search, empty places, mode buttons.
#include <QSignalSpy>
#include <QtTest>

#include "tests/ui/widgets/gallery.h"
#include "ui/widgets/form_scroll.h"
#include "ui/widgets/painting.h"

using namespace tenon::ui;

class PiecesTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { new ThemeController(*qApp, ThemeController::Choice::Dark, this); }

  void elidedLabelTellsTheWholeText() {
    ElidedLabel label("a rather long name of a layer");
    label.resize(label.sizeHint());
    QVERIFY(!label.isElided());
    label.resize(40, 20);
    QVERIFY(label.isElided());
    QCOMPARE(label.accessibleName(), "a rather long name of a layer");
    QVERIFY(label.minimumSizeHint().width() < 30);
    label.show();
    QHelpEvent help(QEvent::ToolTip, QPoint(5, 5), label.mapToGlobal(QPoint(5, 5)));
    QCoreApplication::sendEvent(&label, &help);
    QCOMPARE(QToolTip::text(), label.text());
  }

  void tilesKeepTheirWidth() {
    StatTile tile("Accuracy");
    tile.setWidest({"1.00", "100.00", "9"});
    tile.setValue("9.10", "%");
    const QSize narrow = tile.sizeHint();
    tile.setValue("92.53", "%");
    QCOMPARE(tile.sizeHint(), narrow);
    QCOMPARE(tile.accessibleName(), "Accuracy: 92.53 %");
    NumberLabel number;
    number.setWidest("0.0000");
    const QSize hint = number.sizeHint();
    number.setText("0.1111");
    QCOMPARE(number.sizeHint(), hint);
    QCOMPARE(number.accessibleName(), "0.1111");
  }

  void aLongerCaptionWidensATile() {
    QWidget window;
    auto* row = new QHBoxLayout(&window);
    auto* tile = new StatTile("Memory", &window);
    row->addWidget(tile);
    row->addStretch(1);
    window.resize(400, 60);
    window.show();
    const int narrow = tile->width();
    tile->setCaption("Activations at batch 128");
    QTRY_VERIFY(tile->width() > narrow + 40);
    QVERIFY(tile->width() >= tile->sizeHint().width());
  }

  void emptyStatesDropTheIconWhereTheyAreLow() {
    EmptyState state("image", "No samples yet", "They appear at the end of the first epoch.");
    state.setAction("Run");
    const auto iconShown = [&] {
      for (const QLabel* label : state.findChildren<QLabel*>())
        if (!label->pixmap().isNull()) return label->isVisibleTo(&state);
      return false;
    };
    state.resize(400, 300);
    state.show();
    QVERIFY(iconShown());
    state.resize(400, 110);
    QVERIFY(!iconShown());
    state.setAction({});
    state.resize(400, 300);
    QVERIFY(iconShown());
  }

  void formsAreAsWideAsTheyNeed() {
    auto* form = new QWidget;
    auto* column = new QVBoxLayout(form);
    auto* field = new QWidget;
    field->setMinimumSize(210, 900);
    column->addWidget(field);
    FormScroll scroll(form);
    QVERIFY(scroll.minimumSizeHint().width() >= form->minimumSizeHint().width());
    QVERIFY(scroll.minimumSizeHint().height() < 200);
    const int before = scroll.minimumSizeHint().width();
    scroll.resize(scroll.minimumSizeHint());
    scroll.show();
    QVERIFY(field->mapTo(&scroll, QPoint(field->width(), 0)).x() <= scroll.viewport()->width());
    field->setMinimumWidth(260);
    QTRY_COMPARE(scroll.minimumSizeHint().width(), before + 50);
  }

  void ringsFollowKeysOnly() {
    QWidget window;
    QPushButton button("Run", &window);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    button.setFocus();
    QVERIFY(button.hasFocus());
    QVERIFY(!paint::hasKeyFocus(button));
    window.setAttribute(Qt::WA_KeyboardFocusChange);
    QVERIFY(paint::hasKeyFocus(button));
    button.clearFocus();
    QVERIFY(!paint::hasKeyFocus(button));
  }

  void chipClosesAndChecks() {
    Chip chip("Sneaker");
    chip.setCheckable(true);
    chip.setClosable(true);
    chip.resize(chip.sizeHint());
    QVERIFY(chip.height() >= 24);
    QSignalSpy closed(&chip, &Chip::closed);
    QSignalSpy toggled(&chip, &QAbstractButton::toggled);
    QTest::mouseClick(&chip, Qt::LeftButton, {}, QPoint(chip.width() - 10, 12));
    QCOMPARE(closed.size(), 1);
    QCOMPARE(toggled.size(), 0);
    QTest::mouseClick(&chip, Qt::LeftButton, {}, QPoint(15, 12));
    QCOMPARE(toggled.size(), 1);
    QTest::keyClick(&chip, Qt::Key_Delete);
    QCOMPARE(closed.size(), 2);
    QTest::keyClick(&chip, Qt::Key_Space);
    QCOMPARE(toggled.size(), 2);
  }

  void sectionFolds() {
    Section section("Advanced");
    auto* content = new QLabel("inside");
    section.setContent(content);
    section.show();
    QVERIFY(content->isVisible());
    QSignalSpy changes(&section, &Section::expandedChanged);
    auto* header = section.findChild<QAbstractButton*>();
    QCOMPARE(header->accessibleName(), "Advanced");
    QTest::mouseClick(header, Qt::LeftButton);
    QVERIFY(!content->isVisible());
    QVERIFY(!section.isExpanded());
    QTest::keyClick(header, Qt::Key_Space);
    QVERIFY(content->isVisible());
    QCOMPARE(changes.size(), 2);
    section.setExpanded(true);
    QCOMPARE(changes.size(), 2);
  }

  void searchRestsAndClears() {
    SearchField field("Find");
    QSignalSpy search(&field, &SearchField::searchChanged);
    QTest::keyClicks(&field, "conv");
    QCOMPARE(search.size(), 0);
    QTRY_COMPARE(search.size(), 1);
    QCOMPARE(search[0][0].toString(), "conv");
    QTest::keyClick(&field, Qt::Key_Escape);
    QCOMPARE(field.text(), QString());
    QTRY_COMPARE(search.size(), 2);
  }

  void emptyStateOffersItsAction() {
    EmptyState empty("record", "No recording", "Record a step.");
    empty.show();
    QVERIFY(!empty.button()->isVisible());
    empty.setAction("Record next step");
    QVERIFY(empty.button()->isVisible());
    QSignalSpy triggered(&empty, &EmptyState::actionTriggered);
    QTest::mouseClick(empty.button(), Qt::LeftButton);
    QCOMPARE(triggered.size(), 1);
    empty.setAction({});
    QVERIFY(!empty.button()->isVisible());
  }

  void messagesWrap() {
    InlineMessage message;
    message.setText("Wants at most 1");
    const int one = message.heightForWidth(400);
    QVERIFY(message.heightForWidth(60) > one);
    QCOMPARE(message.accessibleName(), "Wants at most 1");
  }

  void modeButtonsExcludeEachOther() {
    QWidget bar;
    auto* layout = new QVBoxLayout(&bar);
    auto* data = new ModeButton("data", "Data");
    auto* model = new ModeButton("model", "Model");
    layout->addWidget(data);
    layout->addWidget(model);
    data->setChecked(true);
    model->click();
    QVERIFY(!data->isChecked());
    QCOMPARE(model->sizeHint(), QSize(56, 56));
  }
};

QTEST_MAIN(PiecesTest)
#include "pieces_test.moc"
