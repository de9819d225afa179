// SPDX-License-Identifier: GPL-3.0-or-later
// What is cut is told by the tooltip: controls, headers, cells, tiles and empty places.
#include "ui/widgets/cut_text.h"

#include <QtTest>

#include "tests/ui/widgets/gallery.h"
#include "ui/widgets/quiet_combo_box.h"

using namespace tenon::ui;

namespace {

const QString kLong = QStringLiteral("a text that needs far more room than it gets");

/// The tooltip that comes up there; empty: none does.
QString tipAt(QWidget& widget, QPoint at) {
  QHelpEvent event(QEvent::ToolTip, at, widget.mapToGlobal(at));
  QCoreApplication::sendEvent(&widget, &event);
  const QString text = QToolTip::isVisible() ? QToolTip::text() : QString();
  // A hidden tip stands for a while; the next question must not see it.
  for (QWidget* top : QApplication::topLevelWidgets())
    if (top->inherits("QTipLabel")) delete top;
  return text;
}
QString tipOf(QWidget& widget) { return tipAt(widget, widget.rect().center()); }

/// Shown by itself, as wide and as high as wanted.
template <class Control>
std::unique_ptr<QWidget> windowOf(Control* control, int width, int height = 28) {
  auto window = std::make_unique<QWidget>();
  control->setParent(window.get());
  control->setGeometry(0, 0, width, height);
  window->resize(820, 320);
  window->show();
  return window;
}

QStandardItemModel* oneRow(QObject* parent) {
  auto* model = new QStandardItemModel(1, 2, parent);
  model->setHorizontalHeaderLabels({"A rather long title of a column", "B"});
  model->setItem(0, 0, new QStandardItem("a rather long name in a cell"));
  model->setItem(0, 1, new QStandardItem("b"));
  return model;
}

}  // namespace

