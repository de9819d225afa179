// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the checked graph and the selection.
#include "ui/panels/outline/outline_view.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QStackedLayout>
#include <utility>

#include "ui/panels/outline/outline_model.h"
#include "ui/session/document.h"
#include "ui/session/live_check.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/selection.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {

OutlineView::OutlineView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      model_(new OutlineModel(this)),
      tree_(new TreeView),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(QStringLiteral("model"), tr("No layers"), {}, this)) {
  tree_->setModel(model_);
  tree_->setAccessibleName(tr("Layers of the model"));
  tree_->setToolTip(tr("Enter or a double click shows the settings of a layer"));
  setFirstWidths(
      *tree_->header(),
      {{OutlineModel::Layer, 240}, {OutlineModel::Kind, 180}, {OutlineModel::Output, 160}});
  tree_->header()->setStretchLastSection(false);
  stack_->addWidget(empty_);
  stack_->addWidget(tree_);
  setFocusProxy(tree_);
  connect(&context_.check, &LiveCheck::changed, this, &OutlineView::refresh);
  connect(&context_.document, &Document::closed, this, &OutlineView::refresh);
  connect(&context_.selection, &Selection::nodesChanged, this, &OutlineView::takeSelection);
  connect(tree_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &OutlineView::tellSelection);
  connect(tree_, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
    goTo(index.data(OutlineModel::kNodeRole).toString());
  });
}

void OutlineView::refresh() {
  if (!isVisible()) return;
  const bool open = context_.document.isOpen();
  const auto& result = *context_.check.result();
  const QSet<QString> collapsed = collapsedFrames();
  taking_ = true;
  const bool others = model_->setGraph(open ? result.graph : nullptr,
                                       *context_.document.spec().layout, result.issues);
  taking_ = false;
  empty_->setText(open ? tr("The model of this project is empty.")
                       : tr("Open a project to see its layers."));
  stack_->setCurrentIndex(model_->rowCount() > 0 ? 1 : 0);
  if (!others) return;
  for (int row = 0; row < model_->rowCount(); ++row) {
    const QModelIndex top = model_->index(row, 0);
    tree_->setExpanded(top, !collapsed.contains(top.data(OutlineModel::kFrameRole).toString()));
  }
  takeSelection();
}

QSet<QString> OutlineView::collapsedFrames() const {
  QSet<QString> frames;
  for (int row = 0; row < model_->rowCount(); ++row) {
    const QModelIndex top = model_->index(row, 0);
    if (model_->rowCount(top) > 0 && !tree_->isExpanded(top))
      frames.insert(top.data(OutlineModel::kFrameRole).toString());
  }
  return frames;
}

void OutlineView::takeSelection() {
  if (taking_ || !isVisible()) return;
  taking_ = true;
  QItemSelection rows;
  QModelIndex first;
  for (const QString& id : context_.selection.nodes()) {
    const QModelIndex index = model_->indexOfNode(id);
    if (!index.isValid()) continue;
    if (!first.isValid()) first = index;
    rows.select(index, index);
  }
  QItemSelectionModel& selection = *tree_->selectionModel();
  if (first.isValid()) selection.setCurrentIndex(first, QItemSelectionModel::NoUpdate);
  selection.select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  if (first.isValid()) tree_->scrollTo(first);
  taking_ = false;
}

/// Choosing a frame chooses the layers in it.
void OutlineView::tellSelection() {
  if (taking_) return;
  QStringList nodes;
  const auto add = [&nodes](const QModelIndex& index) {
    const QString id = index.data(OutlineModel::kNodeRole).toString();
    if (!id.isEmpty() && !nodes.contains(id)) nodes.append(id);
  };
  for (const QModelIndex& index : tree_->selectionModel()->selectedRows()) {
    add(index);
    for (int row = 0; row < model_->rowCount(index); ++row) add(model_->index(row, 0, index));
  }
  taking_ = true;  // the tree keeps what was chosen in it
  context_.selection.setNodes(nodes);
  taking_ = false;
}

void OutlineView::goTo(const QString& node) {
  if (node.isEmpty()) return;
  Destination to;
  to.mode = Mode::Model;
  to.panel = QStringLiteral("properties");
  to.node = node;
  context_.navigation.go(to);
}

void OutlineView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
  takeSelection();  // it was not followed while hidden
}

}  // namespace tenon::ui
