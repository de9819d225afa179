// SPDX-License-Identifier: GPL-3.0-or-later
// The table of runs and its actions.
#include "ui/panels/run_table/run_table.h"

#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMenu>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panels/run_table/run_table_model.h"
#include "ui/session/commands.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/prompts.h"
#include "ui/session/run_controller.h"
#include "ui/session/run_data.h"
#include "ui/session/selection.h"
#include "ui/session/table_actions.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_row.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/problem_frame.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kFilterWidth = 260;

}  // namespace

RunTable::RunTable(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      model_(new RunTableModel(context.runs.runs(), this)),
      table_(new TableView),
      stack_(nullptr),
      frame_(nullptr) {
  auto* pages = new QWidget;
  stack_ = new QStackedLayout(pages);
  frame_ = new ProblemFrame(tr("The runs cannot be read"), pages, this);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(frame_);
  empty_ = new EmptyState(QStringLiteral("results"), {},
                          tr("Every run is kept here with its curves, settings, samples and "
                             "checkpoints."));
  connect(empty_, &EmptyState::actionTriggered, this,
          [this] { context_.commands.action(QLatin1String(command::kRun))->trigger(); });
  stack_->addWidget(empty_);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  buildTable();
  addActions();
  column->addWidget(buildHeader());
  column->addWidget(table_, 1);
  stack_->addWidget(content);
  connect(&context_.runs, &RunData::runsChanged, this, &RunTable::refresh);
  connect(frame_, &ProblemFrame::retryWanted, &context_.runs, &RunData::retry);
  connect(&context_.run, &RunController::stateChanged, this, [this] {
    refreshActions();
    showLive();
  });
  connect(&context_.run, &RunController::troubleChanged, this, &RunTable::showLive);
  // Who looks at one run wants to see the new one; who compares several keeps them.
  connect(&context_.run, &RunController::started, this, [this](qint64 run) {
    if (context_.selection.runs().size() <= 1) context_.selection.setRuns({run});
  });
  connect(&context_.selection, &Selection::runsChanged, this, &RunTable::takeSelection);
  refresh();
  showLive();
  takeSelection();
}

QWidget* RunTable::buildHeader() {
  auto* header = new FilterRow(tr("Filter runs"), this);
  connect(header, &FilterRow::searchChanged, this, [this](const QString& text) {
    table_->setFilterText(text);
    refresh();
  });
  count_ = newCaption({}, header);
  header->addBehind(count_, kFilterWidth);
  tableActions_->setFilter(*header);
  return header;
}

void RunTable::buildTable() {
  table_->setSourceModel(model_);
  table_->setAccessibleName(tr("Runs"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setPlaceholder(tr("No run fits the filter"));
  setFirstWidths(*table_->horizontalHeader(), {{RunsModel::Name, 200},
                                               {RunsModel::Status, 120},
                                               {RunsModel::Epoch, 80},
                                               {RunsModel::Step, 80},
                                               {RunsModel::Best, 200},
                                               {RunsModel::Started, 160},
                                               {RunsModel::Duration, 112},
                                               {RunsModel::Seed, 72}});
  table_->horizontalHeader()->setStretchLastSection(true);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &RunTable::tellSelection);
  connect(table_, &TableView::currentRowChanged, this, &RunTable::tellSelection);
  connect(table_, &TableView::rowActivated, this, &RunTable::openInTrain);
  connect(table_, &TableView::contextMenuRequested, this,
          [this](int, const QPoint& place) { showMenu(place); });
  setFocusProxy(table_);
}

void RunTable::addActions() {
  const auto add = [this](const char* iconName, const QString& text, const QString& help,
                          void (RunTable::*slot)()) {
    auto* action = new QAction(icon(QLatin1String(iconName)), text, this);
    action->setToolTip(help);
    addAction(action);
    connect(action, &QAction::triggered, this, slot);
    return action;
  };
  open_ = add("train", tr("Open in &Train"), tr("Show the curves of the run in Train"),
              &RunTable::openInTrain);
  resume_ = add("run", tr("&Resume"), tr("Go on with the run from its newest checkpoint"),
                &RunTable::resume);
  rename_ = add("rename", tr("Re&name..."), tr("Give the run another name"), &RunTable::rename);
  rename_->setObjectName(QStringLiteral("runs.rename"));
  rename_->setShortcut(QKeySequence(Qt::Key_F2));
  rename_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  remove_ =
      add("delete", tr("&Delete..."),
          tr("Remove the selected runs with their curves and checkpoints"), &RunTable::remove);
  remove_->setObjectName(QStringLiteral("runs.remove"));
  remove_->setShortcut(QKeySequence::Delete);
  remove_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  tableActions_ = new TableActions(*table_, context_.prompts, tr("runs"), this);
}

void RunTable::refresh() {
  const int all = model_->rowCount();
  const int shown = table_->shownRows();
  stack_->setCurrentIndex(all > 0 ? 1 : 0);
  frame_->setProblem(context_.runs.problem(), all > 0);
  count_->setText(shown == all ? tr("%n run(s)", nullptr, all)
                               : tr("%1 of %n run(s)", nullptr, all).arg(shown));
  keepSelectionValid();
  takeSelection();  // what was selected before its row came
}

/// The store says that a run lives: that it waits, and for what, is known here alone.
void RunTable::showLive() {
  const RunController& run = context_.run;
  const bool coming = run.awaitsRun();
  empty_->setTitle(coming ? tr("The run is being prepared") : tr("No runs yet"));
  empty_->setAction(coming ? QString() : tr("Run"));
  LiveStatus live;
  if (run.state() == RunState::Paused)
    live = {run.run(),
            runStatusText(RunStatus::Paused),
            runStatusIcon(RunStatus::Paused),
            Tint::Warn,
            {}};
  if (run.state() == RunState::Trouble && !run.trouble().isEmpty())
    live = {run.run(), run.trouble().word, QStringLiteral("warning"), Tint::Bad,
            run.trouble().whole()};
  model_->setLive(live);
}

/// Deleted runs leave the selection; when none is left the newest is what one wants to see.
void RunTable::keepSelectionValid() {
  QList<qint64> runs = context_.selection.runs();
  runs.removeIf([this](qint64 run) { return !context_.runs.runs().find(run); });
  if (runs.isEmpty() && model_->rowCount() > 0) runs = {model_->runAt(0)};
  context_.selection.setRuns(runs);
}

QList<qint64> RunTable::selectedRuns() const {
  QList<qint64> runs;
  const qint64 current = model_->runAt(table_->currentSourceIndex().row());
  for (const int row : table_->selectedSourceRows()) {
    const qint64 run = model_->runAt(row);
    if (run == current) {
      runs.prepend(run);
    } else {
      runs.append(run);
    }
  }
  return runs;
}

void RunTable::tellSelection() {
  if (taking_) return;
  const QList<qint64> runs = selectedRuns();
  if (!runs.isEmpty()) context_.selection.setRuns(runs);
  refreshActions();
}

void RunTable::takeSelection() {
  const QList<qint64>& wanted = context_.selection.runs();
  if (wanted.isEmpty() && model_->rowCount() > 0) {
    keepSelectionValid();  // and comes back here
    return;
  }
  const QList<qint64> mine = selectedRuns();
  const bool same = wanted.size() == mine.size() &&
                    std::is_permutation(wanted.begin(), wanted.end(), mine.begin());
  if (!same) {
    taking_ = true;
    if (!wanted.isEmpty()) {
      const int first = context_.runs.runs().rowOf(wanted.first());
      if (first >= 0) table_->setCurrentSourceRow(first);
    }
    QItemSelection rows;
    for (int shown = 0; shown < table_->model()->rowCount(); ++shown) {
      const QModelIndex index = table_->model()->index(shown, 0);
      if (wanted.contains(index.data(RunsModel::kRunIdRole).toLongLong()))
        rows.select(index, index);
    }
    table_->selectionModel()->select(
        rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    taking_ = false;
  }
  refreshActions();
}

void RunTable::refreshActions() {
  const QList<qint64> runs = selectedRuns();
  const RunInfo* one = runs.size() == 1 ? context_.runs.runs().find(runs.first()) : nullptr;
  open_->setEnabled(one != nullptr);
  const QString whyNot = runs.size() > 1 ? tr("Several runs are selected")
                                         : context_.runs.whyNotResumable(one ? one->id : 0);
  resume_->setEnabled(whyNot.isEmpty());
  resume_->setToolTip(whyNot.isEmpty() ? tr("Go on with the run from its newest checkpoint")
                                       : whyNot);
  rename_->setEnabled(one && !one->alive());
  remove_->setEnabled(!runs.isEmpty() && std::all_of(runs.begin(), runs.end(), [this](qint64 run) {
    const RunInfo* info = context_.runs.runs().find(run);
    return info && !info->alive();
  }));
}

void RunTable::resume() {
  const QList<qint64> runs = selectedRuns();
  if (runs.size() != 1) return;
  context_.run.resumeRun(runs.first());
  openInTrain();
}

void RunTable::rename() {
  const QList<qint64> runs = selectedRuns();
  const RunInfo* info = runs.size() == 1 ? context_.runs.runs().find(runs.first()) : nullptr;
  if (!info) return;
  context_.prompts.askText(tr("Rename run"), tr("Name"), QString::fromStdString(info->name),
                           [this, run = runs.first()](const QString& name) {
                             const QString trimmed = name.trimmed();
                             if (!trimmed.isEmpty()) context_.runs.renameRun(run, trimmed);
                           });
}

void RunTable::remove() {
  const QList<qint64> runs = selectedRuns();
  if (runs.isEmpty()) return;
  Question question;
  question.title = tr("Delete %n run(s)?", nullptr, static_cast<int>(runs.size()));
  question.text = tr("Curves, recordings, samples and checkpoints are removed for good.");
  question.action = tr("Delete");
  question.destructive = true;
  context_.prompts.confirm(question, [this, runs](bool agreed) {
    if (agreed) context_.runs.removeRuns(runs);
  });
}

void RunTable::openInTrain() {
  const QList<qint64> runs = selectedRuns();
  if (runs.isEmpty()) return;
  Destination place;
  place.mode = Mode::Train;
  place.run = runs.first();
  context_.navigation.go(place);
}

void RunTable::showMenu(const QPoint& place) {
  QMenu menu(this);
  menu.setToolTipsVisible(true);
  menu.addActions({open_, resume_, rename_, remove_});
  menu.addSeparator();
  tableActions_->addTo(menu);
  menu.exec(place);
}

QByteArray RunTable::savePanel() const { return table_->saveColumns(); }

bool RunTable::restorePanel(const QByteArray& state) { return table_->restoreColumns(state); }

void RunTable::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) model_->themeChanged();
}

}  // namespace tenon::ui
