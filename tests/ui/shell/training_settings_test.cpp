// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever leads to a training setting ends in its field: the device button, links of issues, undo.
// The form edits every setting of the schemas, checkpoints and metrics too.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "engine/project/specs.h"
#include "ui/panels/training/train_form.h"
#include "ui/properties/property_form.h"
#include "ui/session/commands.h"
#include "ui/session/document_edits.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_def.h"
#include "ui/shell/main_window.h"
#include "ui/shell/mode_page.h"
#include "ui/shell/mode_stack.h"
#include "ui/shell/session.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

constexpr int kLong = 30000;

class TrainingSettingsTest final : public QObject {
  Q_OBJECT

 private:
  struct Frame {
    QTemporaryDir dir;
    QSettings store{dir.filePath(QStringLiteral("s.ini")), QSettings::IniFormat};
    Session session{store, dir.filePath(QStringLiteral("data"))};
    ThemeController theme{*qApp};
    MainWindow window{WindowParts{session, theme, store, panelDefinitions(), {}}};
  };
  std::unique_ptr<Frame> f_;

  Document& document() { return f_->session.document; }
  const TrainSpec& train() { return *document().spec().train; }
  QWidget* panel() {
    return f_->window.modes().page() ? f_->window.modes().page()->panel(QStringLiteral("training"))
                                     : nullptr;
  }
  /// The form of the panel that has a parameter of this name.
  PropertyForm* formOf(const char* name) {
    for (PropertyForm* form : panel()->findChildren<PropertyForm*>())
      if (form->isVisible() && form->editor(QLatin1String(name))) return form;
    return nullptr;
  }
  ParamEditor* editor(const char* name) {
    PropertyForm* form = formOf(name);
    return form ? form->editor(QLatin1String(name)) : nullptr;
  }
  /// True if the field is in front: in Train, visible, with the focus.
  bool isAt(const char* name) {
    if (f_->session.navigation.current().mode != Mode::Train || !panel() || !panel()->isVisible())
      return false;
    ParamEditor* field = editor(name);
    QWidget* focus = QApplication::focusWidget();
    return field && focus && (focus == field->focusTarget() || field->isAncestorOf(focus));
  }
  void goTo(const char* path) { f_->session.navigation.go(destinationOf(QLatin1String(path))); }
  /// Chooses in a field with a list, as a person does.
  static bool choose(ParamEditor* field, const char* id) {
    auto* box = field->findChild<QComboBox*>();
    const int row = box ? box->findData(QLatin1String(id)) : -1;
    if (row < 0) return false;
    box->setCurrentIndex(row);
    Q_EMIT box->activated(row);
    return true;
  }

