// SPDX-License-Identifier: GPL-3.0-or-later
// One window with every widget in its states, for pixel comparisons and for looking at it.
#pragma once

#include <QtWidgets>

#include "ui/widgets/empty_state.h"
#include "ui/widgets/format.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/image_grid.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

namespace tenon::ui::gallery {

/// Pictures of noise with class names, without any storage.
class Pictures final : public QAbstractListModel {
 public:
  explicit Pictures(int count, QObject* parent = nullptr)
      : QAbstractListModel(parent), count_(count) {}

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : count_;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
    static const QStringList names{"T-shirt", "Trouser", "Pullover", "Dress", "Coat",
                                   "Sandal",  "Shirt",   "Sneaker",  "Bag",   "Ankle boot"};
    const int row = index.row();
    asked_ = qMax(asked_, row);
    ++questions_;
    if (role == Qt::DisplayRole) return QStringLiteral("#%1").arg(row);
    if (role == ImageGrid::kChipTextRole) return names[row % 10];
    if (role == ImageGrid::kChipColorRole) return currentTheme().seriesColor(row % 10);
    if (role == ImageGrid::kBadgeRole && row % 7 == 3) return QStringLiteral("warning");
    if (role != Qt::DecorationRole || row % 11 == 5) return {};
    QImage image(28, 28, QImage::Format_Grayscale8);
    for (int y = 0; y < 28; ++y) {
      for (int x = 0; x < 28; ++x) {
        const bool in = qAbs(x - 14) < 5 + row % 6 && qAbs(y - 14) < 12;
        image.scanLine(y)[x] = static_cast<uchar>(in ? 90 + (x * 7 + y * 13 + row * 5) % 150 : 0);
      }
    }
    return image;
  }
  mutable int asked_ = -1;
  mutable int questions_ = 0;

 private:
  int count_;
};

inline QStandardItemModel* runs(QObject* parent) {
  auto* model = new QStandardItemModel(0, 5, parent);
  model->setHorizontalHeaderLabels({"Run", "Status", "Accuracy", "Loss", "Duration"});
  for (int i = 0; i < 14; ++i) {
    QList<QStandardItem*> row{new QStandardItem(QStringLiteral("run %1").arg(i + 1)),
                              new QStandardItem(i % 4 == 2 ? "interrupted" : "finished"),
                              new QStandardItem(formatPercent(0.89 + 0.003 * i)),
                              new QStandardItem(formatNumber(0.412 / (i + 1))),
                              new QStandardItem(formatDuration(400 + 55 * i))};
    row[0]->setIcon(icon(i % 4 == 2 ? "warning" : "check", i % 4 == 2 ? Tint::Warn : Tint::Good));
    for (int c = 2; c < 5; ++c) row[c]->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    model->appendRow(row);
  }
  return model;
}

inline QWidget* form(QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* layout = new QFormLayout(box);
  layout->setContentsMargins(12, 8, 12, 12);
  layout->setVerticalSpacing(8);
  auto* rate = new NumberField(NumberSpec{0, 1, true, false, false, true, 0, 2e-3, {}});
  rate->setValue(5e-4);
  auto* kernel = new NumberField(NumberSpec{1, 31, false, false, true, false, 0, 3.0, "px"});
  auto* broken = new NumberField(NumberSpec{0, 1, false, false, false, false, 0.05, 0.5, {}});
  broken->setError("Wants at most 1");
  auto* locked = new NumberField(NumberSpec{});
  locked->setValue(64);
  locked->setEnabled(false);
  auto* combo = new QComboBox;
  combo->addItems({"ReLU", "GELU", "SiLU"});
  auto* open = new QComboBox;
  open->setEditable(true);
  open->addItems({"conv1"});
  auto* spin = new QSpinBox;
  spin->setRange(0, 100);
  spin->setValue(12);
  auto* line = new QLineEdit("stem");
  layout->addRow("Learning rate", rate);
  layout->addRow("Kernel", kernel);
  layout->addRow("Dropout", broken);
  layout->addRow("Channels", locked);
  layout->addRow("Activation", combo);
  layout->addRow("Layer", open);
  layout->addRow("Epochs", spin);
  layout->addRow("Name", line);
  return box;
}

