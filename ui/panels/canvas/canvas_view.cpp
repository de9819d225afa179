// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the checked graph and passes what a person does on to the document.
#include "ui/panels/canvas/canvas_view.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/graphview/graph_view.h"
#include "ui/graphview/layout_job.h"
#include "ui/panels/canvas/canvas_graph.h"
#include "ui/session/commands.h"
#include "ui/session/document.h"
#include "ui/session/document_edits.h"
#include "ui/session/live_check.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/prompts.h"
#include "ui/session/run_controller.h"
#include "ui/session/save_file.h"
#include "ui/session/selection.h"
#include "ui/settings/user_settings.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/format.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/section.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr double kFoldAbove = 2400;  // about 25 layers: a single column can no longer be read whole
constexpr int kSearchWidth = 150;
constexpr const char* kFitKey = "graph.fit";
constexpr const char* kFindKey = "graph.find";

}  // namespace

CanvasView::CanvasView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(QStringLiteral("model"), tr("No layers"), {}, this)),
      view_(new GraphView),
      layoutJob_(new LayoutJob(this)) {
  view_->setFrameShape(QFrame::NoFrame);
  view_->setAccessibleName(tr("Canvas of the model"));
  view_->setGraphStyle(GraphStyle::fromTheme(currentTheme()));
  buildActions();
  auto* content = new QWidget(this);
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(view_, 1);
  layout->addWidget(newStrip());
  showKeys();
  stack_->addWidget(empty_);
  stack_->addWidget(content);
  setFocusProxy(view_);
  followSession();
  followView();
  showEmpty();
}

void CanvasView::buildActions() {
  fit_ = new QAction(icon(QStringLiteral("zoom-fit")), tr("&Show all"), this);
  picture_ = new QAction(icon(QStringLiteral("image")), tr("Save as &picture..."), this);
  picture_->setToolTip(tr("Save the whole model as SVG, PDF or PNG"));
  connect(fit_, &QAction::triggered, view_, &GraphView::fitAll);
  for (const char* id : {kFitKey, kFindKey})
    connect(view_->keyAction(QLatin1String(id)), &QAction::changed, this, &CanvasView::showKeys);
  connect(picture_, &QAction::triggered, this, &CanvasView::savePicture);
}

/// A person may change them.
void CanvasView::showKeys() {
  const auto keys = [this](const char* id) {
    return view_->keyAction(QLatin1String(id))->shortcut().toString(QKeySequence::NativeText);
  };
  fit_->setToolTip(tr("Show the whole model (%1)").arg(keys(kFitKey)));
  find_->setToolTip(tr("Highlight layers whose name or kind contains the text (%1); Enter goes "
                       "from one to the next")
                        .arg(keys(kFindKey)));
}

QWidget* CanvasView::newStrip() {
  auto* strip = new QWidget;
  auto* row = new QHBoxLayout(strip);
  row->setContentsMargins(measure::kGap3, measure::kGap1, measure::kGap3, measure::kGap1);
  row->setSpacing(measure::kGap4);
  addTiles(*row);
  row->addStretch(1);
  addTools(*row);
  return strip;
}

void CanvasView::addTiles(QHBoxLayout& row) {
  parameters_ = new StatTile(tr("Parameters"));
  parameters_->setToolTip(tr("Numbers that training changes"));
  flops_ = new StatTile(tr("FLOPs a sample"));
  flops_->setToolTip(tr("Forward pass of one sample; a multiply-add counts as two"));
  activations_ = new StatTile(tr("Activations"));
  activations_->setToolTip(tr("Memory of all layer outputs of one batch"));
  weights_ = new StatTile(tr("Weights"));
  weights_->setToolTip(tr("Memory of parameters and buffers"));
  for (StatTile* tile : {parameters_, flops_, activations_, weights_}) row.addWidget(tile);
}

void CanvasView::addTools(QHBoxLayout& row) {
  find_ = new SearchField(tr("Find layer"));
  find_->setMaximumWidth(kSearchWidth);
  connect(find_, &SearchField::searchChanged, this, &CanvasView::search);
  connect(find_, &QLineEdit::returnPressed, this, &CanvasView::goToFound);
  connect(view_, &GraphView::findRequested, find_, [this] {
    find_->setFocus(Qt::ShortcutFocusReason);
    find_->selectAll();
  });
  row.addWidget(find_, 1);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(measure::kGap1);
  for (QAction* action : {fit_, picture_}) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setAccessibleName(action->text().remove(u'&'));
    button->setAutoRaise(true);
    button->setIconSize({measure::kIconSmall, measure::kIconSmall});
    button->setFixedSize(measure::kField, measure::kField);
    buttons->addWidget(button);
  }
  row.addLayout(buttons);
  issues_ = new QToolButton;
  issues_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  issues_->setAutoRaise(true);
  issues_->setToolTip(tr("Show what is wrong with the project"));
  connect(issues_, &QToolButton::clicked, this,
          [this] { context_.commands.action(QLatin1String(command::kIssues))->trigger(); });
  row.addWidget(issues_);
}

