// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the recorded step and the selection.
#include "ui/panels/node_details/node_details_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/panels/node_details/detail_delegate.h"
#include "ui/panels/node_details/node_details_model.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/recorded_step.h"
#include "ui/session/run_data.h"
#include "ui/session/step_texts.h"
#include "ui/session/table_actions.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/format.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

QToolButton* newLink(QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setAutoRaise(true);
  button->setIconSize({measure::kIconSmall, measure::kIconSmall});
  button->setFixedHeight(measure::kField);
  return button;
}

}  // namespace

NodeDetailsView::NodeDetailsView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      step_(RecordedStep::of(context)),
      model_(new NodeDetailsModel(this)),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(this)),
      tree_(new TreeView) {
  buildTree();
  auto* content = new QWidget(this);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(newHeader());
  column->addWidget(tree_, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(content);
  setFocusProxy(tree_);
  showEmpty();
  connect(&step_, &RecordedStep::changed, this, &NodeDetailsView::refresh);
  connect(empty_, &EmptyState::actionTriggered, &context_.runs, &RunData::retry);
  connect(&step_, &RecordedStep::instantChanged, this, &NodeDetailsView::refresh);
  connect(&context_.selection, &Selection::recordedNodeChanged, this, &NodeDetailsView::refresh);
}

QWidget* NodeDetailsView::newHeader() {
  auto* header = new QWidget;
  auto* column = new QVBoxLayout(header);
  column->setContentsMargins(measure::kGap3, measure::kGap2, measure::kGap2, measure::kGap1);
  column->setSpacing(2);
  auto* first = new QHBoxLayout;
  first->setSpacing(measure::kGap2);
  icon_ = new QLabel(header);
  icon_->setFixedSize(measure::kIcon, measure::kIcon);
  title_ = new ElidedLabel({}, header);
  title_->setFont(textFont(TextSize::Title));
  first->addWidget(icon_);
  first->addWidget(title_, 1);
  column->addLayout(first);
  place_ = new ElidedLabel({}, header);
  place_->setFont(textFont(TextSize::Small));
  place_->setMuted(true);
  column->addWidget(place_);
  auto* links = new QHBoxLayout;
  links->setContentsMargins(-4, 2, 0, 0);
  links->setSpacing(measure::kGap1);
  canvas_ = newLink(header);
  canvas_->setIcon(icon(QStringLiteral("model")));
  canvas_->setText(tr("Show on canvas"));
  partner_ = newLink(header);
  partner_->setIcon(icon(QStringLiteral("link")));
  links->addWidget(canvas_);
  links->addWidget(partner_);
  links->addStretch(1);
  column->addLayout(links);
  connect(canvas_, &QToolButton::clicked, this, [this] {
    const RecordedNode* node = step_.node();
    if (!node) return;
    Destination to;
    to.mode = Mode::Model;
    to.panel = QStringLiteral("canvas");
    to.node = QString::fromStdString(node->layer);
    context_.navigation.go(to);
  });
  connect(partner_, &QToolButton::clicked, this, [this] {
    if (const RecordedNode* node = step_.node()) step_.selectNode(node->partner);
  });
  return header;
}

void NodeDetailsView::buildTree() {
  tree_->setModel(model_);
  tree_->setAccessibleName(tr("Tensors, kernels and memory of the selected operation"));
  tree_->setRootIsDecorated(false);
  tree_->setIndentation(measure::kGap2);
  tree_->setItemsExpandable(false);
  tree_->setUniformRowHeights(false);  // sections stand a little apart
  tree_->setHeaderHidden(true);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setMinimumSectionSize(40);
  tree_->setItemDelegate(new DetailDelegate(tree_));
  tree_->header()->setSectionResizeMode(NodeDetailsModel::Name, QHeaderView::Stretch);
  tree_->header()->setSectionResizeMode(NodeDetailsModel::Value, QHeaderView::ResizeToContents);
  tree_->header()->setSectionResizeMode(NodeDetailsModel::Amount, QHeaderView::ResizeToContents);
  connect(tree_, &QAbstractItemView::clicked, this, &NodeDetailsView::openRow);
  connect(tree_, &QAbstractItemView::activated, this, &NodeDetailsView::openRow);
  auto* actions = new TableActions(*tree_, context_.prompts, tr("details"), this);
  connect(tree_, &TreeView::contextMenuRequested, this, [this, actions](const QPoint& place) {
    QMenu menu(this);
    actions->addTo(menu);
    menu.exec(place);
  });
}

void NodeDetailsView::refresh() {
  if (!isVisible() || step_.state() == RecordedStep::State::Loading) return;
  const StepData& data = *step_.data();
  const RecordedNode* node = step_.node();
  model_->setSections(node ? nodeDetails(data, node->id) : stepDetails(data, step_.instant()));
  const bool some = data.graph || data.memory;
  stack_->setCurrentIndex(some ? 1 : 0);
  if (!some) {
    showEmpty();
    return;
  }
  tree_->expandAll();
  for (int row = 0; row < model_->rowCount(); ++row) tree_->setFirstColumnSpanned(row, {}, true);
  showHeader();
}

void NodeDetailsView::showEmpty() {
  const QString& problem = step_.data()->graphProblem;
  const bool failed = !problem.isEmpty();
  empty_->setIconName(failed ? QStringLiteral("error") : QStringLiteral("info"));
  empty_->setTitle(failed ? tr("The step cannot be read") : tr("No details"));
  empty_->setText(failed ? problem
                         : tr("Select an operation of a recorded step to see its tensors, "
                              "kernels and memory."));
  empty_->setAction(step_.state() == RecordedStep::State::Failed ? tr("Try again") : QString(),
                    false);
}

void NodeDetailsView::showHeader() {
  const RecordedNode* node = step_.node();
  const RecordingKey key = context_.selection.recording();
  const QString layer = node ? QString::fromStdString(node->layer) : QString();
  if (node) {
    title_->setText(nodeTitle(*node));
    place_->setText(layer.isEmpty() ? nodePhase(*node)
                                    : tr("%1, %2").arg(layer, nodePhase(*node).toLower()));
    const bool forward = node->kind == RecordedKind::Forward;
    partner_->setText(forward ? tr("Backward") : tr("Forward"));
    partner_->setToolTip(forward ? tr("Go to the backward operation of this call")
                                 : tr("Go to the forward operation of this call"));
  } else {
    title_->setText(tr("Step %1").arg(formatCount(key.step)));
    const RunInfo* run = context_.runs.runs().find(key.run);
    place_->setText(run && !run->name.empty() ? QString::fromStdString(run->name)
                                              : tr("Run %1").arg(key.run));
  }
  const QString name = node ? opIcon(node->op) : QStringLiteral("record");
  icon_->setPixmap(iconPixmap(name, currentTheme().text, measure::kIcon, devicePixelRatioF()));
  canvas_->setToolTip(
      tr("Go to %1 in Model; Ctrl+click on its node in the graph does it too").arg(layer));
  canvas_->setVisible(!layer.isEmpty());
  partner_->setVisible(node && node->partner >= 0);
}

void NodeDetailsView::openRow(const QModelIndex& index) {
  if (!index.parent().isValid()) return;
  if (const int node = index.data(NodeDetailsModel::kNodeRole).toInt(); node >= 0) {
    step_.selectNode(node);
    return;
  }
  const auto block = index.data(NodeDetailsModel::kBlockRole).toULongLong();
  const auto memory = step_.data()->memory;
  if (block == 0 || !memory || memory->find(block) < 0) return;
  // The node stays: one looks at its tensors, not at who made them.
  context_.selection.setBlock(block);
}

void NodeDetailsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void NodeDetailsView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && stack_->currentIndex() == 1) showHeader();
}

}  // namespace tenon::ui