inline QLayout* chips() {
  auto* third = new QHBoxLayout;
  int k = 0;
  for (const char* name : {"T-shirt", "Trouser", "Pullover"}) {
    auto* chip = new Chip(name);
    chip->setDot(seriesTint(k));
    chip->setCheckable(true);
    chip->setChecked(k++ == 1);
    third->addWidget(chip);
  }
  auto* closable = new Chip("Following off");
  closable->setClosable(true);
  third->addWidget(closable);
  auto* bar = new QProgressBar;
  bar->setValue(62);
  third->addWidget(bar, 1);
  return third;
}

inline QWidget* buttons(QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* layout = new QVBoxLayout(box);
  auto* first = new QHBoxLayout;
  auto* run = new QPushButton(icon("run"), "Run");
  run->setProperty(kPrimaryProperty, true);
  auto* idle = new QPushButton("Train");
  idle->setProperty(kPrimaryProperty, true);
  idle->setEnabled(false);
  auto* plain = new QPushButton("Cancel");
  auto* withIcon = new QPushButton(icon("folder"), "Open…");
  auto* off = new QPushButton("Undo");
  off->setEnabled(false);
  auto* danger = new QPushButton(icon("delete"), "Delete run");
  danger->setProperty(kDangerProperty, true);
  for (auto* button : {run, idle, plain, withIcon, off, danger}) first->addWidget(button);
  first->addStretch();
  auto* second = new QHBoxLayout;
  for (const char* name : {"undo", "redo", "save", "search", "zoom-fit", "filter", "more"}) {
    auto* tool = new QToolButton;
    tool->setIcon(icon(name));
    tool->setIconSize({20, 20});
    tool->setCheckable(true);
    tool->setChecked(QLatin1String(name) == QLatin1String("filter"));
    tool->setEnabled(QLatin1String(name) != QLatin1String("redo"));
    second->addWidget(tool);
  }
  auto* check = new QCheckBox("Shuffle");
  check->setChecked(true);
  auto* radio = new QRadioButton("Epoch");
  radio->setChecked(true);
  for (QWidget* w : std::initializer_list<QWidget*>{check, new QCheckBox("Augment"), radio,
                                                    new QRadioButton("Step")}) {
    second->addWidget(w);
  }
  second->addStretch();
  layout->addLayout(first);
  layout->addLayout(second);
  auto* fourth = new QHBoxLayout;
  auto* slider = new QSlider(Qt::Horizontal);
  slider->setValue(40);
  auto* thin = new QSlider(Qt::Horizontal);
  thin->setEnabled(false);
  fourth->addWidget(slider);
  fourth->addWidget(thin);
  layout->addLayout(chips());
  layout->addLayout(fourth);
  return box;
}

inline QWidget* stats(QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* layout = new QHBoxLayout(box);
  layout->setSpacing(24);
  const auto add = [&](const char* caption, const QString& value, const QString& unit = {}) {
    auto* tile = new StatTile(caption);
    tile->setValue(value, unit);
    layout->addWidget(tile);
    return tile;
  };
  add("Epoch", "3 / 5");
  add("Loss", formatNumber(0.21437));
  add("Accuracy", "92.53", "%")->setState("check", Tint::Good);
  add("Samples", formatCount(60000));
  add("Memory", "412.6", "MiB");
  add("Time left", formatDuration(3725));
  layout->addStretch();
  return box;
}

inline QToolBar* modeBar() {
  auto* modes = new QToolBar;
  modes->setMovable(false);
  int m = 0;
  for (const auto& [name, text] : {std::pair{"home", "Welcome"},
                                   {"data", "Data"},
                                   {"model", "Model"},
                                   {"train", "Train"},
                                   {"inspect", "Inspect"},
                                   {"results", "Results"}}) {
    auto* mode = new ModeButton(name, text);
    mode->setChecked(m == 2);
    if (m == 3) mode->setBadge(Tint::Accent);
    ++m;
    modes->addWidget(mode);
  }
  return modes;
}

