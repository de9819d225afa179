// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of the selected runs.
#include "ui/panels/run_settings/settings_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "ui/panels/run_settings/settings_diff_model.h"
#include "ui/session/panel_context.h"
#include "ui/session/run_data.h"
#include "ui/session/run_settings.h"
#include "ui/session/selection.h"
#include "ui/session/table_actions.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_row.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/problem_frame.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {
namespace {

constexpr int kMostRuns = 8;  // columns side by side
constexpr int kFilterWidth = 220;
constexpr int kPathWidth = 200;
constexpr int kValueWidth = 120;

}  // namespace

SettingsView::SettingsView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      model_(new SettingsDiffModel(this)),
      table_(new TableView),
      empty_(new EmptyState(QStringLiteral("settings"), {}, {})) {
  build();
  connect(&context_.selection, &Selection::runsChanged, this, &SettingsView::refresh);
  connect(&context_.runs, &RunData::runsChanged, this, &SettingsView::refresh);
  connect(table_, &TableView::contextMenuRequested, this,
          [this](int, const QPoint& place) { showMenu(place); });
  refresh();
}

void SettingsView::build() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* filter = new FilterRow(tr("Filter settings"), this);
  connect(filter, &FilterRow::searchChanged, table_, &TableView::setFilterText);
  note_ = newCaption({}, filter);
  filter->addBehind(note_, kFilterWidth);
  column->addWidget(filter);
  table_->setSourceModel(model_);
  table_->setAccessibleName(tr("Settings of the selected runs"));
  table_->setPlaceholder(tr("No setting fits the filter"));
  table_->horizontalHeader()->setStretchLastSection(true);
  column->addWidget(table_, 1);
  auto* pages = new QWidget;
  stack_ = new QStackedLayout(pages);
  stack_->addWidget(empty_);
  stack_->addWidget(content);
  frame_ = new ProblemFrame(tr("The runs cannot be read"), pages, this);
  connect(frame_, &ProblemFrame::retryWanted, &context_.runs, &RunData::retry);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(frame_);
  setFocusProxy(table_);
  actions_ = new TableActions(*table_, context_.prompts, tr("settings"), this);
  actions_->setFilter(*filter);
}

void SettingsView::refresh() {
  if (!isVisible()) return;
  QList<RunSettings> runs;
  for (const qint64 run : context_.selection.runs().mid(0, kMostRuns))
    if (const RunInfo* info = context_.runs.runs().find(run))
      runs.append({run, QString::fromStdString(info->name), settingsToday(*info)});
  const bool isNew = runs != model_->runs();
  model_->setRuns(runs);
  if (isNew) {
    table_->setColumnWidth(0, kPathWidth);
    for (int i = 1; i < model_->columnCount(); ++i) table_->setColumnWidth(i, kValueWidth);
  }
  if (runs.isEmpty()) {
    empty_->setTitle(tr("No run selected"));
    empty_->setText(tr("Select runs in the table to see what they were trained with."));
  } else if (model_->rowCount() == 0) {
    empty_->setTitle(model_->unreadable().isEmpty() ? tr("Equal settings") : tr("No settings"));
    empty_->setText(model_->unreadable().isEmpty()
                        ? tr("The selected runs were trained with the same settings.")
                        : tr("The settings of %1 cannot be read.")
                              .arg(model_->unreadable().join(QStringLiteral(", "))));
  }
  const qsizetype selected = context_.selection.runs().size();
  note_->setText(selected > kMostRuns ? tr("first %1 of %2 runs").arg(kMostRuns).arg(selected)
                 : runs.size() > 1    ? tr("%n difference(s)", nullptr, model_->rowCount())
                                      : QString());
  note_->setVisible(!note_->text().isEmpty());
  stack_->setCurrentIndex(model_->rowCount() > 0 ? 1 : 0);
  if (runs.isEmpty()) {
    frame_->setProblem(context_.runs.problem());
  } else {
    frame_->setProblem({});  // what is shown here does not change any more
  }
}

void SettingsView::showMenu(const QPoint& place) {
  QMenu menu(this);
  actions_->addTo(menu);
  menu.exec(place);
}

void SettingsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace tenon::ui
