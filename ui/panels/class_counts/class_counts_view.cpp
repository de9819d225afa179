// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the opened data and counts its classes.
#include "ui/panels/class_counts/class_counts_view.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <utility>

#include "engine/data/pipeline.h"
#include "ui/curves/plot_colours.h"
#include "ui/session/commands.h"
#include "ui/session/document.h"
#include "ui/session/engine_requests.h"
#include "ui/session/live_check.h"
#include "ui/session/panel_context.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/format.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
QList<BarRow> classRows(const std::vector<int64_t>& counts, const QStringList& classes) {
  QList<BarRow> rows;
  for (size_t i = 0; i < counts.size(); ++i) {
    const QString name = classes.value(qsizetype(i), QString::number(i));
    rows.append({name, double(counts[i]), counts[i] == 0 ? BarRole::Bad : BarRole::Normal});
  }
  return rows;
}

ClassCountsView::ClassCountsView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(QStringLiteral("table"), tr("No classes"), {}, this)),
      training_(new StatTile(tr("Training"))),
      validation_(new StatTile(tr("Validation"))),
      part_(new QComboBox),
      chart_(new BarChart),
      counter_(new RequestSlot(context.requests, this)) {
  build();
  connect(&context_.check, &LiveCheck::changed, this, &ClassCountsView::refresh);
  connect(&context_.document, &Document::closed, this, &ClassCountsView::refresh);
  connect(part_, &QComboBox::currentIndexChanged, this, &ClassCountsView::refresh);
  connect(counter_, &RequestSlot::failed, this, [this](const QString& reason) {
    chart_->setRows({});
    chart_->setEmptyText(reason);
  });
  connect(empty_, &EmptyState::actionTriggered, this,
          [this] { context_.commands.action(QLatin1String(command::kIssues))->trigger(); });
  showEmpty();
}

void ClassCountsView::build() {
  auto* content = new QWidget(this);
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(measure::kGap3, measure::kGap2, measure::kGap3, measure::kGap2);
  layout->setSpacing(measure::kGap2);
  auto* tiles = new QHBoxLayout;
  tiles->setSpacing(measure::kGap4);
  tiles->addWidget(training_);
  tiles->addWidget(validation_);
  tiles->addStretch(1);
  layout->addLayout(tiles);
  part_->addItems({tr("Classes of the training samples"), tr("Classes of the validation samples")});
  part_->setAccessibleName(tr("Which samples are counted"));
  part_->setToolTip(tr("Which samples are counted"));
  layout->addWidget(part_);
  chart_->setTitle(tr("Samples of each class"));
  chart_->setText(BarText::Count);
  takeTheme();
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(chart_);
  scroll->setFocusProxy(chart_);
  layout->addWidget(scroll, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(content);
}

void ClassCountsView::refresh() {
  if (!isVisible()) return;
  const auto data = context_.document.isOpen() ? context_.check.result()->data : nullptr;
  if (!data || !data->rawTraining) {
    counter_->cancel();
    counted_ = nullptr;
    showEmpty();
    return;
  }
  training_->setValue(formatCount(data->rawTraining->size()));
  validation_->setValue(data->rawValidation ? formatCount(data->rawValidation->size())
                                            : QStringLiteral("–"));
  part_->setEnabled(data->rawValidation != nullptr);
  QStringList classes;
  for (const std::string& name : data->classes) classes.append(QString::fromStdString(name));
  const bool validation = part_->currentIndex() == 1 && data->rawValidation;
  stack_->setCurrentIndex(1);
  count(validation ? data->rawValidation : data->rawTraining, classes);
}

void ClassCountsView::count(const DatasetPtr& dataset, const QStringList& classes) {
  if (std::exchange(counted_, dataset) == dataset) return;
  chart_->setRows({});
  chart_->setEmptyText(dataset->meta().classes > 0 ? tr("Counting …")
                                                   : tr("The samples have no classes."));
  counter_->ask([dataset](std::stop_token) { return classCounts(*dataset); },
                [this, classes](const std::vector<int64_t>& counts) {
                  chart_->setRows(classRows(counts, classes));
                });
}

void ClassCountsView::takeTheme() { chart_->setTheme(plotThemeOf(currentTheme())); }

void ClassCountsView::showEmpty() {
  empty_->setText(!context_.document.isOpen()   ? tr("Open a project to see its classes.")
                  : context_.check.isChecking() ? tr("The data is being opened.")
                                                : tr("The data could not be opened; the issues "
                                                     "tell why."));
  const bool failed = context_.document.isOpen() && !context_.check.isChecking();
  empty_->setAction(failed ? tr("Show the issues") : QString(), false);
  stack_->setCurrentIndex(0);
}

void ClassCountsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void ClassCountsView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) takeTheme();
}

}  // namespace tenon::ui
