// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the instant and the selection.
#include "ui/panels/block_list/block_list_view.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScopedValueRollback>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <utility>

#include "ui/panels/block_list/block_list_model.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/recorded_step.h"
#include "ui/session/run_data.h"
#include "ui/session/step_texts.h"
#include "ui/session/table_actions.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_row.h"
#include "ui/widgets/format.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kFilterWidth = 140;

}  // namespace

BlockListView::BlockListView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      step_(RecordedStep::of(context)),
      model_(new BlockListModel(this)),
      table_(new TableView),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(this)) {
  peak_ = new QAction(icon(QStringLiteral("target")), tr("&Go to the peak"), this);
  peak_->setToolTip(tr("List the blocks that were live when memory was at its peak"));
  addAction(peak_);
  connect(peak_, &QAction::triggered, &step_, &RecordedStep::setInstantToPeak);
  buildTable();
  auto* content = new QWidget(this);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(newHeader());
  column->addWidget(table_, 1);
  column->addWidget(newSum());
  stack_->addWidget(empty_);
  stack_->addWidget(content);
  setFocusProxy(table_);
  const auto look = [this] {
    stale_ = true;
    refresh();
  };
  connect(&step_, &RecordedStep::changed, this, look);
  connect(&step_, &RecordedStep::instantChanged, this, look);
  connect(&context_.selection, &Selection::blockChanged, this, &BlockListView::takeBlock);
  connect(empty_, &EmptyState::actionTriggered, &context_.runs, &RunData::retry);
  showEmpty();
}

void BlockListView::buildTable() {
  table_->setSourceModel(model_);
  table_->setAccessibleName(tr("Blocks live at the marked instant"));
  table_->setPlaceholder(tr("No block fits the filter"));
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  setFirstWidths(*table_->horizontalHeader(), {{BlockListModel::Layer, 78},
                                               {BlockListModel::Bytes, 74},
                                               {BlockListModel::Share, 60},
                                               {BlockListModel::Phase, 80},
                                               {BlockListModel::Category, 92},
                                               {BlockListModel::From, 84},
                                               {BlockListModel::Until, 84},
                                               {BlockListModel::Pool, 56},
                                               {BlockListModel::Stream, 60},
                                               {BlockListModel::Block, 64},
                                               {BlockListModel::Requested, 76},
                                               {BlockListModel::Address, 120}});
  // The rest stands in the tooltip and in the columns' menu.
  for (int section = BlockListModel::Category; section < BlockListModel::ColumnCount; ++section)
    table_->setColumnHidden(section, true);
  table_->horizontalHeader()->setStretchLastSection(false);
  table_->horizontalHeader()->setSectionResizeMode(BlockListModel::Op, QHeaderView::Stretch);
  table_->sortByColumn(BlockListModel::Bytes, Qt::DescendingOrder);
  actions_ = new TableActions(*table_, context_.prompts, tr("blocks"), this);
  connect(table_, &TableView::currentRowChanged, this, &BlockListView::tellBlock);
  connect(table_, &TableView::contextMenuRequested, this, &BlockListView::showMenu);
}

QWidget* BlockListView::newHeader() {
  auto* header = new FilterRow(tr("Filter blocks"), this);
  instant_ = newCaption({}, header);
  header->addBefore(instant_, kFilterWidth);
  actions_->setFilter(*header);
  connect(header, &FilterRow::searchChanged, this, [this](const QString& text) {
    const QScopedValueRollback guard(taking_, true);
    table_->setFilterText(text);
    showSum();
  });
  return header;
}

QWidget* BlockListView::newSum() {
  auto* sum = new QWidget;
  auto* row = new QHBoxLayout(sum);
  row->setContentsMargins(measure::kGap2, measure::kGap1, measure::kGap2, measure::kGap1);
  count_ = newCaption({}, sum);
  sum_ = newCaption({}, sum);
  row->addWidget(count_);
  row->addStretch(1);
  row->addWidget(sum_);
  return sum;
}

