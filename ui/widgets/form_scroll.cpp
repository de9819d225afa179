// SPDX-License-Identifier: GPL-3.0-or-later
// Width of a scrolling form.
#include "ui/widgets/form_scroll.h"

#include <QEvent>
#include <QScrollBar>

namespace tenon::ui {
namespace {

constexpr int kLeastHeight = 80;

}  // namespace

FormScroll::FormScroll(QWidget* form, QWidget* parent) : QScrollArea(parent) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  setWidget(form);
  form->installEventFilter(this);
}

QSize FormScroll::minimumSizeHint() const {
  const int form = widget() ? widget()->minimumSizeHint().width() : 0;
  return {form + verticalScrollBar()->sizeHint().width(), kLeastHeight};
}

bool FormScroll::eventFilter(QObject* watched, QEvent* event) {
  if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
  return QScrollArea::eventFilter(watched, event);
}

}  // namespace tenon::ui