inline QDockWidget* propertiesDock() {
  auto* left = new QDockWidget("Properties");
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  auto* column = new QWidget;
  auto* columnLayout = new QVBoxLayout(column);
  columnLayout->setContentsMargins(0, 0, 0, 0);
  columnLayout->setSpacing(0);
  auto* section = new Section("conv1");
  section->setNote("18.5 k");
  section->setContent(form(nullptr));
  auto* closed = new Section("Advanced");
  closed->setContent(new QLabel("hidden"));
  closed->setExpanded(false);
  columnLayout->addWidget(section);
  columnLayout->addWidget(closed);
  auto* group = new QGroupBox("Schedule");
  auto* groupLayout = new QVBoxLayout(group);
  groupLayout->addWidget(new QCheckBox("Warm up"));
  columnLayout->addWidget(group);
  columnLayout->addStretch();
  scroll->setWidget(column);
  left->setWidget(scroll);
  return left;
}

inline void addDocks(QMainWindow* window) {
  auto* bottom = new QDockWidget("Log");
  auto* log = new QPlainTextEdit("12:01:02  epoch 1 finished\n12:02:55  epoch 2 finished");
  log->setFrameShape(QFrame::NoFrame);
  bottom->setWidget(log);
  auto* events = new QDockWidget("Events");
  auto* empty = new EmptyState("record", "No recording yet",
                               "Record a step to see its graph and its memory here.");
  empty->setAction("Record next step");
  events->setWidget(empty);
  window->addDockWidget(Qt::RightDockWidgetArea, events);
  auto* samples = new QDockWidget("Samples");
  samples->setWidget(new QTextEdit("text"));
  window->addDockWidget(Qt::RightDockWidgetArea, samples);
  window->tabifyDockWidget(events, samples);
  events->raise();
  window->addDockWidget(Qt::BottomDockWidgetArea, bottom);
}

inline QTabWidget* runTabs() {
  auto* tabs = new QTabWidget;
  tabs->setDocumentMode(true);
  auto* page = new QWidget;
  auto* pageLayout = new QVBoxLayout(page);
  pageLayout->setContentsMargins(0, 0, 0, 0);
  pageLayout->setSpacing(0);
  auto* search = new SearchField("Filter runs");
  auto* searchRow = new QHBoxLayout;
  searchRow->setContentsMargins(8, 6, 8, 6);
  searchRow->addWidget(search);
  pageLayout->addLayout(searchRow);
  auto* table = new TableView;
  table->setSourceModel(runs(table));
  table->sortByColumn(2, Qt::DescendingOrder);
  table->selectRow(2);
  pageLayout->addWidget(table);
  tabs->addTab(page, "Runs");
  tabs->addTab(new QWidget, "Curves");
  tabs->addTab(new QWidget, "Checkpoints");
  return tabs;
}

inline QMainWindow* window() {
  auto* window = new QMainWindow;
  window->resize(1280, 800);
  window->menuBar()->addMenu("&File");
  window->menuBar()->addMenu("&Edit");
  window->addToolBar(Qt::LeftToolBarArea, modeBar());

  window->addDockWidget(Qt::LeftDockWidgetArea, propertiesDock());

  addDocks(window);
  auto* centre = new QWidget;
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(stats(nullptr));
  layout->addWidget(buttons(nullptr));
  layout->addWidget(runTabs(), 1);
  auto* grid = new ImageGrid;
  grid->setModel(new Pictures(1000, grid));
  grid->selectionModel()->select(grid->model()->index(1, 0), QItemSelectionModel::Select);
  layout->addWidget(grid, 1);
  window->setCentralWidget(centre);
  return window;
}

/// All icons with their names.
inline QWidget* icons() {
  auto* box = new QWidget;
  auto* layout = new QGridLayout(box);
  int i = 0;
  for (const QString& name : iconNames()) {
    auto* cell = new QToolButton;
    cell->setIcon(icon(name));
    cell->setIconSize({24, 24});
    cell->setText(name);
    cell->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    layout->addWidget(cell, i / 10, i % 10);
    ++i;
  }
  return box;
}

}  // namespace tenon::ui::gallery
