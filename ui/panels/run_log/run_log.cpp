// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the events of a run.
#include "ui/panels/run_log/run_log.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QVBoxLayout>

#include "ui/curves/train_board.h"
#include "ui/panels/run_log/run_log_model.h"
#include "ui/session/panel_context.h"
#include "ui/session/run_data.h"
#include "ui/session/table_actions.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr size_t kEventsAtOnce = 10000;  // what the store gives in one go

}  // namespace

RunLog::RunLog(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      board_(TrainBoard::of(context)),
      model_(new RunLogModel(this)),
      table_(new TableView(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(measure::kGap2, measure::kGap1, measure::kGap2, measure::kGap1);
  auto* search = new SearchField(tr("Filter messages"), this);
  search->setAccessibleName(tr("Filter messages"));
  row->addWidget(search);
  column->addLayout(row);
  table_->setSourceModel(model_);
  table_->setAccessibleName(tr("Log of the run"));
  table_->setPlaceholder(tr("What happens in a run is written here"));
  setFirstWidths(*table_->horizontalHeader(), {{RunLogModel::Time, 76}, {RunLogModel::Step, 48}});
  table_->horizontalHeader()->setStretchLastSection(true);
  column->addWidget(table_, 1);
  setFocusProxy(table_);
  actions_ = new TableActions(*table_, context.prompts, tr("log"), this);
  connect(search, &SearchField::searchChanged, table_, &TableView::setFilterText);
  connect(table_, &TableView::contextMenuRequested, this,
          [this](int, const QPoint& place) { showMenu(place); });
  connect(&board_, &TrainBoard::runChanged, this, &RunLog::startOver);
  connect(&context_.runs, &RunData::sourceChanged, this, &RunLog::startOver);
  connect(&context_.runs, &RunData::eventsAvailable, this, [this](qint64 run) {
    if (run == board_.run()) read();
  });
  connect(&context_.runs, &RunData::runsChanged, this, &RunLog::read);
  connect(&context_.runs, &RunData::failed, this, [this] { reading_ = false; });
}

void RunLog::startOver() {
  model_->clear();
  run_ = board_.run();
  read();
}

void RunLog::read() {
  if (!isVisible()) return;
  if (run_ != board_.run()) {
    startOver();
    return;
  }
  if (run_ == 0) return;
  if (reading_) {
    again_ = true;
    return;
  }
  reading_ = true;
  again_ = false;
  const qint64 run = run_;
  context_.runs.readEvents(run, model_->lastId(), this,
                           [this, run](const std::vector<Event>& events) {
                             reading_ = false;
                             if (run == run_) {
                               const QScrollBar& bar = *table_->verticalScrollBar();
                               const bool atEnd = bar.value() == bar.maximum();
                               model_->append(events);
                               if (atEnd && !events.empty()) table_->scrollToBottom();
                             }
                             if (again_ || run != run_ || events.size() >= kEventsAtOnce) read();
                           });
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
