// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of all modes.
#include "ui/shell/mode_stack.h"

namespace tenon::ui {

ModeStack::ModeStack(PanelTable panels, PanelContext& context, QSettings& store, QWidget* parent)
    : QStackedWidget(parent), panels_(panels), context_(context), store_(store) {}

void ModeStack::setMode(Mode mode) {
  ModePage* before = page();
  if (before && before->mode() == mode) return;
  if (before) before->leave();
  mode_ = mode;
  ModePage& page = pageOf(mode);
  setCurrentWidget(&page);
  page.enter();
}

ModePage& ModeStack::pageOf(Mode mode) {
  ModePage*& page = pages_[mode];
  if (!page) {
    page = new ModePage(mode, panels_, context_, store_, this);
    addWidget(page);
  }
  return *page;
}

void ModeStack::eachPanel(const std::function<void(const PanelDef&, QWidget&)>& look) {
  for (const Mode mode : kModes) pageOf(mode).eachPanel(look);
}

void ModeStack::save() {
  for (ModePage* page : pages_) page->save();
}

}  // namespace tenon::ui
