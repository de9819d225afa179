// SPDX-License-Identifier: GPL-3.0-or-later
// What stands around the recorded graph: strip of choices, wait bar, context menu.
#include <QAction>
#include <QButtonGroup>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/graphview/graph_view.h"
#include "ui/panels/step_graph/step_graph_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/recorded_step.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/section.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kSearchWidth = 150;
constexpr int kSlowMs = 1000;  // what takes longer says so and can be cancelled

QToolButton* newChoice(const QString& text, const QString& help, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setToolTip(help);
  button->setCheckable(true);
  button->setAutoRaise(true);
  button->setFixedHeight(measure::kField);
  return button;
}

/// Its tooltip tells the key, which a person may change.
QAction* newFit(GraphView& view, QObject* parent) {
  auto* fit = new QAction(icon(QStringLiteral("zoom-fit")), StepGraphView::tr("&Show all"), parent);
  const QAction* key = view.keyAction(QStringLiteral("graph.fit"));
  const auto showKey = [fit, key] {
    const QString keys = key->shortcut().toString(QKeySequence::NativeText);
    fit->setToolTip(StepGraphView::tr("Show the whole graph (%1)").arg(keys));
  };
  showKey();
  QObject::connect(key, &QAction::changed, fit, showKey);
  QObject::connect(fit, &QAction::triggered, &view, &GraphView::fitAll);
  return fit;
}

}  // namespace

StepGraphView::StepGraphView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      step_(RecordedStep::of(context)),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(this)),
      view_(new GraphView) {
  view_->setFrameShape(QFrame::NoFrame);
  view_->setAccessibleName(tr("Graph of the recorded step"));
  view_->setEditable(false);
  view_->setFollowsNodes(true);
  view_->setGraphStyle(GraphStyle::fromTheme(currentTheme()));
  slow_.setSingleShot(true);
  slow_.setInterval(kSlowMs);
  buildActions();
  auto* content = new QWidget(this);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(newStrip());
  column->addWidget(view_, 1);
  column->addWidget(newWaitBar());
  stack_->addWidget(empty_);
  stack_->addWidget(content);
  setFocusProxy(view_);
  follow();
  showEmpty();
}

void StepGraphView::buildActions() {
  expandAll_ = new QAction(icon(QStringLiteral("expand-all")), tr("&Expand all"), this);
  expandAll_->setToolTip(tr("Show every recorded operation"));
  collapseAll_ = new QAction(icon(QStringLiteral("collapse-all")), tr("&Collapse all"), this);
  collapseAll_->setToolTip(tr("One box for each layer and phase"));
  connect(expandAll_, &QAction::triggered, this, [this] {
    StepGraphWish wish = wish_;
    wish.expandAll = true;
    wish.expanded.clear();
    change(wish, nodeToKeep());
  });
  connect(collapseAll_, &QAction::triggered, this, [this] {
    StepGraphWish wish = wish_;
    wish.expandAll = false;
    wish.expanded.clear();
    change(wish, nodeToKeep());
  });
  picture_ = new QAction(icon(QStringLiteral("image")), tr("Save as &picture..."), this);
  picture_->setToolTip(tr("Save the whole graph as SVG, PDF or PNG"));
  connect(picture_, &QAction::triggered, this, &StepGraphView::savePicture);
}

