// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the issues of the checked project.
#include "ui/panels/issues/issues_view.h"

#include <QHeaderView>
#include <QStackedLayout>

#include "ui/panels/issues/issues_model.h"
#include "ui/session/document.h"
#include "ui/session/live_check.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {

IssuesView::IssuesView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      model_(new IssuesModel(this)),
      table_(new TableView),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(QStringLiteral("check"), tr("No issues"), {}, this)) {
  table_->setSourceModel(model_, TableView::Sorting::ByModel);
  table_->setSortingEnabled(false);
  table_->setAccessibleName(tr("Issues of the project"));
  table_->setToolTip(tr("Enter or a double click goes to the place"));
  table_->horizontalHeader()->setSectionResizeMode(IssuesModel::Text, QHeaderView::Stretch);
  table_->setColumnWidth(IssuesModel::Where, 240);
  stack_->addWidget(empty_);
  stack_->addWidget(table_);
  setFocusProxy(table_);
  const auto go = [this](int row) {
    if (row >= 0) context_.navigation.go(destinationOf(model_->issue(row)));
  };
  connect(table_, &TableView::rowActivated, this, go);
  connect(table_, &QAbstractItemView::clicked, this,
          [go](const QModelIndex& index) { go(index.row()); });
  connect(&context_.check, &LiveCheck::changed, this, &IssuesView::refresh);
  connect(&context_.document, &Document::closed, this, &IssuesView::refresh);
}

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
