// SPDX-License-Identifier: GPL-3.0-or-later
// The number editor: reading, refusing, stepping, one signal an edit, undo keys.
#include "ui/widgets/number_field.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <QtTest>

#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

using namespace tenon::ui;

namespace {

NumberSpec learningRate() {
  NumberSpec spec;
  spec.minimum = 0;
  spec.minimumOpen = true;
  spec.maximum = 1;
  spec.logarithmic = true;
  spec.defaultValue = 2e-3;
  return spec;
}

QLineEdit& editOf(NumberField& field) { return *field.findChild<QLineEdit*>(); }

void type(NumberField& field, const QString& text) {
  QLineEdit& edit = editOf(field);
  edit.selectAll();
  QTest::keyClicks(&edit, text);
}

void wheel(QWidget& target, int delta) {
  QWheelEvent event(QPointF(5, 5), target.mapToGlobal(QPointF(5, 5)), {}, QPoint(0, delta),
                    Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&target, &event);
}

struct Form {
  Form() {
    auto* layout = new QVBoxLayout(&window);
    layout->addWidget(&field);
    layout->addWidget(&other);
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
    field.setFocus();
  }
  QWidget window;
  NumberField field{learningRate()};
  QLineEdit other;
  QSignalSpy committed{&field, &NumberField::valueCommitted};
  QSignalSpy changed{&field, &NumberField::valueChanged};
};

}  // namespace

class NumberFieldTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { new ThemeController(*qApp, ThemeController::Choice::Dark, this); }

  void takesText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("shown");
    QTest::newRow("exponent") << "5e-4" << 5e-4 << "0.0005";
    QTest::newRow("plain") << "0.25" << 0.25 << "0.25";
    QTest::newRow("fraction") << "1/255" << 1.0 / 255 << "0.00392156862745098";
    QTest::newRow("tiny") << "1e-8" << 1e-8 << "1e-08";
    QTest::newRow("edge") << "1" << 1.0 << "1";
  }
  void takesText() {
    QFETCH(QString, text);
    QFETCH(double, value);
    QFETCH(QString, shown);
    Form form;
    type(form.field, text);
    QVERIFY(form.field.hasUncommittedText());
    QCOMPARE(form.field.value(), 2e-3);
    QTest::keyClick(&editOf(form.field), Qt::Key_Return);
    QCOMPARE(form.field.value(), value);
    QCOMPARE(form.field.text(), shown);
    QCOMPARE(form.committed.size(), 1);
    QCOMPARE(form.committed[0][0].toDouble(), 2e-3);
    QCOMPARE(form.committed[0][1].toDouble(), value);
    // Leaving the field afterwards is no second edit.
    form.other.setFocus();
    QCOMPARE(form.committed.size(), 1);
  }

  void refusesText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("error");
    QTest::newRow("letters") << "fast"
                             << "Not a number: fast";
    QTest::newRow("comma") << "0,5"
                           << "Not a number: 0,5";
    QTest::newRow("open minimum") << "0"
                                  << "Wants more than 0";
    QTest::newRow("negative") << "-1"
                              << "Wants more than 0";
    QTest::newRow("above") << "1.5"
                           << "Wants at most 1";
    QTest::newRow("by zero") << "1/0"
                             << "Not a number: 1/0";
  }
  void refusesText() {
    QFETCH(QString, text);
    QFETCH(QString, error);
    Form form;
    type(form.field, text);
    form.other.setFocus();
    QCOMPARE(form.field.error(), error);
    QCOMPARE(form.field.value(), 2e-3);
    QCOMPARE(form.field.text(), text);
    QCOMPARE(form.committed.size(), 0);
    const auto* message = form.field.findChild<InlineMessage*>();
    QVERIFY(message->isVisible());
    QVERIFY(message->y() >= editOf(form.field).height());
    QCOMPARE(editOf(form.field).accessibleDescription(), error);
    // The next key hides the error, Escape brings the old value back.
    form.field.setFocus();
    QTest::keyClicks(&editOf(form.field), "9");
    QCOMPARE(form.field.error(), QString());
    QTest::keyClick(&editOf(form.field), Qt::Key_Escape);
    QCOMPARE(form.field.text(), "0.002");
    QVERIFY(!form.field.hasUncommittedText());
  }

  void emptyTextIsNamed() {
    Form form;
    editOf(form.field).selectAll();
    QTest::keyClick(&editOf(form.field), Qt::Key_Delete);
    QVERIFY(!form.field.commit());
    QCOMPARE(form.field.error(), "Not a number: nothing");
  }

  void wholeNumbersAndClosedRanges() {
    NumberSpec spec;
    spec.minimum = 1;
    spec.maximum = 31;
    spec.maximumOpen = true;
    spec.integer = true;
    NumberField field(spec);
    field.setValue(3);
    type(field, "2.5");
    QVERIFY(!field.commit());
    QCOMPARE(field.error(), "Wants a whole number");
    type(field, "0");
    QVERIFY(!field.commit());
    QCOMPARE(field.error(), "Wants at least 1");
    type(field, "31");
    QVERIFY(!field.commit());
    QCOMPARE(field.error(), "Wants less than 31");
    type(field, "30");
    QVERIFY(field.commit());
    QCOMPARE(field.value(), 30.0);
    field.stepBy(1);
    QCOMPARE(field.value(), 30.0);
    field.stepBy(-2);
    QCOMPARE(field.value(), 28.0);
  }

  void arrowsMultiplyOnLogRanges() {
    Form form;
    const QList<double> up{5e-3, 1e-2, 2e-2, 5e-2, 0.1};
    for (const double wanted : up) {
      QTest::keyClick(&editOf(form.field), Qt::Key_Up);
      QCOMPARE(form.field.value(), wanted);
    }
    // The burst is one edit, told once when it rests.
    QCOMPARE(form.changed.size(), 5);
    QCOMPARE(form.committed.size(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(form.committed.size(), 1, 10000);
    QCOMPARE(form.committed[0][0].toDouble(), 2e-3);
    QCOMPARE(form.committed[0][1].toDouble(), 0.1);
    form.field.setValue(3e-3);
    form.field.stepBy(1);
    QCOMPARE(form.field.value(), 5e-3);
    form.field.setValue(3e-3);
    form.field.stepBy(-1);
    QCOMPARE(form.field.value(), 2e-3);
    form.field.setValue(1e-3);
    form.field.stepBy(-1);
    QCOMPARE(form.field.value(), 5e-4);
    form.field.setValue(1);
    form.field.stepBy(1);
    QCOMPARE(form.field.value(), 1.0);
  }

  void leavingEndsABurst() {
    Form form;
    QTest::keyClick(&editOf(form.field), Qt::Key_Down);
    QCOMPARE(form.committed.size(), 0);
    form.other.setFocus();
    QCOMPARE(form.committed.size(), 1);
    QCOMPARE(form.committed[0][1].toDouble(), 1e-3);
    QTest::qWait(500);
    QCOMPARE(form.committed.size(), 1);
  }

  void linearSteps() {
    NumberSpec spec;
    NumberField field(spec);
    field.setValue(0.2);
    field.stepBy(1);
    QCOMPARE(field.text(), "0.3");
    spec.step = 0.05;
    field.setSpec(spec);
    for (int i = 0; i < 6; ++i) field.stepBy(-1);
    QCOMPARE(field.text(), "0");
    spec.integer = true;
    spec.step = 0;
    spec.logarithmic = true;
    spec.minimum = 1;
    field.setSpec(spec);
    field.setValue(64);
    field.stepBy(1);
    QCOMPARE(field.value(), 128.0);
    field.stepBy(-3);
    QCOMPARE(field.value(), 16.0);
  }

  void wheelNeedsFocus() {
    Form form;
    wheel(editOf(form.field), 120);
    QCOMPARE(form.field.value(), 5e-3);
    form.other.setFocus();
    wheel(editOf(form.field), 120);
    QCOMPARE(form.field.value(), 5e-3);
    form.field.setFocus();
    wheel(editOf(form.field), -60);
    QCOMPARE(form.field.value(), 5e-3);
    wheel(editOf(form.field), -60);
    QCOMPARE(form.field.value(), 2e-3);
  }

  void defaultIsMarkedAndReset() {
    Form form;
    auto* reset = form.field.findChild<QToolButton*>();
    QVERIFY(form.field.isDefault());
    QVERIFY(!reset->isVisible());
    form.field.setValue(0.5);
    QVERIFY(reset->isVisible());
    QCOMPARE(reset->toolTip(), "Back to the default, 0.002");
    QTest::mouseClick(reset, Qt::LeftButton);
    QVERIFY(form.field.isDefault());
    QVERIFY(!reset->isVisible());
    QCOMPARE(form.committed.size(), 1);
  }

  void settingFromOutsideIsNoEdit() {
    Form form;
    type(form.field, "0.7");
    form.field.setValue(0.1);
    QCOMPARE(form.field.text(), "0.1");
    QVERIFY(!form.field.hasUncommittedText());
    QCOMPARE(form.committed.size(), 0);
    form.field.setError("stride exceeds the kernel");
    QVERIFY(form.field.findChild<InlineMessage*>()->isVisible());
    form.field.setError({});
    QVERIFY(!form.field.findChild<InlineMessage*>()->isVisible());
    form.field.setReadOnly(true);
    QTest::keyClick(&editOf(form.field), Qt::Key_Up);
    QCOMPARE(form.field.value(), 0.1);
  }

  void undoPassesOnWithoutUncommittedText() {
    Form form;
    const auto takesUndo = [&] {
      QKeyEvent event(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
      event.ignore();
      QCoreApplication::sendEvent(&editOf(form.field), &event);
      return event.isAccepted();
    };
    QVERIFY(!takesUndo());
    type(form.field, "0.5");
    QVERIFY(takesUndo());
    QTest::keyClick(&editOf(form.field), Qt::Key_Return);
    QVERIFY(!takesUndo());
  }
};

QTEST_MAIN(NumberFieldTest)
#include "number_field_test.moc"
