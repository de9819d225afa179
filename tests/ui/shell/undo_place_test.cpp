// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo first show the place of what they change, within a mode too: the layer and its
// field in Model, the field in Data.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <optional>

#include "engine/base/log.h"
#include "engine/layers/layer_def.h"
#include "ui/graphview/graph_view.h"
#include "ui/properties/property_form.h"
#include "ui/session/commands.h"
#include "ui/session/document_edits.h"
#include "ui/session/live_check.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_def.h"
#include "ui/session/texts.h"
#include "ui/shell/main_window.h"
#include "ui/shell/mode_page.h"
#include "ui/shell/mode_stack.h"
#include "ui/shell/session.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

constexpr int kLong = 30000;

class UndoPlaceTest final : public QObject {
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
  Selection& selection() { return f_->session.selection; }
  QWidget* panel(const char* id) {
    ModePage* page = f_->window.modes().page();
    return page ? page->panel(QLatin1String(id)) : nullptr;
  }
  GraphView* canvas() {
    return panel("canvas") ? panel("canvas")->findChild<GraphView*>() : nullptr;
  }
  void trigger(const char* id) { f_->window.action(QLatin1String(id))->trigger(); }
  /// Where the value of this name is edited in a form of the panel; null: nowhere.
  QWidget* field(const char* id, const char* name) {
    if (!panel(id)) return nullptr;
    for (PropertyForm* form : panel(id)->findChildren<PropertyForm*>()) {
      ParamEditor* editor = form->isVisible() ? form->editor(QLatin1String(name)) : nullptr;
      if (!editor) continue;
      QWidget* target = editor->focusTarget();
      return target->focusProxy() ? target->focusProxy() : target;
    }
    return nullptr;
  }
  /// What conv1 has for the first axis, as the project says or by default.
  int64_t param(const char* name) {
    const ParamMap& params = document().spec().graph->find("conv1")->params;
    const ParamMap defaults = findLayer("conv2d")->schema.defaults();
    const ParamValue* value = params.find(name) ? params.find(name) : defaults.find(name);
    if (!value) return -1;
    if (const auto* axes = std::get_if<std::vector<int64_t>>(value)) return axes->at(0);
    return std::get<int64_t>(*value);
  }
  /// True if the focus is in the field of this name in a form of the panel.
  bool isAt(const char* id, const char* name) {
    const QWidget* focus = QApplication::focusWidget();
    if (!panel(id) || !focus) return false;
    for (PropertyForm* form : panel(id)->findChildren<PropertyForm*>()) {
      ParamEditor* field = form->isVisible() ? form->editor(QLatin1String(name)) : nullptr;
      if (field && (focus == field->focusTarget() || field->isAncestorOf(focus))) return true;
    }
    return false;
  }
  bool isInSight(const QString& layer) {
    return canvas() && canvas()->selectedNodes() == QStringList{layer} &&
           canvas()->viewport()->rect().contains(canvas()->nodeArea(layer).center());
  }
  /// Looks at another part of the canvas, with nothing selected.
  void lookAway() {
    canvas()->setZoom(1, QPointF(0, 0));
    canvas()->centerOn(15000, 15000);
    selection().setNodes({});
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
    f_->window.openProject(file);
    QVERIFY(opened.count() > 0 || opened.wait(kLong));
  }
  void cleanup() { f_.reset(); }

  void inModelTheLayerAndItsField() {
    f_->session.navigation.clear(Mode::Model);
    QTRY_VERIFY_WITH_TIMEOUT(canvas() && !canvas()->graph().nodes.isEmpty(), kLong);
    edits::setNodeParam(document(), QStringLiteral("conv2"), QStringLiteral("padding"), int64_t{3});
    for (const char* step : {command::kUndo, command::kRedo}) {
      lookAway();
      QVERIFY(!isInSight(QStringLiteral("conv2")));
      trigger(step);
      QTRY_VERIFY(isAt("properties", "padding"));
      QTRY_VERIFY(isInSight(QStringLiteral("conv2")));
      QCOMPARE(selection().nodes(), QStringList{QStringLiteral("conv2")});
    }
    QCOMPARE(f_->session.navigation.current().mode, Mode::Model);
  }

