// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo first show the place of what they change, within a mode too: the layer and its
// field in Model, the field in Data.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "ui/graphview/graph_view.h"
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

constexpr int kLong = 10000;

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