void CanvasView::followSession() {
  const auto look = [this] {
    stale_ = true;
    refresh();
  };
  connect(&context_.check, &LiveCheck::changed, this, look);
  connect(&context_.document, &Document::specChanged, this, [look](SpecParts parts) {
    // Graph edits arrive with the check that follows them.
    if (parts & (SpecParts(SpecPart::Layout) | SpecPart::Train)) look();
  });
  const auto trained = [this] {
    return context_.run.isComputing() ? context_.run.graph() : nullptr;
  };
  trained_ = trained();
  connect(&context_.run, &RunController::stateChanged, this, [this, look, trained] {
    const auto now = trained();
    if (std::exchange(trained_, now) != now) look();
  });
  const auto anew = [this, look] {
    placed_.clear();
    fits_ = true;
    look();
  };
  connect(&context_.document, &Document::opened, this, anew);
  connect(&context_.document, &Document::closed, this, anew);
  connect(&context_.selection, &Selection::nodesChanged, this,
          [this](const QStringList& ids) { view_->setSelectedNodes(ids); });
  connect(&context_.navigation, &Navigation::focusWanted, this, &CanvasView::arrive);
  connect(layoutJob_, &LayoutJob::finished, this, &CanvasView::takeLayout);
  connect(empty_, &EmptyState::actionTriggered, this,
          [this] { context_.commands.action(QLatin1String(command::kOpen))->trigger(); });
}

void CanvasView::followView() {
  const auto takeWheel = [this] {
    view_->setWheelZooms(context_.settings.flag(QLatin1String(setting::kWheelZooms)));
  };
  connect(&context_.settings, &UserSettings::changed, this, takeWheel);
  takeWheel();
  connect(view_, &GraphView::selectionChanged, &context_.selection, &Selection::setNodes);
  connect(view_, &GraphView::nodesMoved, this, &CanvasView::moveNodes);
  connect(view_, &GraphView::deleteRequested, this, &CanvasView::removeParts);
  connect(view_, &GraphView::connectRequested, this, &CanvasView::connectPorts);
  connect(view_, &GraphView::activated, this, [this](const QString& node) {
    Destination to;
    to.mode = Mode::Model;
    to.panel = QStringLiteral("properties");
    to.node = node;
    context_.navigation.go(to);
  });
  connect(view_, &GraphView::contextMenuRequested, this,
          [this](const QString&, const QPoint& place) { showMenu(place); });
}

std::shared_ptr<const CheckedGraph> CanvasView::checked() const {
  return context_.check.result()->graph;
}

void CanvasView::refresh() {
  if (!isVisible() || !std::exchange(stale_, false)) return;
  // Of a project just opened, the graph of the one before says nothing.
  const bool known = context_.document.isOpen() && (!fits_ || context_.check.isCurrent());
  const auto graph = known ? checked() : nullptr;
  if (!graph || graph->nodes.empty()) {
    view_->setGraph({});
    showEmpty();
    return;
  }
  showCosts();
  if (needsPlaces(*graph, *context_.document.spec().layout, placed_)) {
    // Shown when the places are found; what stands meanwhile stays.
    LayoutOptions options;
    options.foldAbove = kFoldAbove;
    layoutJob_->start(layoutGraphOf(canvasGraph(*graph, {}, {}, {})), options);
    return;
  }
  showGraph(*graph);
}

GraphData CanvasView::shownGraph(const CheckedGraph& graph) const {
  const CheckResult& result = *context_.check.result();
  GraphData data = canvasGraph(graph, result.issues, *context_.document.spec().layout, placed_);
  if (trained_) markRunning(data, *result.spec.graph, *trained_);
  return data;
}

void CanvasView::showGraph(const CheckedGraph& graph) {
  view_->setGraph(shownGraph(graph));
  view_->setSelectedNodes(context_.selection.nodes());
  if (!find_->text().isEmpty()) view_->setHighlighted(view_->find(find_->text()));
  stack_->setCurrentIndex(1);
  if (std::exchange(fits_, false)) view_->frame();
  if (view_->selectedNodes().contains(coming_)) view_->showNode(std::exchange(coming_, {}));
}