void BlockListView::refresh() {
  if (!isVisible() || step_.state() == RecordedStep::State::Loading) return;
  if (!std::exchange(stale_, false)) return;
  {
    const QScopedValueRollback guard(taking_, true);
    model_->setInstant(step_.data(), step_.instant());
  }
  if (!step_.data()->memory) {
    showEmpty();
    return;
  }
  stack_->setCurrentIndex(1);
  const double ms = static_cast<double>(step_.instant()) / 1e6;
  instant_->setText(
      (step_.isAtPeak() ? tr("Peak, %1 ms") : tr("At %1 ms")).arg(formatNumber(ms, 4)));
  instant_->setToolTip(tr("Click into the memory track to choose another instant"));
  peak_->setEnabled(!step_.isAtPeak());
  showSum();
  takeBlock();
}

void BlockListView::showEmpty() {
  const QString& problem = step_.data()->memoryProblem;
  empty_->setIconName(problem.isEmpty() ? QStringLiteral("memory") : QStringLiteral("error"));
  empty_->setTitle(problem.isEmpty() ? tr("No blocks") : tr("The memory cannot be read"));
  empty_->setText(
      problem.isEmpty()
          ? tr("The blocks that were live at the peak of a recorded step, and who asked "
               "for them.")
          : problem);
  empty_->setAction(step_.state() == RecordedStep::State::Failed ? tr("Try again") : QString(),
                    false);
  peak_->setEnabled(false);
  stack_->setCurrentIndex(0);
}

void BlockListView::showSum() {
  const int all = model_->rowCount();
  const int shown = table_->shownRows();
  qint64 bytes = 0;
  if (shown != all) {
    const QAbstractItemModel& rows = *table_->model();
    for (int row = 0; row < shown; ++row)
      bytes += rows.index(row, BlockListModel::Bytes).data(kSortRole).toLongLong();
  }
  count_->setText(shown == all ? tr("%n block(s)", nullptr, all)
                               : tr("%1 of %n block(s)", nullptr, all).arg(shown));
  const StepMemory* memory = step_.data()->memory.get();
  const bool own = memory && shown == all && step_.isAtPeak() && memory->agrees();
  sum_->setText(shown != all
                    ? tr("%1 of %2").arg(formatBytes(bytes), formatBytes(model_->totalBytes()))
                : own ? tr("%1 = allocator's peak").arg(formatBytes(model_->totalBytes()))
                      : formatBytes(model_->totalBytes()));
  sum_->setToolTip(memory
                       ? tr("The allocator's own peak of the step is %1 (%2 bytes)")
                             .arg(formatBytes(static_cast<qint64>(memory->recording().peakBytes)),
                                  formatCount(static_cast<qint64>(memory->recording().peakBytes)))
                       : QString());
}

void BlockListView::takeBlock() {
  if (taking_) return;
  const QScopedValueRollback guard(taking_, true);
  const int row = model_->rowOf(context_.selection.block());
  if (row < 0) {
    table_->setCurrentIndex({});
    table_->clearSelection();
  } else if (table_->currentSourceIndex().row() != row) {
    table_->setCurrentSourceRow(row);
  }
}

void BlockListView::tellBlock(int row) {
  if (taking_ || row < 0) return;
  const QScopedValueRollback guard(taking_, true);
  step_.selectBlock(model_->blockAt(row));
}

void BlockListView::showMenu(int row, const QPoint& place) {
  QMenu menu(this);
  const int index = step_.data()->memory ? step_.data()->memory->find(model_->blockAt(row)) : -1;
  if (index >= 0) {
    const QString layer = step_.data()->memory->layer(static_cast<size_t>(index));
    QAction* canvas = menu.addAction(icon(QStringLiteral("model")), tr("Show on canvas"));
    canvas->setEnabled(!layer.isEmpty());
    connect(canvas, &QAction::triggered, this, [this, layer] {
      Destination to;
      to.mode = Mode::Model;
      to.panel = QStringLiteral("canvas");
      to.node = layer;
      context_.navigation.go(to);
    });
  }
  menu.addAction(peak_);
  menu.addSeparator();
  actions_->addTo(menu);
  menu.exec(place);
}

QByteArray BlockListView::savePanel() const { return table_->saveColumns(); }

bool BlockListView::restorePanel(const QByteArray& state) { return table_->restoreColumns(state); }

void BlockListView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace tenon::ui
