// SPDX-License-Identifier: GPL-3.0-or-later
// PropertyForm: an editor for each type, one signal an edit, defaults, errors, expert section.
#include "ui/properties/property_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTranslator>

#include "ui/properties/editors/commit_line_edit.h"
#include "ui/properties/part_form.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/section.h"

namespace tenon::ui {

class PropertyFormTest final : public QObject {
  Q_OBJECT

 private:
  using Change = std::pair<QString, std::optional<ParamValue>>;

  static ParamSchema schema() {
    return {boolParam("bias", true).describe("Adds a bias"),
            intParam("channels", 32).atLeast(1).inUnit("px"),
            floatParam("lr", 1e-3).above(0).onLogScale().inGroup("Speed"),
            stringParam("note", "none"),
            choiceParam("mode", "zeros", {"zeros", "reflect"}),
            pathParam("file", ""),
            intListParam("kernel", {3, 3}).count(2, 2).atLeast(1),
            floatListParam("mean", {0.5}).count(1, 64),
            stringListParam("words", {}).forExperts()};
  }

  std::unique_ptr<PropertyForm> form_;
  QList<Change> changes_;

  template <class T>
  T* in(const char* name) {
    ParamEditor* editor = form_->editor(QLatin1String(name));
    return editor ? editor->findChild<T*>() : nullptr;
  }
  void type(QWidget* field, const QString& text) {
    auto* line = qobject_cast<QLineEdit*>(field);
    if (!line) line = field->findChild<QLineEdit*>();
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
    QTest::keyClick(line, Qt::Key_Return);
  }
  /// The one change since the last call.
  Change onlyChange() {
    if (changes_.size() != 1) qWarning("%d changes", int(changes_.size()));
    const Change change = changes_.size() == 1 ? changes_.first() : Change();
    changes_.clear();
    return change;
  }

 private Q_SLOTS:
  void init() {
    form_ = std::make_unique<PropertyForm>(schema());
    connect(form_.get(), &PropertyForm::changed, this,
            [this](const QString& name, const std::optional<ParamValue>& value) {
              changes_.append({name, value});
            });
    form_->show();
    QVERIFY(QTest::qWaitForWindowExposed(form_.get()));
    changes_.clear();
  }
  void cleanup() { form_.reset(); }

  void choicesAreNamed() {
    PropertyForm form;
    form.setChoiceNames([](const QString& parameter, const QString& choice) {
      return parameter == QLatin1String("mode") && choice == QLatin1String("zeros")
                 ? QStringLiteral("With zeros")
                 : QString();
    });
    form.setSchema(schema());
    auto* box = qobject_cast<QComboBox*>(form.editor(QStringLiteral("mode"))->focusTarget());
    QCOMPARE(box->itemText(0), QStringLiteral("With zeros"));
    QCOMPARE(box->itemText(1), QStringLiteral("Reflect"));  // its own word
    QCOMPARE(box->itemData(1).toString(), QStringLiteral("reflect"));
    form.setSchema({choiceParam("precision", "f32", {"f32", "bf16"})});
    box = qobject_cast<QComboBox*>(form.editor(QStringLiteral("precision"))->focusTarget());
    QCOMPARE(box->itemText(1), QStringLiteral("bf16"));  // a term, written so everywhere
  }

  /// A text can be chosen; what a file holds stays even if it is none of the choices.
  void textsCanBeChosen() {
    const QList<EditorChoice> two{{QStringLiteral("a"), QStringLiteral("First")},
                                  {QStringLiteral("b"), QStringLiteral("Second")}};
    form_->setChoices(QStringLiteral("note"), two);
    ParamMap values;
    values.set("note", std::string("c"));
    form_->setValues(values);
    auto* box = in<QComboBox>("note");
    QCOMPARE(box->currentText(), QStringLiteral("c"));
    QCOMPARE(box->count(), 3);
    QVERIFY(changes_.isEmpty());
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Up);
    QCOMPARE(onlyChange(), Change("note", ParamValue(std::string("b"))));

    form_->setChoices(QStringLiteral("note"), two.first(1));  // one is gone: the value is not
    QCOMPARE(in<QComboBox>("note"), box);
    QCOMPARE(box->currentText(), QStringLiteral("b"));
    QCOMPARE(form_->value(QStringLiteral("note")), ParamValue(std::string("b")));
    QVERIFY(changes_.isEmpty());
  }

