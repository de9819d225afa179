// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the checked graph and the selection.
#include "ui/panels/outline/outline_view.h"

#include <QAction>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QMenu>
#include <QScopedValueRollback>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "ui/panels/outline/outline_model.h"
#include "ui/session/document.h"
#include "ui/session/document_edits.h"
#include "ui/session/live_check.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/prompts.h"
#include "ui/session/selection.h"
#include "ui/session/table_actions.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_row.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {

OutlineView::OutlineView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      model_(new OutlineModel(this)),
      tree_(new TreeView),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(QStringLiteral("model"), tr("No layers"), {}, this)) {
  tree_->setSourceModel(model_);
  tree_->setAccessibleName(tr("Layers of the model"));
  tree_->setToolTip(tr("Enter or a double click shows the settings of a layer"));
  tree_->setPlaceholder(tr("No layer fits the filter"));
  setFirstWidths(
      *tree_->header(),
      {{OutlineModel::Layer, 240}, {OutlineModel::Kind, 180}, {OutlineModel::Output, 160}});
  tree_->header()->setStretchLastSection(false);
  stack_->addWidget(empty_);
  buildActions();
  stack_->addWidget(newContent());
  setFocusProxy(tree_);
  follow();
}

QWidget* OutlineView::newContent() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new FilterRow(tr("Filter layers"), this);
  connect(row, &FilterRow::searchChanged, this, &OutlineView::filter);
  tableActions_->setFilter(*row);
  column->addWidget(row);
  column->addWidget(tree_, 1);
  return content;
}

void OutlineView::buildActions() {
  rename_ = new QAction(icon(QStringLiteral("rename")), tr("Re&name..."), this);
  rename_->setToolTip(tr("Give the layer another name"));
  rename_->setObjectName(QStringLiteral("outline.rename"));
  rename_->setShortcut(QKeySequence(Qt::Key_F2));
  remove_ = new QAction(icon(QStringLiteral("delete")), tr("&Delete"), this);
  remove_->setToolTip(tr("Remove the selected layers with their wires"));
  remove_->setObjectName(QStringLiteral("outline.remove"));
  remove_->setShortcut(QKeySequence::Delete);
  for (QAction* action : {rename_, remove_}) {
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(action);
  }
  connect(rename_, &QAction::triggered, this, &OutlineView::rename);
  connect(remove_, &QAction::triggered, this, &OutlineView::remove);
  tableActions_ = new TableActions(*tree_, context_.prompts, tr("layers"), this);
}

void OutlineView::follow() {
  connect(&context_.check, &LiveCheck::changed, this, &OutlineView::refresh);
  connect(&context_.document, &Document::closed, this, &OutlineView::refresh);
  connect(&context_.selection, &Selection::nodesChanged, this, &OutlineView::takeSelection);
  connect(tree_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &OutlineView::tellSelection);
  connect(tree_, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
    goTo(index.data(OutlineModel::kNodeRole).toString());
  });
  connect(tree_, &TreeView::contextMenuRequested, this, &OutlineView::showMenu);
  connect(tree_, &QTreeView::collapsed, this, [this](const QModelIndex& index) {
    if (!taking_) collapsed_.insert(index.data(OutlineModel::kFrameRole).toString());
  });
  connect(tree_, &QTreeView::expanded, this, [this](const QModelIndex& index) {
    if (!taking_) collapsed_.remove(index.data(OutlineModel::kFrameRole).toString());
  });
}

void OutlineView::refresh() {
  if (!isVisible()) return;
  const bool open = context_.document.isOpen();
  const auto& result = *context_.check.result();
  bool others = false;
  {
    const QScopedValueRollback guard(taking_, true);
    others = model_->setGraph(open ? result.graph : nullptr, *context_.document.spec().layout,
                              result.issues);
  }
  empty_->setText(open ? tr("The model of this project is empty.")
                       : tr("Open a project to see its layers."));
  stack_->setCurrentIndex(model_->rowCount() > 0 ? 1 : 0);
  if (!others) return;
  expandFrames();
  takeSelection();
}

