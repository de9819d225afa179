// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the issues of the checked project.
#include "ui/panels/issues/issues_view.h"

#include <QHeaderView>
#include <QMenu>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "ui/panels/issues/issues_model.h"
#include "ui/session/document.h"
#include "ui/session/live_check.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/table_actions.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_row.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {

IssuesView::IssuesView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      model_(new IssuesModel(this)),
      table_(new TableView),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(QStringLiteral("check"), tr("No issues"), {}, this)) {
  build();
  connect(table_, &TableView::rowActivated, this, &IssuesView::goTo);
  connect(table_, &QAbstractItemView::clicked, this,
          [this] { goTo(table_->currentSourceIndex().row()); });
  connect(table_, &TableView::contextMenuRequested, this,
          [this](int, const QPoint& place) { showMenu(place); });
  connect(&context_.check, &LiveCheck::changed, this, &IssuesView::refresh);
  connect(&context_.document, &Document::closed, this, &IssuesView::refresh);
}

void IssuesView::build() {
  table_->setSourceModel(model_);
  table_->setAccessibleName(tr("Issues of the project"));
  table_->setToolTip(tr("Enter or a double click goes to the place"));
  table_->horizontalHeader()->setSectionResizeMode(IssuesModel::Text, QHeaderView::Stretch);
  table_->setColumnWidth(IssuesModel::Kind, 88);
  table_->setColumnWidth(IssuesModel::Where, 240);
  table_->setPlaceholder(tr("No issue contains this text"));
  auto* content = new QWidget(this);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* filter = new FilterRow(tr("Filter issues"), this);
  connect(filter, &FilterRow::searchChanged, table_, &TableView::setFilterText);
  column->addWidget(filter);
  column->addWidget(table_, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(content);
  setFocusProxy(table_);
  actions_ = new TableActions(*table_, context_.prompts, tr("issues"), this);
  actions_->setFilter(*filter);
}

void IssuesView::goTo(int row) {
  if (row >= 0) context_.navigation.go(destinationOf(model_->issue(row)));
}

void IssuesView::showMenu(const QPoint& place) {
  QMenu menu(this);
  actions_->addTo(menu);
  menu.exec(place);
}

QByteArray IssuesView::savePanel() const { return table_->saveColumns(); }

bool IssuesView::restorePanel(const QByteArray& state) { return table_->restoreColumns(state); }

void IssuesView::refresh() {
  if (!isVisible()) return;
  const bool open = context_.document.isOpen();
  model_->setIssues(open ? context_.check.result()->issues : Issues());
  empty_->setText(open ? tr("The project can be trained as it is.")
                       : tr("Open a project to have it checked."));
  stack_->setCurrentIndex(model_->rowCount() > 0 ? 1 : 0);
}

void IssuesView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace tenon::ui
