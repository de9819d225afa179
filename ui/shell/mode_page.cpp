// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a mode from the panel table.
#include "ui/shell/mode_page.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QSettings>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>

#include "ui/shell/arrangement.h"
#include "ui/shell/dock_title.h"
#include "ui/shell/panel_keys.h"

namespace tenon::ui {
namespace {

Qt::DockWidgetArea dockArea(Area area) {
  switch (area) {
    case Area::Left:
      return Qt::LeftDockWidgetArea;
    case Area::Top:
      return Qt::TopDockWidgetArea;
    case Area::Bottom:
      return Qt::BottomDockWidgetArea;
    case Area::Right:
    case Area::Centre:
      break;
  }
  return Qt::RightDockWidgetArea;
}

constexpr int kPlacingMs = 700;  // a window manager may resize a window shown just now

bool isStacked(Area area) { return area == Area::Left || area == Area::Right; }

}  // namespace

ModePage::ModePage(Mode mode, PanelTable panels, PanelContext& context, QSettings& store,
                   QWidget* parent)
    : QWidget(parent),
      mode_(mode),
      context_(context),
      store_(store),
      window_(new QMainWindow(nullptr, Qt::Widget)) {
  setObjectName(QStringLiteral("page%1").arg(static_cast<int>(mode)));
  window_->setParent(this, Qt::Widget);
  window_->setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
  window_->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  window_->setDocumentMode(true);
  window_->setContextMenuPolicy(Qt::NoContextMenu);
  collect(panels);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  buildStrips(column);
  column->addWidget(window_, 1);
  buildCentre();
  buildDocks();
  arrangeByDefault();
  restores_ = restoreArrangement(*window_, store_, key());
  if (!restores_) arrangeByDefault();
}

void ModePage::collect(PanelTable panels) {
  for (const auto definition : panels) {
    const PanelDef& def = definition();
    for (const Placement& placement : def.placements)
      if (placement.mode == mode_) items_.append({&def, placement, nullptr});
  }
  std::stable_sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
    return std::tuple(a.placement.area, a.placement.order) <
           std::tuple(b.placement.area, b.placement.order);
  });
}

QWidget* ModePage::makePanel(const PanelDef& def, QWidget* parent) {
  QWidget* panel = def.make(context_, parent);
  if (panel->objectName().isEmpty()) panel->setObjectName(def.id);
  if (panel->accessibleName().isEmpty()) panel->setAccessibleName(panelTitle(def));
  for (QAction* action : panel->actions())
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  if (auto* memory = dynamic_cast<PanelMemory*>(panel)) {
    const QByteArray state = store_.value(key(def.id)).toByteArray();
    if (!state.isEmpty()) memory->restorePanel(state);
  }
  restoreKeys(*panel, store_);
  panels_.insert(def.id, panel);
  return panel;
}

void ModePage::eachPanel(const std::function<void(const PanelDef&, QWidget&)>& look) const {
  for (const Item& item : items_) look(*item.def, *panels_.value(item.def->id));
}

void ModePage::buildStrips(QVBoxLayout* column) {
  for (const Item& item : items_)
    if (item.placement.fixedStrip && item.placement.area != Area::Centre)
      column->addWidget(makePanel(*item.def, this));
}

void ModePage::buildCentre() {
  auto* centre = new QWidget(window_);
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  for (const Item& item : items_)
    if (item.placement.area == Area::Centre)
      column->addWidget(makePanel(*item.def, centre), item.placement.fixedStrip ? 0 : 1);
  if (column->count() == 0) {
    delete centre;
  } else {
    window_->setCentralWidget(centre);
  }
}

void ModePage::buildDocks() {
  for (Item& item : items_) {
    if (item.placement.fixedStrip || item.placement.area == Area::Centre) continue;
    auto* dock = new QDockWidget(panelTitle(*item.def), window_);
    dock->setObjectName(QStringLiteral("dock.") + item.def->id);
    QWidget* panel = makePanel(*item.def, dock);
    dock->setWidget(panel);
    auto* title = new DockTitle(*dock, *panel);
    dock->setTitleBarWidget(title);
    dock->toggleViewAction()->setToolTip(panelDescription(*item.def));
    connect(window_, &QMainWindow::tabifiedDockWidgetActivated, title, &DockTitle::updateTabbed);
    item.dock = dock;
  }
}