  /// It is on the canvas again only after the step is undone.
  void inModelTheLayerThatComesBack() {
    f_->session.navigation.clear(Mode::Model);
    QTRY_VERIFY_WITH_TIMEOUT(canvas() && !canvas()->graph().nodes.isEmpty(), kLong);
    edits::removeFromGraph(document(), {QStringLiteral("conv2")});
    const auto isThere = [this] {
      for (const GraphNode& node : canvas()->graph().nodes)
        if (node.id == QLatin1String("conv2")) return true;
      return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(!isThere(), kLong);
    lookAway();
    trigger(command::kUndo);
    QTRY_VERIFY_WITH_TIMEOUT(isThere(), kLong);
    QTRY_VERIFY(isInSight(QStringLiteral("conv2")));
  }

  /// What is still typed or stepped becomes an edit before the stack moves: the place that a
  /// command shows takes the focus from the field, whose edit would delete that command while it
  /// acts.
  void anUnfinishedEditComesFirst() {
    f_->session.navigation.clear(Mode::Model);
    QTRY_VERIFY_WITH_TIMEOUT(canvas() && !canvas()->graph().nodes.isEmpty(), kLong);
    edits::setNodeParam(document(), QStringLiteral("conv1"), QStringLiteral("padding"), int64_t{3});
    trigger(command::kUndo);
    QTRY_VERIFY(isAt("properties", "padding"));
    const QUndoStack& stack = document().undoStack();
    QVERIFY(stack.canRedo());

    QWidget* stride = field("properties", "stride");
    auto* line = qobject_cast<QLineEdit*>(stride);
    QVERIFY(line);
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("2, 2"));
    QCOMPARE(param("stride"), 1);  // not taken yet
    trigger(command::kRedo);
    QCOMPARE(param("stride"), 2);
    QCOMPARE(param("padding"), 1);
    QCOMPARE(stack.count(), 1);
    QVERIFY(stack.canUndo() && !stack.canRedo());
    QVERIFY(stride->hasFocus());

    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("3, 3"));
    trigger(command::kUndo);  // from the menu: the edit just typed is what is undone
    QCOMPARE(param("stride"), 2);
    QCOMPARE(stack.count(), 2);
    QVERIFY(stack.canUndo() && stack.canRedo());
    trigger(command::kRedo);
    QCOMPARE(param("stride"), 3);
    trigger(command::kUndo);
    trigger(command::kUndo);
    QCOMPARE(param("stride"), 1);
    QVERIFY(!stack.canUndo());
  }

  void anUnfinishedEditOfTheDataComesFirst() {
    f_->session.navigation.clear(Mode::Data);
    QVERIFY(panel("data_source"));
    const auto split = [this] { return document().spec().data->split; };
    const SplitSpec before = split();
    // The sample's validation has files of its own, and then no fraction to edit.
    DataSpec data = *document().spec().data;
    data.split.kind = SplitSpec::Kind::Fraction;
    edits::setData(document(), QStringLiteral("x"), data, QStringLiteral("data.split"));
    data.split.fraction = before.fraction / 2;
    edits::setData(document(), QStringLiteral("x"), data, QStringLiteral("data.split.fraction"));
    QCOMPARE(document().undoStack().count(), 2);
    trigger(command::kUndo);
    QTRY_VERIFY(isAt("data_source", "fraction"));
    QWidget* seed = field("data_source", "seed");
    QVERIFY(seed);
    seed->setFocus();
    QTest::keyClick(seed, Qt::Key_Up);
    trigger(command::kRedo);
    QVERIFY(split().seed != before.seed);
    QCOMPARE(split().fraction, before.fraction);
    QCOMPARE(document().undoStack().count(), 2);
    QVERIFY(!document().undoStack().canRedo());
  }

  /// Links of issues and undo name a transform's field in the same way.
  void inDataTheFieldOfATransform() {
    f_->session.navigation.clear(Mode::Data);
    QVERIFY(panel("data_source"));
    DataSpec data = *document().spec().data;
    QCOMPARE(data.transforms.at(1).type, std::string("normalize"));
    data.transforms[1].params.set("mean", std::vector<double>{0.5});
    edits::setData(document(), QStringLiteral("x"), data, QStringLiteral("data.transforms.1.mean"));
    panel("gallery")->setFocus();
    trigger(command::kUndo);
    QTRY_VERIFY(isAt("data_source", "mean"));

    data = *document().spec().data;
    data.transforms[0].params.set("divide_by", 0.0);
    edits::setData(document(), QStringLiteral("x"), data, QStringLiteral("data.transforms"));
    const auto issue = [this]() -> std::optional<Issue> {
      for (const Issue& found : f_->session.check.result()->issues)
        if (found.place.field == "data.transforms.0.divide_by") return found;
      return std::nullopt;
    };
    QTRY_VERIFY_WITH_TIMEOUT(issue(), kLong);
    panel("gallery")->setFocus();
    f_->session.navigation.go(destinationOf(*issue()));
    QTRY_VERIFY(isAt("data_source", "divide_by"));
    // The reason stands below the field.
    const QString reason = issueMessage(*issue());
    const auto labels = panel("data_source")->findChildren<QLabel*>();
    QVERIFY2(std::any_of(labels.begin(), labels.end(),
                         [&](const QLabel* label) {
                           return label->isVisible() && label->text().endsWith(reason);
                         }),
             qPrintable(reason));
    // One that names the transform as a whole leads to its kind, an unknown one to the chain.
    f_->session.navigation.go(destinationOf(QStringLiteral("data.transforms.1")));
    QTRY_COMPARE(QApplication::focusWidget()->accessibleName(), QStringLiteral("Step 2"));
    f_->session.navigation.go(destinationOf(QStringLiteral("data.transforms.7.mean")));
    QTRY_COMPARE(QApplication::focusWidget()->accessibleName(), QStringLiteral("Add a transform"));
  }

