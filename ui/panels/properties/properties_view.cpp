// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the form that fits the selection.
#include "ui/panels/properties/properties_view.h"

#include <QStackedLayout>

#include "ui/panels/properties/layer_form.h"
#include "ui/session/document.h"
#include "ui/session/live_check.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/selection.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/form_scroll.h"

namespace tenon::ui {
namespace {
enum Page { kEmptyPage, kLayerPage };
}

PropertiesView::PropertiesView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(QStringLiteral("settings"), {}, {}, this)),
      layer_(new LayerForm(context)) {
  stack_->addWidget(empty_);
  stack_->addWidget(new FormScroll(layer_));
  connect(&context_.selection, &Selection::nodesChanged, this, &PropertiesView::refresh);
  connect(&context_.document, &Document::specChanged, this, &PropertiesView::refresh);
  connect(&context_.document, &Document::closed, this, &PropertiesView::refresh);
  connect(&context_.check, &LiveCheck::changed, this, [this] {
    if (isVisible() && stack_->currentIndex() == kLayerPage) layer_->showChecked();
  });
  connect(&context_.navigation, &Navigation::focusWanted, this, &PropertiesView::arrive);
  connect(empty_, &EmptyState::actionTriggered, this,
          [this] { context_.navigation.go(destinationOf(QStringLiteral("train.epochs"))); });
  showNothing(tr("No project"), tr("Open a project to see its settings."));
}

void PropertiesView::refresh() {
  if (!isVisible()) return;
  if (!context_.document.isOpen()) {
    showNothing(tr("No project"), tr("Open a project to see its settings."));
    return;
  }
  const QStringList& nodes = context_.selection.nodes();
  if (nodes.size() > 1) {
    showNothing(tr("%n layer(s)", nullptr, int(nodes.size())),
                tr("Select a single layer to see its settings."));
  } else if (!nodes.isEmpty() && layer_->showNode(nodes.first())) {
    stack_->setCurrentIndex(kLayerPage);
  } else {
    showNothing(tr("No layer selected"), tr("Select a layer on the canvas to see its settings."));
    empty_->setAction(tr("Training settings"), false);
  }
}

void PropertiesView::showNothing(const QString& title, const QString& text) {
  empty_->setTitle(title);
  empty_->setText(text);
  empty_->setAction({});
  stack_->setCurrentIndex(kEmptyPage);
}

void PropertiesView::arrive(const Destination& destination) {
  if (destination.mode != Mode::Model || destination.field.isEmpty() || !isVisible()) return;
  refresh();
  if (!destination.node.isEmpty()) layer_->focusField(destination.field);
}

void PropertiesView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace tenon::ui