void ModePage::arrangeByDefault() {
  const Item* before = nullptr;
  for (const Item& item : items_) {
    if (!item.dock) continue;
    item.dock->setFloating(false);
    const bool first = !before || before->placement.area != item.placement.area;
    window_->addDockWidget(dockArea(item.placement.area), item.dock,
                           isStacked(item.placement.area) ? Qt::Vertical : Qt::Horizontal);
    if (item.placement.tabbed && !first) window_->tabifyDockWidget(before->dock, item.dock);
    item.dock->setVisible(!item.placement.hidden);
    before = &item;
  }
  // Of tabs that share a place the first one is on top.
  for (auto it = items_.crbegin(); it != items_.crend(); ++it)
    if (it->dock && !it->placement.tabbed && !it->placement.hidden) it->dock->raise();
}

void ModePage::sizeByDefault() {
  QList<QDockWidget*> docks;
  QList<int> widths;
  QList<int> heights;
  for (const Item& item : items_) {
    if (!item.dock || item.placement.hidden || item.placement.tabbed) continue;
    docks.append(item.dock);
    widths.append(item.placement.size.width() > 0 ? item.placement.size.width()
                                                  : item.dock->width());
    heights.append(item.placement.size.height() > 0 ? item.placement.size.height()
                                                    : item.dock->height());
  }
  window_->resizeDocks(docks, widths, Qt::Horizontal);
  window_->resizeDocks(docks, heights, Qt::Vertical);
}

void ModePage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!shown_.isValid()) shown_.start();
  settleSoon();
}

void ModePage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  settleSoon();
}

/// The docks have their real room only after the first layout, and that again only when the window
/// has got the size it keeps: what was given in less room than that does not grow back.
void ModePage::settleSoon() {
  if (!isVisible() || !shown_.isValid() || shown_.hasExpired(kPlacingMs)) return;
  if (!std::exchange(settling_, true)) QTimer::singleShot(0, this, &ModePage::settle);
}

void ModePage::settle() {
  settling_ = false;
  if (!isVisible()) return;
  if (!std::exchange(settled_, true) || size() != settledFor_) {
    if (!restores_ || !restoreArrangement(*window_, store_, key())) sizeByDefault();
  }
  settledFor_ = size();
}

void ModePage::enter() {
  for (QDockWidget* dock : std::exchange(hiddenFloats_, {})) dock->show();
}

void ModePage::leave() {
  for (const Item& item : items_) {
    if (!item.dock || !item.dock->isFloating() || !item.dock->isVisible()) continue;
    hiddenFloats_.append(item.dock);
    item.dock->hide();
  }
}

bool ModePage::showPanel(const QString& id) {
  QWidget* panel = panels_.value(id);
  if (!panel) return false;
  for (const Item& item : items_) {
    if (item.def->id != id || !item.dock) continue;
    item.dock->show();
    item.dock->raise();
  }
  panel->setFocus(Qt::OtherFocusReason);
  return true;
}

QList<QAction*> ModePage::panelActions() const {
  QList<QAction*> actions;
  for (const Item& item : items_)
    if (item.dock) actions.append(item.dock->toggleViewAction());
  return actions;
}

void ModePage::resetArrangement() {
  store_.remove(key());
  restores_ = false;
  hiddenFloats_.clear();
  arrangeByDefault();
  QTimer::singleShot(0, this, &ModePage::sizeByDefault);
}

void ModePage::save() {
  if (settled_) {  // else nothing has its size yet, and what is kept is better
    for (QDockWidget* dock : hiddenFloats_) dock->show();  // or they would count as closed
    saveArrangement(*window_, store_, key());
    for (QDockWidget* dock : hiddenFloats_) dock->hide();
  }
  for (auto it = panels_.begin(); it != panels_.end(); ++it)
    if (const auto* memory = dynamic_cast<const PanelMemory*>(it.value()))
      store_.setValue(key(it.key()), memory->savePanel());
}

QString ModePage::key(const QString& id) const {
  const int number = static_cast<int>(mode_);
  return id.isEmpty() ? QStringLiteral("arrangement/%1").arg(number)
                      : QStringLiteral("panels/%1/%2").arg(number).arg(id);
}

}  // namespace tenon::ui