 private Q_SLOTS:
  void init() {
    f_ = std::make_unique<Frame>();
    const QString file = f_->dir.filePath(QStringLiteral("project.tenon"));
    QFile::copy(QStringLiteral(TENON_SOURCE_DIR "/projects/fashion-mnist/project.tenon"), file);
    f_->window.resize(1280, 800);
    f_->window.show();
    f_->window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&f_->window));
    QSignalSpy opened(&document(), &Document::opened);
    f_->session.navigation.clear(Mode::Data);
    f_->window.openProject(file);
    QVERIFY(opened.count() > 0 || opened.wait(kLong));
    f_->session.navigation.clear(Mode::Data);
  }
  void cleanup() { f_.reset(); }

  void theDeviceButtonLeadsToTheField() {
    // Train is made by the click.
    auto* button = f_->window.findChild<QToolButton*>(QStringLiteral("deviceButton"));
    QVERIFY(button && button->isVisible());
    button->click();
    QTRY_VERIFY(isAt("device"));
    // And again after the panel was closed by a person.
    f_->session.navigation.go(Mode::Model);
    f_->session.navigation.go(Mode::Train);
    panel()->parentWidget()->hide();
    button->click();
    QTRY_VERIFY(isAt("device"));
  }

  void theStripLeadsToTheForm() {
    f_->session.navigation.go(Mode::Train);
    QVERIFY(panel() && !panel()->isVisible());
    auto* button = f_->window.findChild<QToolButton*>(QStringLiteral("trainingSettings"));
    QVERIFY(button && button->isVisible());
    button->click();
    QTRY_VERIFY(isAt("epochs"));
  }

  void pathsLeadToTheirFields() {
    goTo("train.checkpoint.best_by");
    QTRY_VERIFY(isAt("best_by"));
    goTo("train.optimizer.lr");
    QTRY_VERIFY(isAt("lr"));
    goTo("train.metrics[0]");
    QTRY_VERIFY(isAt("accuracy"));
    goTo("train.checkpoint.keep");
    QTRY_VERIFY(isAt("keep"));
    goTo("train.schedule.type");
    QTRY_VERIFY(qobject_cast<QComboBox*>(QApplication::focusWidget()));
  }

  void undoShowsThePlaceFirst() {
    f_->session.navigation.go(Mode::Train);
    edits::setCheckpointParam(document(), QStringLiteral("keep"), int64_t{9});
    QVERIFY(!panel()->isVisible());
    f_->window.action(QLatin1String(command::kUndo))->trigger();
    QTRY_VERIFY(isAt("keep"));
    QCOMPARE(train().checkpoint.keep, int64_t{3});
    f_->session.navigation.go(Mode::Data);
    f_->window.action(QLatin1String(command::kRedo))->trigger();
    QTRY_VERIFY(isAt("keep"));
    QCOMPARE(train().checkpoint.keep, int64_t{9});
  }

  void editsMetricsAndCheckpoints() {
    goTo("train.epochs");
    QTRY_VERIFY(isAt("epochs"));
    PropertyForm* checkpoints = formOf("every_steps");
    QVERIFY(checkpoints);
    Q_EMIT checkpoints->changed(QStringLiteral("every_steps"), ParamValue(int64_t{250}));
    QCOMPARE(train().checkpoint.everySteps, int64_t{250});
    QCOMPARE(std::get<int64_t>(checkpoints->value(QStringLiteral("every_steps"))), int64_t{250});
    Q_EMIT checkpoints->changed(QStringLiteral("every_steps"), std::nullopt);  // the reset arrow
    QCOMPARE(train().checkpoint.everySteps, int64_t{0});

    QCOMPARE(train().metrics.size(), size_t{1});
    QVERIFY(choose(editor("best_by"), "accuracy"));
    QCOMPARE(train().checkpoint.bestBy, std::string("accuracy"));
    // Not measured any more: it stays to be seen.
    PropertyForm* metrics = formOf("accuracy");
    QVERIFY(metrics);
    Q_EMIT metrics->changed(QStringLiteral("accuracy"), ParamValue(false));
    QVERIFY(train().metrics.empty());
    QVERIFY(choose(editor("best_by"), "loss"));
    QCOMPARE(train().checkpoint.bestBy, std::string("loss"));
    Q_EMIT metrics->changed(QStringLiteral("accuracy"), ParamValue(true));
    QCOMPARE(train().metrics.at(0).type, std::string("accuracy"));
    QVERIFY(choose(editor("best_by"), "accuracy"));
  }

  void theDeviceIsChosenFromWhatThereIs() {
    goTo("train.device");
    QTRY_VERIFY(isAt("device"));
    QTRY_VERIFY_WITH_TIMEOUT(f_->session.check.isCurrent(), kLong);
    auto* box = editor("device")->findChild<QComboBox*>();
    QVERIFY(box);
    QCOMPARE(box->currentText(), QStringLiteral("CPU"));
    edits::setTrainParam(document(), QStringLiteral("device"), std::string("cuda:7"));
    QCOMPARE(box->currentData().toString(), QStringLiteral("cuda:7"));  // of another machine
    QVERIFY(choose(editor("device"), "cpu"));
    QCOMPARE(train().device, std::string("cpu"));
  }

  void anIssueIsToldBelowItsField() {
    goTo("train.checkpoint.best_by");
    edits::setCheckpointParam(document(), QStringLiteral("best_by"), std::string("nonsense"));
    const auto isTold = [this] {
      for (QLabel* label : formOf("best_by")->findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains(QLatin1String("nonsense"))) return true;
      return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isTold(), kLong);
  }

  void modelSendsToTheForm() {
    f_->session.navigation.go(Mode::Model);
    QWidget* properties = f_->window.modes().page()->panel(QStringLiteral("properties"));
    QVERIFY(properties);
    QPushButton* button = nullptr;
    for (QPushButton* each : properties->findChildren<QPushButton*>())
      if (each->isVisible()) button = each;
    QVERIFY(button);
    button->click();
    QTRY_VERIFY(isAt("epochs"));
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::TrainingSettingsTest)
#include "training_settings_test.moc"