/// What fits a filter is in sight; else what a person closed stays closed.
void OutlineView::expandFrames() {
  const QScopedValueRollback guard(taking_, true);
  const QAbstractItemModel& rows = *tree_->model();
  for (int row = 0; row < rows.rowCount(); ++row) {
    const QModelIndex top = rows.index(row, 0);
    const bool closed = collapsed_.contains(top.data(OutlineModel::kFrameRole).toString());
    tree_->setExpanded(top, filtered_ || !closed);
  }
}

/// What is left out of sight stays selected.
void OutlineView::filter(const QString& text) {
  {
    const QScopedValueRollback guard(taking_, true);
    filtered_ = !text.isEmpty();
    tree_->setFilterText(text);
  }
  expandFrames();
  takeSelection();
}

/// Selected layers, without those that the filter hides: what nobody sees here is not edited here.
QStringList OutlineView::chosenInSight() const {
  QStringList nodes = context_.selection.nodes();
  nodes.removeIf(
      [this](const QString& id) { return !tree_->fromSource(model_->indexOfNode(id)).isValid(); });
  return nodes;
}

void OutlineView::takeSelection() {
  const QStringList nodes = chosenInSight();
  rename_->setEnabled(nodes.size() == 1);
  remove_->setEnabled(!nodes.isEmpty());
  if (taking_ || !isVisible()) return;
  const QScopedValueRollback guard(taking_, true);
  QItemSelection rows;
  QModelIndex first;
  for (const QString& id : nodes) {
    const QModelIndex index = tree_->fromSource(model_->indexOfNode(id));
    if (!first.isValid()) first = index;
    rows.select(index, index);
  }
  QItemSelectionModel& selection = *tree_->selectionModel();
  if (first.isValid()) selection.setCurrentIndex(first, QItemSelectionModel::NoUpdate);
  selection.select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  if (first.isValid()) tree_->scrollTo(first);
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
    for (int row = 0; row < tree_->model()->rowCount(index); ++row)
      add(tree_->model()->index(row, 0, index));
  }
  const QScopedValueRollback guard(taking_, true);  // the tree keeps what was chosen in it
  context_.selection.setNodes(nodes);
}

void OutlineView::goTo(const QString& node) {
  if (node.isEmpty()) return;
  Destination to;
  to.mode = Mode::Model;
  to.panel = QStringLiteral("properties");
  to.node = node;
  context_.navigation.go(to);
}

void OutlineView::showMenu(const QPoint& place) {
  QMenu menu(this);
  menu.addActions({rename_, remove_});
  menu.addSeparator();
  tableActions_->addTo(menu);
  menu.exec(place);
}

void OutlineView::rename() {
  const QStringList nodes = chosenInSight();
  if (nodes.size() != 1) return;
  const QString& node = nodes.first();
  context_.prompts.askText(tr("Rename layer"), tr("Name"), node, [this, node](const QString& text) {
    const QString wish = text.trimmed();
    if (edits::renameNode(context_.document, node, wish)) {
      context_.selection.setNodes({wish});
    } else {
      context_.prompts.notice(edits::refusedNameText(wish));
    }
  });
}

/// The one beside it is selected then, so that a keyboard stays in its place.
void OutlineView::remove() {
  const QStringList nodes = chosenInSight();
  const QString next = neighbourOf(nodes);
  edits::removeFromGraph(context_.document, nodes);
  context_.selection.setNodes(next.isEmpty() ? QStringList() : QStringList{next});
}

QString OutlineView::neighbourOf(const QStringList& nodes) const {
  for (const bool below : {true, false}) {
    QModelIndex index = tree_->currentIndex();
    while (index.isValid()) {
      const QString id = index.data(OutlineModel::kNodeRole).toString();
      if (!id.isEmpty() && !nodes.contains(id)) return id;
      index = below ? tree_->indexBelow(index) : tree_->indexAbove(index);
    }
  }
  return {};
}

QByteArray OutlineView::savePanel() const { return tree_->saveColumns(); }

bool OutlineView::restorePanel(const QByteArray& state) { return tree_->restoreColumns(state); }

void OutlineView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
  takeSelection();  // it was not followed while hidden
}

}  // namespace tenon::ui