  void editsEachType() {
    in<QCheckBox>("bias")->click();
    QCOMPARE(onlyChange(), Change("bias", ParamValue(false)));
    type(in<NumberField>("channels"), QStringLiteral("64"));
    QCOMPARE(onlyChange(), Change("channels", ParamValue(int64_t{64})));
    type(in<NumberField>("lr"), QStringLiteral("2e-3"));
    QCOMPARE(onlyChange(), Change("lr", ParamValue(0.002)));
    type(in<CommitLineEdit>("note"), QStringLiteral("hello"));
    QCOMPARE(onlyChange(), Change("note", ParamValue(std::string("hello"))));
    auto* box = in<QComboBox>("mode");
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(onlyChange(), Change("mode", ParamValue(std::string("reflect"))));
    type(in<CommitLineEdit>("file"), QStringLiteral("/data/x.gz"));
    QCOMPARE(onlyChange(), Change("file", ParamValue(std::string("/data/x.gz"))));
    const auto fields = form_->editor(QStringLiteral("kernel"))->findChildren<NumberField*>();
    QCOMPARE(fields.size(), 2);
    type(fields.at(1), QStringLiteral("5"));
    QCOMPARE(onlyChange(), Change("kernel", ParamValue(std::vector<int64_t>{3, 5})));
    type(in<CommitLineEdit>("mean"), QStringLiteral("0.25, 0.5"));
    QCOMPARE(onlyChange(), Change("mean", ParamValue(std::vector<double>{0.25, 0.5})));
    QVERIFY(form_->focusField(QStringLiteral("words")));
    type(in<CommitLineEdit>("words"), QStringLiteral("cat, dog"));
    QCOMPARE(onlyChange(), Change("words", ParamValue(std::vector<std::string>{"cat", "dog"})));
  }

  void unitsAreTranslated() {
    struct Brackets final : QTranslator {
      QString translate(const char*, const char* text, const char*, int) const override {
        return u'[' + QString::fromUtf8(text) + u']';
      }
      bool isEmpty() const override { return false; }
    } brackets;
    QVERIFY(QCoreApplication::installTranslator(&brackets));
    const PropertyForm form(schema());
    const auto unitOf = [&](const char* name) {
      return form.editor(QLatin1String(name))->findChild<NumberField*>()->spec().unit;
    };
    QCOMPARE(unitOf("channels"), QStringLiteral("[px]"));
    QCOMPARE(unitOf("lr"), QString());
    QVERIFY(QCoreApplication::removeTranslator(&brackets));
  }

  void showsValuesSilently() {
    ParamMap values;
    values.set("channels", int64_t{7});
    values.set("kernel", std::vector<int64_t>{1, 9});
    values.set("mode", std::string("reflect"));
    form_->setValues(values);
    QVERIFY(changes_.isEmpty());
    QCOMPARE(in<NumberField>("channels")->value(), 7.0);
    QCOMPARE(in<QComboBox>("mode")->currentData().toString(), QStringLiteral("reflect"));
    QCOMPARE(form_->editor(QStringLiteral("kernel"))->findChildren<NumberField*>().at(1)->value(),
             9.0);
    QVERIFY(in<QCheckBox>("bias")->isChecked());
    // Left out means default.
    form_->setValues({});
    QCOMPARE(in<NumberField>("channels")->value(), 32.0);
  }

  void resetsToTheDefault() {
    ParamMap values;
    values.set("channels", int64_t{7});
    form_->setValues(values);
    QToolButton* reset = nullptr;
    for (QToolButton* button : form_->findChildren<QToolButton*>())
      if (button->accessibleName() == QStringLiteral("Reset Channels")) reset = button;
    QVERIFY(reset && reset->isVisible());
    QTest::mouseClick(reset, Qt::LeftButton);
    QCOMPARE(onlyChange(), Change("channels", std::nullopt));
    QCOMPARE(in<NumberField>("channels")->value(), 32.0);
    QVERIFY(!reset->isVisible());
    // Typing the default is the same as a reset.
    form_->setValues(values);
    type(in<NumberField>("channels"), QStringLiteral("32"));
    QCOMPARE(onlyChange(), Change("channels", std::nullopt));
  }

  void refusesAndKeepsTheOldValue() {
    type(in<NumberField>("channels"), QStringLiteral("0"));
    QVERIFY(changes_.isEmpty());
    QCOMPARE(form_->value(QStringLiteral("channels")), ParamValue(int64_t{32}));
    type(in<CommitLineEdit>("mean"), QStringLiteral("a, b"));
    QVERIFY(changes_.isEmpty());
    QCOMPARE(form_->value(QStringLiteral("mean")), ParamValue(std::vector<double>{0.5}));
    bool said = false;
    for (const QLabel* label : form_->findChildren<QLabel*>())
      said = said || (label->isVisible() && label->text().startsWith(QStringLiteral("⚠")));
    QVERIFY(said);
  }

