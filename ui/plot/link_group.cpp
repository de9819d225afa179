// SPDX-License-Identifier: GPL-3.0-or-later
// Membership of linked plots.
#include "ui/plot/link_group.h"

#include "ui/plot/line_plot_impl.h"

namespace tenon::ui {

LinkGroup::LinkGroup(QObject* parent) : QObject(parent) {}

LinkGroup::~LinkGroup() {
  for (LinePlot* plot : plots_) plot->d_->group = nullptr;
}

void LinkGroup::add(LinePlot* plot) {
  if (plot->d_->group == this) return;
  if (plot->d_->group) plot->d_->group->remove(plot);
  plot->d_->group = this;
  plots_.append(plot);
  for (LinePlot* member : plots_) member->d_->invalidate();
}

void LinkGroup::remove(LinePlot* plot) {
  if (!plots_.removeOne(plot)) return;
  plot->d_->group = nullptr;
  plot->d_->linkedHover.reset();
  plot->d_->invalidate();
  for (LinePlot* member : plots_) member->d_->invalidate();
}

}  // namespace tenon::ui
