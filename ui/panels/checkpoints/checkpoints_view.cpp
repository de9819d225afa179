// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the checkpoints of a run.
#include "ui/panels/checkpoints/checkpoints_view.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <utility>

#include "ui/panels/checkpoints/checkpoints_model.h"
#include "ui/session/panel_context.h"
#include "ui/session/run_controller.h"
#include "ui/session/run_data.h"
#include "ui/session/selection.h"
#include "ui/session/table_actions.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_row.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/problem_frame.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {

CheckpointsView::CheckpointsView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      model_(new CheckpointsModel(this)),
      table_(new TableView),
      empty_(new EmptyState(QStringLiteral("save"), tr("No checkpoints"), {})) {
  build();
  connect(&context_.selection, &Selection::runsChanged, this, &CheckpointsView::refresh);
  connect(&context_.runs, &RunData::runsChanged, this, &CheckpointsView::refresh);
  connect(&context_.runs, &RunData::retried, this, &CheckpointsView::refresh);
  connect(&context_.run, &RunController::stateChanged, this, &CheckpointsView::refresh);
  showState();
}

void CheckpointsView::build() {
  table_->setSourceModel(model_);
  table_->setAccessibleName(tr("Checkpoints of the selected run"));
  setFirstWidths(*table_->horizontalHeader(), {{CheckpointsModel::Kind, 92},
                                               {CheckpointsModel::Step, 64},
                                               {CheckpointsModel::Epoch, 56},
                                               {CheckpointsModel::Size, 80}});
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setPlaceholder(tr("No checkpoint contains this text"));
  auto* content = new QWidget(this);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* filter = new FilterRow(tr("Filter checkpoints"), this);
  connect(filter, &FilterRow::searchChanged, table_, &TableView::setFilterText);
  column->addWidget(filter);
  column->addWidget(table_, 1);
  auto* pages = new QWidget;
  stack_ = new QStackedLayout(pages);
  stack_->addWidget(empty_);
  stack_->addWidget(content);
  frame_ = new ProblemFrame(tr("The checkpoints cannot be read"), pages, this);
  connect(frame_, &ProblemFrame::retryWanted, &context_.runs, &RunData::retry);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(frame_);
  setFocusProxy(table_);
  resume_ = new QAction(icon(QStringLiteral("run")), tr("&Resume run"), this);
  resume_->setToolTip(tr("Go on with the run from its newest checkpoint"));
  addAction(resume_);
  connect(resume_, &QAction::triggered, this, [this] { context_.run.resumeRun(run_); });
  actions_ = new TableActions(*table_, context_.prompts, tr("checkpoints"), this);
  actions_->setFilter(*filter);
  connect(table_, &TableView::contextMenuRequested, this,
          [this](int, const QPoint& place) { showMenu(place); });
}

void CheckpointsView::refresh() {
  if (!isVisible()) return;
  const qint64 wanted = context_.selection.currentRun();
  if (std::exchange(run_, wanted) != wanted) {
    model_->setCheckpoints({});
    problem_.clear();
  }
  if (run_ == 0) problem_ = context_.runs.problem();
  showState();
  if (run_ == 0) return;
  context_.runs.listCheckpoints(
      run_, this,
      [this, run = run_](const std::vector<CheckpointInfo>& list) {
        if (run != run_) return;
        problem_.clear();
        model_->setCheckpoints(list);
        showState();
      },
      [this, run = run_](const QString& reason) {
        if (run != run_) return;
        problem_ = reason;
        showState();
      });
}

void CheckpointsView::showState() {
  const RunInfo* run = context_.runs.runs().find(run_);
  const QString whyNot = context_.runs.whyNotResumable(run_);
  resume_->setEnabled(whyNot.isEmpty());
  resume_->setToolTip(whyNot.isEmpty() ? tr("Go on with the run from its newest checkpoint")
                                       : whyNot);
  empty_->setText(!run           ? tr("Select a run in the table to see its checkpoints.")
                  : run->alive() ? tr("The first one is saved at the end of the first epoch.")
                                 : tr("This run kept no checkpoint."));
  stack_->setCurrentIndex(model_->rowCount() > 0 ? 1 : 0);
  frame_->setProblem(problem_, model_->rowCount() > 0);
}

void CheckpointsView::showMenu(const QPoint& place) {
  QMenu menu(this);
  menu.setToolTipsVisible(true);
  menu.addAction(resume_);
  menu.addSeparator();
  actions_->addTo(menu);
  menu.exec(place);
}

QByteArray CheckpointsView::savePanel() const { return table_->saveColumns(); }

bool CheckpointsView::restorePanel(const QByteArray& state) {
  return table_->restoreColumns(state);
}

void CheckpointsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace tenon::ui
