// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the document while visible and focuses the field somebody was sent to.
#include "ui/panels/training/training_view.h"

#include <QStackedLayout>

#include "ui/panels/training/train_form.h"
#include "ui/session/document.h"
#include "ui/session/live_check.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/form_scroll.h"

namespace tenon::ui {
namespace {
enum Page { kEmptyPage, kFormPage };
}

TrainingView::TrainingView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      stack_(new QStackedLayout(this)),
      form_(new TrainForm(context)) {
  stack_->addWidget(new EmptyState(QStringLiteral("settings"), tr("No project"),
                                   tr("Open a project to see its settings."), this));
  stack_->addWidget(new FormScroll(form_));
  connect(&context_.document, &Document::specChanged, this, &TrainingView::refresh);
  connect(&context_.document, &Document::closed, this, &TrainingView::refresh);
  connect(&context_.check, &LiveCheck::changed, this, [this] {
    if (isVisible()) form_->showChecked();
  });
  connect(&context_.navigation, &Navigation::focusWanted, this, &TrainingView::arrive);
}

void TrainingView::refresh() {
  if (!isVisible()) return;
  const bool open = context_.document.isOpen();
  if (open) form_->showSpec();
  stack_->setCurrentIndex(open ? kFormPage : kEmptyPage);
}

void TrainingView::arrive(const Destination& destination) {
  if (destination.mode != Mode::Train || destination.field.isEmpty() || !isVisible()) return;
  refresh();
  form_->focusField(destination.field);
}

void TrainingView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace tenon::ui