  void showsErrorsOfTheOwner() {
    const auto shown = [this](const QString& text) {
      for (const QLabel* label : form_->findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains(text)) return true;
      return false;
    };
    form_->setErrors({{QStringLiteral("lr"), QStringLiteral("too fast")}});
    QVERIFY(shown(QStringLiteral("too fast")));
    form_->setErrors({});
    QVERIFY(!shown(QStringLiteral("too fast")));
  }

  void expertsSectionOpensWhenNeeded() {
    auto* section = form_->findChild<Section*>();
    QVERIFY(section);
    QVERIFY(!section->isExpanded());
    ParamMap values;
    values.set("words", std::vector<std::string>{"x"});
    form_->setValues(values);
    QVERIFY(section->isExpanded());
    section->setExpanded(false);
    QVERIFY(form_->focusField(QStringLiteral("words")));
    QVERIFY(section->isExpanded());
    QVERIFY(!form_->focusField(QStringLiteral("nothing")));
  }

  void readOnlyTakesNoEdits() {
    form_->setReadOnly(true);
    in<QCheckBox>("bias")->click();
    auto* line = in<CommitLineEdit>("note");
    line->setFocus();
    QTest::keyClicks(line, QStringLiteral("x"));
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(changes_.isEmpty());
  }

  void undoKeyPassesWhileNothingIsTyped() {
    auto* line = in<CommitLineEdit>("note");
    line->setFocus();
    QKeyEvent undo(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
    undo.ignore();
    QCoreApplication::sendEvent(line, &undo);
    QVERIFY(!undo.isAccepted());
    QTest::keyClicks(line, QStringLiteral("x"));
    QKeyEvent own(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
    own.ignore();
    QCoreApplication::sendEvent(line, &own);
    QVERIFY(own.isAccepted());
    QTest::keyClick(line, Qt::Key_Escape);
    QCOMPARE(line->text(), QStringLiteral("none"));
  }

  void asksForPaths() {
    form_->setPathPicker([](const QString&, const std::function<void(const QString&)>& then) {
      then(QStringLiteral("/picked"));
    });
    auto* button = in<QToolButton>("file");
    QVERIFY(button);
    button->click();
    QCOMPARE(onlyChange(), Change("file", ParamValue(std::string("/picked"))));
  }

  void everyControlHasAName() {
    for (const char* name : {"bias", "channels", "lr", "note", "mode", "file", "mean"}) {
      ParamEditor* editor = form_->editor(QLatin1String(name));
      QVERIFY2(!editor->focusTarget()->accessibleName().isEmpty(), name);
      QVERIFY2(!editor->toolTip().isEmpty(), name);
    }
    QCOMPARE(in<QCheckBox>("bias")->accessibleDescription(), QStringLiteral("Adds a bias"));
  }

  void partFormChangesType() {
    const ParamSchema sgd = {floatParam("lr", 0.1), floatParam("momentum", 0.9)};
    const ParamSchema adam = {floatParam("lr", 0.001)};
    PartForm part(QStringLiteral("Optimizer"));
    part.setChoices({{QStringLiteral("sgd"), QStringLiteral("SGD"), &sgd},
                     {QStringLiteral("adam"), {}, &adam}});
    ParamMap values;
    values.set("lr", 0.5);
    part.setPart(QStringLiteral("sgd"), values);
    QCOMPARE(part.form()->value(QStringLiteral("lr")), ParamValue(0.5));
    QVERIFY(part.form()->editor(QStringLiteral("momentum")));
    part.resize(360, 400);
    part.show();
    QVERIFY(QTest::qWaitForWindowExposed(&part));
    const auto leftOf = [&](const QWidget& field) { return field.mapTo(&part, QPoint()).x(); };
    const QWidget& choice = *part.findChild<QComboBox*>();
    for (const QWidget* field : part.form()->findChildren<ParamEditor*>())
      if (field->isVisible()) QCOMPARE(leftOf(*field), leftOf(choice));
    QSignalSpy type(&part, &PartForm::typeChanged);
    auto* box = part.findChild<QComboBox*>();
    QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(type.count(), 1);
    QCOMPARE(type.first().at(0).toString(), QStringLiteral("adam"));
    part.setPart(QStringLiteral("adam"), {});
    QVERIFY(!part.form()->editor(QStringLiteral("momentum")));
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::PropertyFormTest)
#include "property_form_test.moc"