#ifdef QT_NO_DEBUG  // a debug build stops there
  void noEditWhileAnotherIsUndone() {
    f_->session.navigation.clear(Mode::Model);
    QTRY_VERIFY_WITH_TIMEOUT(canvas() && !canvas()->graph().nodes.isEmpty(), kLong);
    edits::setNodeParam(document(), QStringLiteral("conv1"), QStringLiteral("padding"), int64_t{3});
    connect(&document(), &Document::aboutToShow, &f_->window, [this] {
      edits::setNodeParam(document(), QStringLiteral("conv1"), QStringLiteral("stride"),
                          int64_t{2});
    });
    const auto log = std::make_shared<RecentLogSink>(8);
    processLog().attach(log);
    trigger(command::kUndo);
    processLog().detach(log.get());
    const auto lines = log->lines();
    QVERIFY(std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
      return line.find("error session: dropped an edit made while") != std::string::npos;
    }));
    QCOMPARE(param("padding"), 1);
    QCOMPARE(param("stride"), 1);
    QCOMPARE(document().undoStack().count(), 1);
    trigger(command::kRedo);
    QCOMPARE(param("padding"), 3);
    QCOMPARE(document().undoStack().count(), 1);
  }
#endif

  /// Who walks through the history by key goes on there, and sees each place.
  void theHistoryKeepsTheFocus() {
    f_->session.navigation.clear(Mode::Model);
    QTRY_VERIFY_WITH_TIMEOUT(canvas() && !canvas()->graph().nodes.isEmpty(), kLong);
    for (const char* layer : {"conv1", "conv2"})
      edits::setNodeParam(document(), QLatin1String(layer), QStringLiteral("padding"), int64_t{3});
    QVERIFY(f_->window.modes().page()->showPanel(QStringLiteral("history")));
    QWidget* history = panel("history");
    history->setFocus();
    for (const char* layer : {"conv2", "conv1"}) {
      QTest::keyClick(history, Qt::Key_Up);
      QTRY_COMPARE(selection().nodes(), QStringList{QLatin1String(layer)});
      QVERIFY(history->hasFocus());
    }
    QVERIFY(!document().isDirty());
  }

  void inDataTheField() {
    f_->session.navigation.clear(Mode::Data);
    QVERIFY(panel("data_source"));
    const auto change = [this](const char* field, auto&& edit) {
      DataSpec data = *document().spec().data;
      edit(data);
      edits::setData(document(), QStringLiteral("x"), data, QLatin1String(field));
      panel("gallery")->setFocus();
      trigger(command::kUndo);
    };
    change("data.reader.images",
           [](DataSpec& data) { data.reader.params.set("images", std::string("/elsewhere")); });
    QTRY_VERIFY(isAt("data_source", "images"));
    // A choice of the part has no field of the form: its list is the place.
    change("data.reader", [](DataSpec& data) { data.reader = {"nonsense", {}}; });
    QTRY_VERIFY(qobject_cast<QComboBox*>(QApplication::focusWidget()));
    QVERIFY(panel("data_source")->isAncestorOf(QApplication::focusWidget()));
    change("data.split", [](DataSpec& data) { data.split.kind = SplitSpec::Kind::None; });
    QTRY_COMPARE(QApplication::focusWidget()->accessibleName(),
                 QStringLiteral("Where validation samples come from"));
    change("data.transforms", [](DataSpec& data) { data.transforms.push_back({"flatten", {}}); });
    QTRY_COMPARE(QApplication::focusWidget()->accessibleName(), QStringLiteral("Add a transform"));
    QCOMPARE(f_->session.navigation.current().mode, Mode::Data);
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::UndoPlaceTest)
#include "undo_place_test.moc"