QWidget* StepGraphView::newStrip() {
  auto* strip = new QWidget;
  auto* row = new QHBoxLayout(strip);
  row->setContentsMargins(measure::kGap2, measure::kGap1, measure::kGap2, measure::kGap1);
  row->setSpacing(measure::kGap1);
  passes_ = new QButtonGroup(strip);
  const auto addPass = [&](const QString& text, const QString& help, Pass pass) {
    QToolButton* button = newChoice(text, help, strip);
    passes_->addButton(button, pass);
    row->addWidget(button);
    connect(button, &QToolButton::clicked, this, [this, pass] {
      StepGraphWish wish = wish_;
      wish.forward = pass != kBackward;
      wish.backward = pass != kForward;
      if (wish == wish_) return;
      fits_ = true;
      change(wish);
    });
  };
  addPass(tr("All"), tr("The forward pass with the backward pass beside it"), kAll);
  addPass(tr("Forward"), tr("What the model and the loss computed"), kForward);
  addPass(tr("Backward"), tr("What autograd computed from the loss back"), kBackward);
  optimizer_ = new QCheckBox(tr("Optimizer"), strip);
  optimizer_->setToolTip(tr("Also show the update of the parameters"));
  showChoices();
  connect(optimizer_, &QCheckBox::toggled, this, [this](bool on) {
    StepGraphWish wish = wish_;
    wish.optimizer = on;
    change(wish, nodeToKeep());
  });
  row->addSpacing(measure::kGap2);
  row->addWidget(optimizer_);
  row->addSpacing(measure::kGap2);
  counts_ = new ElidedLabel({}, strip);
  counts_->setFont(textFont(TextSize::Small));
  counts_->setMuted(true);
  row->addWidget(counts_, 1);
  auto* find = new SearchField(tr("Find operation"), strip);
  find->setMaximumWidth(kSearchWidth);
  find->setToolTip(tr("Highlight layers and operations whose name contains the text"));
  connect(find, &SearchField::searchChanged, this, &StepGraphView::search);
  connect(view_, &GraphView::findRequested, find, qOverload<>(&QWidget::setFocus));
  row->addWidget(find);
  QAction* fit = newFit(*view_, this);
  for (QAction* action : {expandAll_, collapseAll_, fit, picture_}) {
    auto* button = new QToolButton(strip);
    button->setDefaultAction(action);
    button->setAccessibleName(action->text().remove(u'&'));
    button->setAutoRaise(true);
    button->setIconSize({measure::kIconSmall, measure::kIconSmall});
    button->setFixedSize(measure::kField, measure::kField);
    row->addWidget(button);
  }
  return strip;
}

QWidget* StepGraphView::newWaitBar() {
  waitBar_ = new QWidget;
  auto* row = new QHBoxLayout(waitBar_);
  row->setContentsMargins(measure::kGap3, measure::kGap1, measure::kGap2, measure::kGap1);
  waitText_ = newCaption({}, waitBar_);
  row->addWidget(waitText_, 1);
  auto* cancel = new QPushButton(tr("Cancel"), waitBar_);
  cancel->setToolTip(tr("Keep the graph as it is shown"));
  connect(cancel, &QPushButton::clicked, this, &StepGraphView::cancelArranging);
  row->addWidget(cancel);
  waitBar_->hide();
  return waitBar_;
}

void StepGraphView::showMenu(const QString& id, const QPoint& place) {
  QMenu menu(this);
  if (!id.isEmpty()) addNodeActions(menu, id);
  menu.addAction(expandAll_);
  menu.addAction(collapseAll_);
  menu.addSeparator();
  menu.addAction(picture_);
  menu.exec(place);
}

void StepGraphView::addNodeActions(QMenu& menu, const QString& id) {
  const RecordedNode* node = firstNode(id);
  if (!node) return;
  const bool current = isCurrent();
  const QString group = shown_.groups.value(node->id);
  if (current && shown_.expandable.contains(group)) {
    const bool open = group != id;
    menu.addAction(open ? tr("Collapse this layer") : tr("Show its operations"), this,
                   [this, group, open] { setExpanded(group, !open); });
  }
  QAction* canvas = menu.addAction(icon(QStringLiteral("model")), tr("Show on canvas"), this,
                                   [this, id] { showOnCanvas(id); });
  canvas->setEnabled(!node->layer.empty());
  if (current && node->partner >= 0)
    menu.addAction(node->kind == RecordedKind::Forward ? tr("Go to its backward operation")
                                                       : tr("Go to its forward operation"),
                   this, [this, step = shownStep_, partner = node->partner] {
                     if (step == step_.data()) step_.selectNode(partner);
                   });
  menu.addSeparator();
}

}  // namespace tenon::ui
