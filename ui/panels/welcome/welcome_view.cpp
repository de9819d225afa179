// SPDX-License-Identifier: GPL-3.0-or-later
// Buttons of the window's commands beside the list of recent projects.
#include "ui/panels/welcome/welcome_view.h"

#include <QAction>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/panels/welcome/recents_delegate.h"
#include "ui/session/commands.h"
#include "ui/session/panel_context.h"
#include "ui/session/prompts.h"
#include "ui/session/recent_projects.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kActionsWidth = 420;

}  // namespace

WelcomeView::WelcomeView(PanelContext& context, QWidget* parent)
    : QWidget(parent), context_(context), list_(new QListView), pages_(new QStackedWidget) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(measure::kGap3, measure::kGap3, measure::kGap3, measure::kGap3);
  row->setSpacing(measure::kGap4);
  row->addWidget(newActions());
  row->addWidget(newRecents(), 1);
  const auto look = [this] { showState(); };
  connect(&context_.recents, &QAbstractItemModel::rowsInserted, this, look);
  connect(&context_.recents, &QAbstractItemModel::rowsRemoved, this, look);
  connect(&context_.recents, &QAbstractItemModel::modelReset, this, look);
  showState();
}

/// The menus own the letters; a second Alt+F would only move the focus.
static QString withoutMnemonic(const QAction& action) {
  return action.text().remove(QLatin1Char('&'));
}

QPushButton* WelcomeView::newButton(const char* commandId, bool primary) {
  QAction* action = context_.commands.action(QLatin1String(commandId));
  auto* button = new QPushButton(action->icon(), withoutMnemonic(*action));
  button->setMinimumHeight(measure::kPrimary);
  button->setProperty(kPrimaryProperty, primary);
  button->setEnabled(action->isEnabled());
  button->setToolTip(action->toolTip());
  connect(action, &QAction::changed, button, [button, action] {
    button->setEnabled(action->isEnabled());
    button->setText(withoutMnemonic(*action));
  });
  connect(button, &QPushButton::clicked, action, &QAction::trigger);
  return button;
}

QWidget* WelcomeView::newActions() {
  auto* side = new QWidget;
  side->setFixedWidth(kActionsWidth);
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(measure::kGap3, measure::kGap3, measure::kGap3, measure::kGap3);
  layout->setSpacing(measure::kGap2);
  layout->addWidget(newTitle(tr("Train a neural network")));
  auto* text =
      newCaption(tr("Begin with the sample: real images, a small convolutional network, "
                    "ready to run."));
  text->setWordWrap(true);
  layout->addWidget(text);
  layout->addSpacing(measure::kGap2);
  layout->addWidget(newButton(command::kOpenSample, true));
  layout->addWidget(newButton(command::kOpen, false));
  layout->addWidget(newButton(command::kPalette, false));
  layout->addSpacing(measure::kGap2);
  auto* drop = newCaption(tr("Or drop a project here: its folder, or its project file."));
  drop->setWordWrap(true);
  layout->addWidget(drop);
  layout->addStretch(1);
  return side;
}

QWidget* WelcomeView::newRecents() {
  auto* side = new QWidget;
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(0, measure::kGap3, 0, 0);
  layout->setSpacing(measure::kGap2);
  layout->addWidget(newTitle(tr("Recent projects")));
  list_->setModel(&context_.recents);
  list_->setItemDelegate(new RecentsDelegate(list_));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setMouseTracking(true);
  list_->viewport()->setBackgroundRole(QPalette::Window);  // a list on the page, no box in it
  list_->setUniformItemSizes(true);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  list_->setAccessibleName(tr("Recent projects"));
  list_->setToolTip(tr("A click opens the project"));
  connect(list_, &QListView::clicked, this, &WelcomeView::openRow);
  // Where a click activates by itself, `clicked` has opened it already.
  auto* open = new QAction(tr("Open"), list_);
  open->setShortcuts({QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)});
  open->setShortcutContext(Qt::WidgetShortcut);
  list_->addAction(open);
  connect(open, &QAction::triggered, this, [this] { openRow(list_->currentIndex()); });
  connect(list_, &QWidget::customContextMenuRequested, this, &WelcomeView::showMenu);
  auto* empty = new EmptyState(QStringLiteral("history"), tr("Nothing yet"),
                               tr("Projects that you open are listed here."));
  pages_->addWidget(empty);
  pages_->addWidget(list_);
  layout->addWidget(pages_, 1);
  return side;
}

void WelcomeView::openRow(const QModelIndex& index) {
  if (!index.isValid()) return;
  const QString folder = index.data(RecentProjects::kPathRole).toString();
  if (index.data(RecentProjects::kMissingRole).toBool()) {
    locate(folder);
  } else {
    context_.commands.openProject(folder);
  }
}

void WelcomeView::locate(const QString& folder) {
  FileWish wish;
  wish.kind = FileWish::Kind::OpenFolder;
  wish.title = tr("Where is the project now?");
  wish.folder = QFileInfo(folder).path();
  context_.prompts.pickFile(wish, [view = QPointer<WelcomeView>(this), folder](const QString& now) {
    if (!view || now.isEmpty()) return;
    view->context_.recents.relocate(folder, now);
    view->context_.commands.openProject(now);
  });
}

void WelcomeView::showMenu(const QPoint& place) {
  const QModelIndex index = list_->indexAt(place);
  if (!index.isValid()) return;
  const QString folder = index.data(RecentProjects::kPathRole).toString();
  QMenu menu(this);
  QAction* open = menu.addAction(tr("Open"));
  QAction* find = menu.addAction(tr("Locate …"));
  menu.addSeparator();
  QAction* forget = menu.addAction(tr("Remove from this list"));
  open->setEnabled(!index.data(RecentProjects::kMissingRole).toBool());
  const QAction* chosen = menu.exec(list_->viewport()->mapToGlobal(place));
  if (chosen == open) context_.commands.openProject(folder);
  if (chosen == find) locate(folder);
  if (chosen == forget) context_.recents.remove(folder);
}

void WelcomeView::showState() { pages_->setCurrentIndex(context_.recents.rowCount() > 0 ? 1 : 0); }

void WelcomeView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  context_.recents.refresh();
}

}  // namespace tenon::ui
