// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the opened data and shows its first batch.
#include "ui/panels/first_batch/first_batch_view.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/data/pipeline.h"
#include "engine/data/transform_def.h"
#include "ui/panels/first_batch/batch_model.h"
#include "ui/panels/first_batch/chain_strip.h"
#include "ui/session/commands.h"
#include "ui/session/document.h"
#include "ui/session/engine_requests.h"
#include "ui/session/live_check.h"
#include "ui/session/panel_context.h"
#include "ui/session/texts.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/format.h"
#include "ui/widgets/image_grid.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kCell = kPictureEdge / 2;
constexpr int kBusyHeight = 4;
constexpr int kMostName = 160;  // of a class; a longer one is shortened

StatTile* newTile(const QString& caption, const QString& help) {
  auto* tile = new StatTile(caption);
  tile->setToolTip(help);
  return tile;
}

QStringList stageTitles(const DataSpec& data, size_t stages) {
  QStringList titles{FirstBatchView::tr("As read")};
  for (size_t i = 1; i < stages; ++i) {
    const std::string id = i <= data.transforms.size() ? data.transforms[i - 1].type : "";
    const TransformDef* def = findTransform(id);
    titles.append(def ? engineText(def->title) : QString::fromStdString(id));
  }
  return titles;
}

}  // namespace

FirstBatchView::FirstBatchView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(QStringLiteral("image"), tr("No batch"), {}, this)),
      model_(new BatchModel(this)),
      grid_(new ImageGrid),
      chain_(new ChainStrip),
      shape_(newTile(tr("Shape"), tr("Samples of the batch, then the sizes of one sample"))),
      type_(newTile(tr("Type"), tr("Type of the values, and memory of the batch"))),
      range_(newTile(tr("Range"), tr("Least and greatest value of the batch"))),
      mean_(newTile(tr("Mean"), tr("Mean of all values; near 0 trains best"))),
      deviation_(newTile(tr("Std. deviation"),
                         tr("Standard deviation of all values; near 1 trains best"))),
      slot_(new RequestSlot(context.requests, this)),
      busy_(new QProgressBar) {
  build();
  connect(&context_.check, &LiveCheck::changed, this, &FirstBatchView::refresh);
  connect(&context_.check, &LiveCheck::checkingChanged, this, &FirstBatchView::refresh);
  connect(&context_.document, &Document::closed, this, &FirstBatchView::refresh);
  connect(empty_, &EmptyState::actionTriggered, this,
          [this] { context_.commands.action(QLatin1String(command::kIssues))->trigger(); });
  connect(slot_, &RequestSlot::failed, this, &FirstBatchView::fail);
  connect(slot_, &RequestSlot::busyChanged, busy_, &QWidget::setVisible);
  showEmpty(tr("No batch"), tr("Open a project to see its first batch."));
}

void FirstBatchView::build() {
  auto* content = new QWidget(this);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  busy_->setRange(0, 0);
  busy_->setTextVisible(false);
  busy_->setFixedHeight(kBusyHeight);
  busy_->setAccessibleName(tr("Another first batch is being read"));
  busy_->setToolTip(tr("Another first batch is being read"));
  QSizePolicy keep = busy_->sizePolicy();
  keep.setRetainSizeWhenHidden(true);  // nothing moves when it comes and goes
  busy_->setSizePolicy(keep);
  column->addWidget(busy_);
  busy_->hide();
  auto* row = new QHBoxLayout;
  column->addLayout(row, 1);
  row->setContentsMargins(measure::kGap3, measure::kGap2 - kBusyHeight, 0, 0);
  row->setSpacing(measure::kGap4);
  row->addWidget(chain_, 0, Qt::AlignTop);
  row->addWidget(newFacts(), 0, Qt::AlignTop);
  row->addWidget(grid_, 1);
  grid_->setModel(model_);
  grid_->setFrameShape(QFrame::NoFrame);
  grid_->setCellSize(kCell);
  grid_->setTextLines(1);
  grid_->viewport()->setBackgroundRole(QPalette::Window);  // one ground with what stands left
  grid_->setAccessibleName(tr("Samples of the first batch"));
  stack_->addWidget(empty_);
  stack_->addWidget(content);
  setFocusProxy(grid_);
}

