// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the events of a run.
#include "ui/panels/run_log/run_log.h"

#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QVBoxLayout>

#include "ui/curves/train_board.h"
#include "ui/panels/run_log/run_log_model.h"
#include "ui/session/panel_context.h"
#include "ui/session/run_data.h"
#include "ui/session/table_actions.h"
#include "ui/widgets/filter_row.h"
#include "ui/widgets/problem_frame.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {

RunLog::RunLog(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      board_(TrainBoard::of(context)),
      model_(new RunLogModel(this)),
      table_(new TableView(this)) {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* filter = new FilterRow(tr("Filter messages"), this);
  column->addWidget(filter);
  table_->setSourceModel(model_);
  table_->setAccessibleName(tr("Log of the run"));
  table_->setPlaceholder(tr("What happens in a run is written here"));
  setFirstWidths(*table_->horizontalHeader(), {{RunLogModel::Time, 76}, {RunLogModel::Step, 48}});
  table_->horizontalHeader()->setStretchLastSection(true);
  column->addWidget(table_, 1);
  frame_ = new ProblemFrame(tr("The log cannot be read"), content, this);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(frame_);
  setFocusProxy(table_);
  actions_ = new TableActions(*table_, context.prompts, tr("log"), this);
  actions_->setFilter(*filter);
  connect(filter, &FilterRow::searchChanged, table_, &TableView::setFilterText);
  connect(table_, &TableView::contextMenuRequested, this,
          [this](int, const QPoint& place) { showMenu(place); });
  connect(&board_, &TrainBoard::runChanged, this, &RunLog::startOver);
  connect(&context_.runs, &RunData::sourceChanged, this, &RunLog::startOver);
  connect(&context_.runs, &RunData::eventsAvailable, this, [this](qint64 run) {
    if (run == board_.run()) read();
  });
  connect(&context_.runs, &RunData::runsChanged, this, &RunLog::read);
  connect(&context_.runs, &RunData::retried, this, &RunLog::read);
  connect(frame_, &ProblemFrame::retryWanted, &context_.runs, &RunData::retry);
}

void RunLog::startOver() {
  ++generation_;
  model_->clear();
  frame_->setProblem({});
  run_ = board_.run();
  read();
}

void RunLog::read() {
  if (!isVisible()) return;
  if (run_ != board_.run()) {
    startOver();
    return;
  }
  if (run_ == 0) {
    frame_->setProblem(context_.runs.problem());
    return;
  }
  if (reading_) {
    again_ = true;
    return;
  }
  reading_ = true;
  again_ = false;
  context_.runs.readEvents(
      run_, model_->lastId(), this,
      [this, generation = generation_](const EventGrowth& growth) {
        reading_ = false;
        if (generation == generation_) take(growth);
        if (again_ || generation != generation_) read();
      },
      [this, generation = generation_](const QString& reason) {
        reading_ = false;
        if (generation == generation_) frame_->setProblem(reason, model_->rowCount() > 0);
        if (generation != generation_) read();
      });
}

void RunLog::take(const EventGrowth& growth) {
  const QScrollBar& bar = *table_->verticalScrollBar();
  const bool atEnd = bar.value() == bar.maximum();
  frame_->setProblem({});
  if (growth.restarted) model_->keepOnly(growth.events);
  model_->append(growth.events);
  if (atEnd && !growth.events.empty()) table_->scrollToBottom();
}

void RunLog::showMenu(const QPoint& place) {
  QMenu menu(this);
  actions_->addTo(menu);
  menu.exec(place);
}

QByteArray RunLog::savePanel() const { return table_->saveColumns(); }

bool RunLog::restorePanel(const QByteArray& state) { return table_->restoreColumns(state); }

void RunLog::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  read();
}

}  // namespace tenon::ui