class CutTextTest final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { new ThemeController(*qApp, ThemeController::Choice::Dark, this); }

  void textComesBeforeTheTip() {
    QCOMPARE(tipWithWhole("whole", {}), "whole");
    QCOMPARE(tipWithWhole({}, "tip"), "tip");
    QCOMPARE(tipWithWhole("whole", "tip"), "whole\ntip");
    QCOMPARE(tipWithWhole("whole", "tells the whole"), "tells the whole");
    QCOMPARE(tipWithWhole("a < b", "<b>tip</b>"), "a &lt; b<br><b>tip</b>");
    QCOMPARE(tipWithWhole("<i>whole</i>", "1 < 2"), "<i>whole</i><br>1 &lt; 2");
  }

  void buttonsTellWhatTheyCut() {
    auto* button = new QPushButton("&" + kLong);
    button->setToolTip("why");
    auto window = windowOf(button, 60);
    QCOMPARE(tipOf(*button), kLong + "\nwhy");
    button->resize(button->sizeHint());
    QCOMPARE(tipOf(*button), "why");
    auto* tool = new QToolButton;
    tool->setText(kLong);
    window = windowOf(tool, 60);
    QCOMPARE(tipOf(*tool), kLong);
    tool->setIcon(icon("run"));  // the text is only its name then
    tool->setToolButtonStyle(Qt::ToolButtonIconOnly);
    tool->setToolTip("why");
    QCOMPARE(tipOf(*tool), "why");
    auto* box = new QCheckBox(kLong);
    window = windowOf(box, 60);
    QCOMPARE(tipOf(*box), kLong);
  }

  void fieldsTellWhatTheyCut() {
    auto* box = new QuietComboBox;
    box->addItems({kLong, "b"});
    box->setToolTip("<b>why</b>");
    auto window = windowOf(box, 120);
    QCOMPARE(tipOf(*box), kLong + "<br><b>why</b>");
    box->setCurrentIndex(1);
    QCOMPARE(tipOf(*box), "<b>why</b>");
    auto* search = new SearchField("Find operations by name");
    window = windowOf(search, 90);
    QCOMPARE(tipOf(*search), "Find operations by name");
    search->resize(400, 26);
    QCOMPARE(tipOf(*search), QString());
    search->resize(90, 26);
    search->setText("x");
    QCOMPARE(tipOf(*search), QString());
  }

  void labelsTellWhatTheyCut() {
    auto* label = new QLabel(kLong);
    auto window = windowOf(label, 80);
    QCOMPARE(tipOf(*label), kLong);
    label->setWordWrap(true);
    QCOMPARE(tipOf(*label), kLong);
    label->resize(80, label->heightForWidth(80));
    QCOMPARE(tipOf(*label), QString());
    auto* elided = new ElidedLabel(kLong);
    elided->setToolTip("why");
    window = windowOf(elided, 80);
    QCOMPARE(tipOf(*elided), kLong + "\nwhy");
  }

  void tilesTellWhatTheyCut() {
    auto* tile = new StatTile("Activations at batch 32");
    tile->setValue("29.2", "MiB");
    tile->setToolTip("why");
    auto window = windowOf(tile, 70, 40);
    QVERIFY(tile->isCut());
    QCOMPARE(tipOf(*tile), "Activations at batch 32: 29.2 MiB\nwhy");
    tile->resize(tile->sizeHint());
    QVERIFY(!tile->isCut());
    QCOMPARE(tipOf(*tile), "why");
    tile->resize(tile->width() - 1, tile->height());
    QVERIFY(tile->isCut());
    tile->setState("check", Tint::Good);
    tile->setValue(kLong);
    QVERIFY(tile->isCut());
  }

  void headersTellWhatTheyCut() {
    TableView view;
    view.setSourceModel(oneRow(&view));
    view.setToolTip("of the table");
    view.resize(500, 200);
    view.show();
    QHeaderView& header = *view.horizontalHeader();
    QWidget& port = *header.viewport();
    header.resizeSection(0, 60);
    const QPoint first(header.sectionViewportPosition(0) + 20, port.height() / 2);
    QCOMPARE(tipAt(port, first), "A rather long title of a column");
    view.sourceModel()->setHeaderData(0, Qt::Horizontal, "why", Qt::ToolTipRole);
    QCOMPARE(tipAt(port, first), "A rather long title of a column\nwhy");
    header.resizeSection(0, header.sectionSizeHint(0));
    QCOMPARE(tipAt(port, first), "why");
    view.resize(header.sectionSizeHint(0) / 2, 200);  // reaches beyond the edge
    QCOMPARE(tipAt(port, first), "A rather long title of a column\nwhy");
  }

  void cellsTellWhatTheyCut() {
    TableView view;
    view.setSourceModel(oneRow(&view));
    view.resize(500, 200);
    view.show();
    view.setColumnWidth(0, 60);
    const QPoint cell = view.visualRect(view.model()->index(0, 0)).center();
    QCOMPARE(tipAt(*view.viewport(), cell), "a rather long name in a cell");
    view.sourceModel()->setData(view.sourceModel()->index(0, 0), "why", Qt::ToolTipRole);
    QCOMPARE(tipAt(*view.viewport(), cell), "a rather long name in a cell\nwhy");
    view.setColumnWidth(0, 300);
    QCOMPARE(tipAt(*view.viewport(), cell), "why");
  }

  void firstWidthsHoldTheTitles() {
    TableView view;
    view.setSourceModel(oneRow(&view));
    view.horizontalHeader()->setStretchLastSection(false);
    setFirstWidths(*view.horizontalHeader(), {{0, 50}, {1, 150}});
    const int title = QFontMetrics(textFont(TextSize::Small))
                          .horizontalAdvance("A rather long title of a column");
    QVERIFY(title > 50);
    QCOMPARE(view.columnWidth(0), title + 14);
    QCOMPARE(view.columnWidth(1), 150);
  }

  void lowEmptyPlacesKeepTheirSentence() {
    auto* place = new EmptyState(
        "image", "No samples yet",
        "Twelve validation samples with what the model says of them appear here at the end of the "
        "first epoch of a run.");
    auto window = windowOf(place, 800, 300);
    EmptyState& state = *place;
    const auto labels = state.findChildren<QLabel*>();
    QLabel* title = nullptr;
    QLabel* text = nullptr;
    for (QLabel* label : labels) {
      if (label->text().startsWith("No")) title = label;
      if (label->text().startsWith("Twelve")) text = label;
    }
    QVERIFY(title && text);
    QVERIFY(title->isVisible());
    QVERIFY(text->width() <= 340);
    const int narrow = text->heightForWidth(text->width());
    state.resize(800, 2 * 8 + title->height() + 8 + narrow - 4);  // too low for narrow lines
    QTRY_VERIFY(text->width() > 400);
    QVERIFY(title->isVisible());
    QVERIFY(text->height() >= text->heightForWidth(text->width()));
    state.resize(800, 60);
    QTRY_VERIFY(!title->isVisible());
  }

  void theWheelDoesNotChooseInAForm() {
    auto* box = new QuietComboBox;
    box->addItems({"a", "b"});
    auto window = windowOf(box, 120);
    QWheelEvent event(QPointF(10, 10), box->mapToGlobal(QPointF(10, 10)), {}, QPoint(0, -120),
                      Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QVERIFY(!box->hasFocus());
    QCoreApplication::sendEvent(box, &event);
    QCOMPARE(box->currentIndex(), 0);
    QVERIFY(!event.isAccepted());
  }
};

QTEST_MAIN(CutTextTest)
#include "cut_text_test.moc"
