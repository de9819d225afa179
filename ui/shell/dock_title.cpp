// SPDX-License-Identifier: GPL-3.0-or-later
// The title bar of a dock.
#include "ui/shell/dock_title.h"

#include <QAction>
#include <QActionEvent>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

DockTitle::DockTitle(QDockWidget& dock, QWidget& panel)
    : QWidget(&dock),
      dock_(dock),
      panel_(panel),
      row_(new QHBoxLayout(this)),
      actions_(new QHBoxLayout),
      title_(new ElidedLabel(dock.windowTitle(), this)) {
  row_->setContentsMargins(measure::kGap2, 0, 2, 0);
  row_->setSpacing(0);
  title_->setFont(textFont(TextSize::Small, true));
  title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  row_->addWidget(title_, 1);
  actions_->setSpacing(0);
  row_->addLayout(actions_);
  float_ = addButton(QStringLiteral("float"), tr("Float or dock %1").arg(dock.windowTitle()));
  close_ = addButton(QStringLiteral("close"), tr("Hide %1").arg(dock.windowTitle()));
  connect(float_, &QToolButton::clicked, this, [this] { dock_.setFloating(!dock_.isFloating()); });
  connect(close_, &QToolButton::clicked, &dock_, &QDockWidget::close);
  connect(&dock_, &QDockWidget::windowTitleChanged, title_, &ElidedLabel::setText);
  connect(&dock_, &QDockWidget::visibilityChanged, this, &DockTitle::updateTabbed);
  connect(&dock_, &QDockWidget::topLevelChanged, this, &DockTitle::updateTabbed);
  connect(&dock_, &QDockWidget::dockLocationChanged, this, &DockTitle::updateTabbed);
  panel_.installEventFilter(this);
  addPanelActions();
}

QToolButton* DockTitle::addButton(const QString& iconName, const QString& text) {
  auto* button = new QToolButton(this);
  button->setIcon(icon(iconName, Tint::Secondary));
  button->setIconSize({measure::kIconSmall, measure::kIconSmall});
  button->setAutoRaise(true);
  button->setFixedSize(24, 24);
  button->setFocusPolicy(Qt::NoFocus);  // the View menu does the same with keys
  button->setToolTip(text);
  button->setAccessibleName(text);
  row_->addWidget(button);
  return button;
}

void DockTitle::addPanelActions() {
  while (QLayoutItem* item = actions_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  for (QAction* action : panel_.actions()) {
    if (action->icon().isNull() || action->isSeparator()) continue;
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setIconSize({measure::kIconSmall, measure::kIconSmall});
    button->setAutoRaise(true);
    button->setFixedSize(24, 24);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(action->text().remove(u'&'));
    if (action->menu()) button->setPopupMode(QToolButton::InstantPopup);
    actions_->addWidget(button);
  }
  updateGeometry();
}

bool DockTitle::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &panel_ &&
      (event->type() == QEvent::ActionAdded || event->type() == QEvent::ActionRemoved))
    QMetaObject::invokeMethod(this, &DockTitle::addPanelActions, Qt::QueuedConnection);
  return QWidget::eventFilter(watched, event);
}

void DockTitle::updateTabbed() {
  const auto* window = qobject_cast<QMainWindow*>(dock_.parentWidget());
  const bool tabbed =
      window && !dock_.isFloating() && !window->tabifiedDockWidgets(&dock_).isEmpty();
  tabbed_ = tabbed;
  title_->setVisible(!tabbed || actions_->count() > 0);
  title_->setText(tabbed ? QString() : dock_.windowTitle());
  float_->setVisible(!tabbed || actions_->count() > 0);
  close_->setVisible(!tabbed || actions_->count() > 0);
  updateGeometry();
  update();
}

QSize DockTitle::sizeHint() const {
  const bool flat = tabbed_ && actions_->count() == 0;
  return {120, flat ? 0 : measure::kButton};
}

QSize DockTitle::minimumSizeHint() const { return {48, sizeHint().height()}; }

void DockTitle::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  const QList<QAction*> own = panel_.actions();
  menu.addActions(own);
  if (!own.isEmpty()) menu.addSeparator();
  QAction* floats = menu.addAction(dock_.isFloating() ? tr("Dock") : tr("Float"));
  connect(floats, &QAction::triggered, &dock_, [this] { dock_.setFloating(!dock_.isFloating()); });
  QAction* hides = menu.addAction(tr("Hide"));
  connect(hides, &QAction::triggered, &dock_, &QDockWidget::close);
  menu.exec(event->globalPos());
}

void DockTitle::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), currentTheme().surface);
  painter.fillRect(QRect(0, height() - 1, width(), 1), currentTheme().hairline);
}

}  // namespace tenon::ui
