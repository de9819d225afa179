// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the form that fits the selection.
#include "ui/panels/properties/properties_view.h"

#include <QStackedLayout>

#include "ui/panels/properties/layer_form.h"
#include "ui/panels/properties/train_form.h"
#include "ui/session/document.h"
#include "ui/session/live_check.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/selection.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/form_scroll.h"

namespace tenon::ui {
namespace {
enum Page { kEmptyPage, kLayerPage, kTrainPage };
}

PropertiesView::PropertiesView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(QStringLiteral("settings"), tr("No properties"),
                            tr("Open a project to see its settings."), this)),
      layer_(new LayerForm(context)),
      train_(new TrainForm(context)) {
  stack_->addWidget(empty_);
  stack_->addWidget(new FormScroll(layer_));
  stack_->addWidget(new FormScroll(train_));
  connect(&context_.selection, &Selection::nodesChanged, this, &PropertiesView::refresh);
  connect(&context_.document, &Document::specChanged, this, &PropertiesView::refresh);
  connect(&context_.document, &Document::closed, this, &PropertiesView::refresh);
  connect(&context_.check, &LiveCheck::changed, this, [this] {
    if (!isVisible()) return;
    if (stack_->currentIndex() == kLayerPage) layer_->showChecked();
    if (stack_->currentIndex() == kTrainPage) train_->showChecked();
  });
  connect(&context_.navigation, &Navigation::arrived, this, &PropertiesView::arrive);
}

void PropertiesView::refresh() {
  if (!isVisible()) return;
  if (!context_.document.isOpen()) {
    empty_->setTitle(tr("No project"));
    empty_->setText(tr("Open a project to see its settings."));
    stack_->setCurrentIndex(kEmptyPage);
    return;
  }
  const QStringList& nodes = context_.selection.nodes();
  if (nodes.size() > 1) {
    empty_->setTitle(tr("%n layer(s)", nullptr, int(nodes.size())));
    empty_->setText(tr("Select a single layer to see its settings."));
    stack_->setCurrentIndex(kEmptyPage);
  } else if (!nodes.isEmpty() && layer_->showNode(nodes.first())) {
    stack_->setCurrentIndex(kLayerPage);
  } else {
    train_->showSpec();
    stack_->setCurrentIndex(kTrainPage);
  }
}

void PropertiesView::arrive(const Destination& destination) {
  if (destination.mode != Mode::Model || destination.field.isEmpty() || !isVisible()) return;
  refresh();
  if (destination.node.isEmpty()) {
    train_->focusField(destination.field);
  } else {
    layer_->focusField(destination.field);
  }
}

void PropertiesView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace tenon::ui