void CanvasView::takeLayout(const LayoutResult& result) {
  const auto graph = checked();
  // A newer graph has another size or is laid out next.
  if (!graph || result.positions.size() != graph->nodes.size()) return;
  for (size_t i = 0; i < graph->nodes.size(); ++i)
    placed_.insert(QString::fromStdString(graph->nodes[i].spec->id), result.positions[i]);
  showGraph(*graph);
}

void CanvasView::showCosts() {
  const auto graph = checked();
  const GraphTotals& totals = graph->totals;
  const int64_t batch = context_.document.spec().train->batchSize;
  parameters_->setValue(formatCompact(double(totals.parameters)));
  flops_->setValue(formatCompact(totals.flops));
  activations_->setCaption(tr("Activations at batch %1").arg(batch));
  activations_->setValue(formatBytes(totals.activationBytesPerSample * batch));
  weights_->setValue(formatBytes(totals.weightBytes));
  const int errors = context_.check.errorCount();
  const int warnings = context_.check.warningCount();
  issues_->setIcon(errors     ? icon(QStringLiteral("error"), Tint::Bad)
                   : warnings ? icon(QStringLiteral("warning"), Tint::Warn)
                              : icon(QStringLiteral("check"), Tint::Good));
  issues_->setText(errors     ? tr("%n error(s)", nullptr, errors)
                   : warnings ? tr("%n warning(s)", nullptr, warnings)
                              : tr("No issues"));
  issues_->setAccessibleName(issues_->text());
}

void CanvasView::showEmpty() {
  const bool open = context_.document.isOpen();
  empty_->setTitle(open ? tr("No layers") : tr("No project"));
  empty_->setText(!open                         ? tr("Open a project to see its model.")
                  : context_.check.isChecking() ? tr("The model is being checked.")
                                                : tr("The model of this project is empty."));
  empty_->setAction(open ? QString() : tr("Open project"));
  stack_->setCurrentIndex(0);
}

void CanvasView::arrive(const Destination& destination) {
  if (destination.mode != Mode::Model || destination.node.isEmpty()) return;
  view_->setSelectedNodes({destination.node});
  view_->showNode(destination.node);
  // Undo brings a deleted layer back after its place was gone to.
  const bool there = view_->selectedNodes().contains(destination.node);
  coming_ = there ? QString() : destination.node;
}

/// With the first drag every place becomes the project's, so that nothing jumps later.
void CanvasView::moveNodes(const QList<NodeMove>& moves) {
  QHash<QString, QPointF> positions;
  const LayoutSpec& layout = *context_.document.spec().layout;
  for (const GraphNode& node : view_->graph().nodes)
    if (!layout.positions.contains(node.id.toStdString())) positions.insert(node.id, node.position);
  for (const NodeMove& move : moves) positions.insert(move.id, move.after);
  edits::moveNodes(context_.document, positions);
}

void CanvasView::removeParts(const QStringList& nodes, const QList<GraphEdge>& edges) {
  const auto graph = checked();
  if (!graph) return;
  std::vector<EdgeSpec> wires;
  for (const GraphEdge& edge : edges)
    if (auto wire = specEdge(*graph, *context_.document.spec().graph, edge)) wires.push_back(*wire);
  if (!nodes.isEmpty() || !wires.empty()) edits::removeFromGraph(context_.document, nodes, wires);
}

void CanvasView::connectPorts(const QString& from, int fromPort, const QString& to, int toPort) {
  const auto graph = checked();
  if (!graph) return;
  const CheckedNode* target = graph->find(to.toStdString());
  edits::connectNodes(context_.document, newSpecEdge(*graph, from, fromPort, to, toPort),
                      target && target->def && target->def->variadic);
}

void CanvasView::search() {
  const QStringList found = view_->find(find_->text());
  view_->setHighlighted(found);
  if (!found.isEmpty()) view_->showNode(found.first());
}

/// Selects the first layer found; of those found, the one after the selected.
void CanvasView::goToFound() {
  const QStringList found = view_->find(find_->text());
  if (found.isEmpty()) return;
  const qsizetype next = found.indexOf(context_.selection.currentNode()) + 1;
  view_->setCurrentNode(found.at(next % found.size()));
  context_.selection.setNodes({view_->currentNode()});
}

void CanvasView::savePicture() {
  askAndSave(context_.prompts, pictureWish(context_.document.name()),
             tr("The picture could not be saved"), *this,
             [this](const QString& path) { return view_->savePicture(path); });
}

void CanvasView::showMenu(const QPoint& place) {
  QMenu menu(this);
  menu.addAction(fit_);
  menu.addAction(picture_);
  menu.exec(place);
}

void CanvasView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void CanvasView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    view_->setGraphStyle(GraphStyle::fromTheme(currentTheme()));
}

}  // namespace tenon::ui
