// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the opened data and loads what is in sight.
#include "ui/panels/gallery/gallery_view.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QSlider>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panels/gallery/gallery_model.h"
#include "ui/panels/gallery/sample_images.h"
#include "ui/session/commands.h"
#include "ui/session/document.h"
#include "ui/session/engine_requests.h"
#include "ui/session/live_check.h"
#include "ui/session/panel_context.h"
#include "ui/session/selection.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/format.h"
#include "ui/widgets/image_grid.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

enum Part { kTraining, kValidation };

constexpr int kMostName = 160;  // of a class; a longer one is shortened

QString factsOf(const Dataset& dataset) {
  const Shape& shape = dataset.meta().shape;
  QStringList sizes;
  for (int axis = 0; axis < shape.ndim(); ++axis) sizes.append(QString::number(shape[axis]));
  return GalleryView::tr("%1 samples, %2")
      .arg(formatCount(dataset.size()), sizes.join(QStringLiteral("×")));
}

}  // namespace

GalleryView::GalleryView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(QStringLiteral("image"), tr("No images"), {}, this)),
      model_(new GalleryModel(this)),
      grid_(new ImageGrid),
      loader_(new RequestSlot(context.requests, this)),
      part_(new QComboBox),
      zoom_(new QSlider(Qt::Horizontal)),
      facts_(new ElidedLabel) {
  auto* content = new QWidget(this);
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(newBar());
  layout->addWidget(grid_, 1);
  grid_->setFrameShape(QFrame::NoFrame);
  grid_->setAccessibleName(tr("Images of the data"));
  grid_->setModel(model_);
  grid_->setCellSize(zoom_->value());
  stack_->addWidget(empty_);
  stack_->addWidget(content);
  setFocusProxy(grid_);
  follow();
  showEmpty(false);
}

QWidget* GalleryView::newBar() {
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(measure::kGap3, measure::kGap1, measure::kGap3, measure::kGap1);
  row->setSpacing(measure::kGap3);
  part_->addItems({tr("Training"), tr("Validation")});
  part_->setAccessibleName(tr("Which samples"));
  part_->setToolTip(tr("Which samples are shown, before any transform"));
  facts_->setFont(textFont(TextSize::Small));
  facts_->setMuted(true);
  zoom_->setRange(32, 256);
  zoom_->setPageStep(32);
  zoom_->setValue(measure::kThumbnail);
  zoom_->setFixedWidth(120);
  zoom_->setMinimumHeight(measure::kRow);
  zoom_->setAccessibleName(tr("Size of the images"));
  zoom_->setToolTip(tr("Size of the images"));
  row->addWidget(part_);
  row->addWidget(facts_);
  row->addStretch(1);
  row->addWidget(zoom_);
  return bar;
}

void GalleryView::follow() {
  connect(&context_.check, &LiveCheck::changed, this, &GalleryView::refresh);
  connect(&context_.document, &Document::closed, this, &GalleryView::refresh);
  connect(part_, &QComboBox::currentIndexChanged, this, &GalleryView::refresh);
  connect(zoom_, &QSlider::valueChanged, grid_, &ImageGrid::setCellSize);
  connect(grid_, &ImageGrid::visibleRangeChanged, this, &GalleryView::load);
  connect(loader_, &RequestSlot::failed, facts_, &ElidedLabel::setText);
  connect(grid_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& index) {
            if (index.isValid() && part_->currentIndex() == kTraining)
              context_.selection.setSample(index.row());
          });
  connect(empty_, &EmptyState::actionTriggered, this, [this] {
    const char* id = context_.document.isOpen() ? command::kIssues : command::kOpen;
    context_.commands.action(QLatin1String(id))->trigger();
  });
}

void GalleryView::refresh() {
  if (!isVisible()) return;
  DatasetPtr dataset;
  QStringList classes;
  if (const auto data = context_.document.isOpen() ? context_.check.result()->data : nullptr) {
    part_->setEnabled(data->rawValidation != nullptr);
    const bool validation = part_->currentIndex() == kValidation && data->rawValidation;
    dataset = validation ? data->rawValidation : data->rawTraining;
    for (const std::string& name : data->classes) classes.append(QString::fromStdString(name));
  }
  const bool hasSamples = dataset && dataset->size() > 0;
  if (!hasSamples || !hasPictures(dataset->meta())) {
    loader_->cancel();
    model_->setDataset(nullptr, {});
    showEmpty(hasSamples);
    return;
  }
  stack_->setCurrentIndex(1);
  facts_->setText(factsOf(*dataset));
  if (dataset == model_->dataset()) return;
  loader_->cancel();
  int name = 0;
  for (const QString& each : classes) name = std::max(name, ImageGrid::chipWidth(each));
  grid_->setTextWidth(std::min(name, kMostName));
  model_->setDataset(dataset, classes);
  load();
}

void GalleryView::showEmpty(bool hasSamples) {
  const bool open = context_.document.isOpen();
  empty_->setText(hasSamples                    ? tr("The samples of this project are no images.")
                  : !open                       ? tr("Open a project to see its images.")
                  : context_.check.isChecking() ? tr("The data is being opened.")
                                                : tr("The data could not be opened; the issues "
                                                     "tell why."));
  const bool failed = open && !hasSamples && !context_.check.isChecking();
  empty_->setAction(failed ? tr("Show the issues")
                    : open ? QString()
                           : tr("Open project"),
                    !failed);
  stack_->setCurrentIndex(0);
}

void GalleryView::load() {
  const auto [first, last] = grid_->visibleRange();
  const DatasetPtr dataset = model_->dataset();
  if (!dataset || first < 0 || !isVisible()) return;
  const int page = last - first + 1;
  const auto [from, to] = model_->missing(first, last + page);
  if (from > to) return;
  loader_->ask([dataset, from = from,
                to = to](std::stop_token stop) { return sampleImages(*dataset, from, to, stop); },
               [this, dataset](const QHash<int, QImage>& images) {
                 if (dataset == model_->dataset()) model_->addImages(images);
               });
}

void GalleryView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace tenon::ui