QWidget* FirstBatchView::newFacts() {
  auto* facts = new QWidget;
  auto* grid = new QGridLayout(facts);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(measure::kGap4);
  grid->setVerticalSpacing(measure::kGap2);
  grid->addWidget(shape_, 0, 0);
  grid->addWidget(type_, 0, 1);
  grid->addWidget(range_, 1, 0);
  grid->addWidget(mean_, 1, 1);
  grid->addWidget(deviation_, 2, 0, 1, 2);
  return facts;
}

void FirstBatchView::refresh() {
  if (!isVisible()) return;
  const auto data = context_.document.isOpen() ? context_.check.result()->data : nullptr;
  if (!data || !data->training || data->training->size() == 0) {
    slot_->cancel();
    asked_ = nullptr;
    showEmpty(tr("No batch"),
              !context_.document.isOpen()   ? tr("Open a project to see its first batch.")
              : context_.check.isChecking() ? tr("The data is being opened.")
                                            : tr("The data could not be opened; the issues tell "
                                                 "why."));
    const bool failed = context_.document.isOpen() && !context_.check.isChecking();
    empty_->setAction(failed ? tr("Show the issues") : QString(), false);
    return;
  }
  ask(data);
}

void FirstBatchView::ask(const std::shared_ptr<const DataPipeline>& data) {
  const TrainSpec& train = *context_.document.spec().train;
  if (data == asked_ && train.batchSize == askedSize_ && train.seed == askedSeed_) return;
  asked_ = data;
  askedSize_ = train.batchSize;
  askedSeed_ = train.seed;
  BatchQuestion question;
  question.training = data->training;
  question.stages = data->stages;
  question.titles = stageTitles(*context_.check.result()->spec.data, data->stages.size());
  question.batchSize = train.batchSize;
  question.seed = quint64(train.seed);
  QStringList classes;
  for (const std::string& name : data->classes) classes.append(QString::fromStdString(name));
  if (stack_->currentIndex() == 0) showEmpty(tr("Reading the first batch..."), {});
  slot_->ask([question](std::stop_token stop) { return firstBatch(question, stop); },
             [this, classes](const FirstBatch& batch) { show(batch, classes); });
}

void FirstBatchView::show(const FirstBatch& batch, const QStringList& classes) {
  int name = 0;
  for (const QString& each : classes) name = std::max(name, ImageGrid::chipWidth(each));
  grid_->setTextWidth(std::min(name, kMostName));
  model_->setBatch(batch, classes);
  chain_->setStages(batch.chain);
  shape_->setValue(batch.shape);
  type_->setValue(batch.dtype, formatBytes(batch.bytes));
  range_->setValue(rangeText(batch.facts));
  mean_->setValue(formatNumber(batch.facts.mean));
  deviation_->setValue(formatNumber(batch.facts.deviation));
  if (batch.facts.notFinite > 0) {
    range_->setState(QStringLiteral("error"), Tint::Bad);
    range_->setToolTip(
        tr("%n value(s) of the batch are NaN or infinite", nullptr, int(batch.facts.notFinite)));
  } else {
    range_->setState({}, Tint::Text);
    range_->setToolTip(tr("Least and greatest value of the batch"));
  }
  stack_->setCurrentIndex(1);
}

/// What failed is asked for again with the next check, or when the panel is shown again.
void FirstBatchView::fail(const QString& text) {
  asked_ = nullptr;
  showEmpty(tr("The first batch cannot be read"), text);
}

void FirstBatchView::showEmpty(const QString& title, const QString& text) {
  empty_->setTitle(title);
  empty_->setText(text);
  empty_->setAction({});
  stack_->setCurrentIndex(0);
}

void FirstBatchView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void FirstBatchView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  // The dots of the classes are colours of the theme.
  if (event->type() == QEvent::PaletteChange) grid_->viewport()->update();
}

}  // namespace tenon::ui
