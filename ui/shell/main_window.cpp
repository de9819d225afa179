// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of the window.
#include "ui/shell/main_window.h"

#include <QAction>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenuBar>
#include <QMimeData>
#include <QSet>
#include <QSettings>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

#include "ui/settings/settings_dialog.h"
#include "ui/shell/close_guard.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/drop_veil.h"
#include "ui/shell/focus_order.h"
#include "ui/shell/job_bar.h"
#include "ui/shell/menus.h"
#include "ui/shell/mode_bar.h"
#include "ui/shell/mode_stack.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/project_desk.h"
#include "ui/shell/session.h"
#include "ui/shell/session_notices.h"
#include "ui/shell/shortcut_page.h"
#include "ui/shell/top_bar.h"
#include "ui/shell/window_actions.h"
#include "ui/shell/window_place.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kFrameKnownMs = 250;

}  // namespace

MainWindow::MainWindow(const WindowParts& parts)
    : parts_(parts),
      commands_(parts.store),
      prompts_(*this),
      context_{parts.session.document,
               parts.session.check,
               parts.session.run,
               parts.session.requests,
               parts.session.runs,
               parts.session.selection,
               parts.session.navigation,
               prompts_,
               *this,
               parts.session.recents,
               parts.session.settings},
      desk_(new ProjectDesk(parts.session, prompts_, this)),
      guard_(new CloseGuard(parts.session, prompts_, *desk_, *this)) {
  setObjectName(QStringLiteral("mainWindow"));
  setMinimumSize(1024, 640);
  setAcceptDrops(true);
  for (QAction* action : commands_.all()) addAction(action);
  new FocusOrder(this);
  new WindowActions(parts_.session, commands_, *desk_, this);
  build();
  connectFrame();
  connectSession();
  if (!restoreGeometry(parts_.store.value(QStringLiteral("window/geometry")).toByteArray()))
    resize(firstWindowSize(*this, {1280, 800}));
  modeBar_->setProjectOpen(false);
  arrive(parts_.session.navigation.current());
  showTitle();
}

MainWindow::~MainWindow() = default;

void MainWindow::build() {
  QMenuBar* menus = buildMenus(
      commands_,
      {parts_.session.recents, [this](const QString& path) { openProject(path); },
       [this] { return modes_->page() ? modes_->page()->panelActions() : QList<QAction*>(); }},
      this);
  top_ = new TopBar(parts_.session, commands_, menus, this);
  modeBar_ = new ModeBar(commands_, this);
  noticeBar_ = new NoticeBar(this);
  modes_ = new ModeStack(parts_.panels, context_, parts_.store, this);
  veil_ = new DropVeil(*this);
  job_ = new JobBar(parts_.session.run, commands_, this);
  palette_ = new CommandPalette(this);
  sessionNotices_ = new SessionNotices(parts_.session, *noticeBar_, prompts_, *this);

  auto* right = new QVBoxLayout;
  right->setSpacing(0);
  right->addWidget(noticeBar_);
  right->addWidget(modes_, 1);
  auto* middle = new QHBoxLayout;
  middle->setSpacing(0);
  middle->addWidget(modeBar_);
  middle->addLayout(right, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(top_);
  column->addLayout(middle, 1);
  column->addWidget(job_);
}

void MainWindow::connectFrame() {
  const auto on = [this](const char* id, auto act) {
    connect(commands_.action(id), &QAction::triggered, this, act);
  };
  on(command::kQuit, [this] { close(); });
  on(command::kSettings, [this] { showSettings({}); });
  on(command::kShortcuts, [this] { showSettings(tr("Shortcuts")); });
  on(command::kPalette, [this] { openPalette(); });
  on(command::kResetArrangement, [this] {
    if (ModePage* page = modes_->page()) page->resetArrangement();
  });
  on(command::kSwitchTheme, [this] { switchTheme(); });
  on(command::kFullScreen, [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  on(command::kAbout, [this] { showAbout(parts_.session.background, this); });
  on(command::kShowLog, [this] { showLog(parts_.log, this); });
  on(command::kDiagnostics, [this] {
    copyDiagnostics(parts_.session.background, parts_.log, this,
                    [this] { prompts_.notice(tr("Diagnostics copied")); });
  });
}

void MainWindow::connectSession() {
  Session& session = parts_.session;
  connect(&session.navigation, &Navigation::arrived, this, &MainWindow::arrive);
  connect(&session.settings, &UserSettings::changed, this, &MainWindow::applySetting);
  connect(&session.document, &Document::opened, this, [this] {
    modeBar_->setProjectOpen(true);
    // What is selected stays when the same project is read again.
    const QString& folder = parts_.session.document.folder();
    if (std::exchange(folder_, folder) != folder) parts_.session.selection.clear();
    if (parts_.session.navigation.current().mode == Mode::Welcome)
      parts_.session.navigation.clear(Mode::Train);
    showTitle();
  });
  connect(&session.document, &Document::closed, this, [this] {
    modeBar_->setProjectOpen(false);
    folder_.clear();
    parts_.session.navigation.clear(Mode::Welcome);
    showTitle();
  });
  connect(&session.document, &Document::dirtyChanged, this, &MainWindow::showTitle);
  connect(&session.document, &Document::specChanged, this, &MainWindow::showTitle);
  connect(&session.run, &RunController::stateChanged, this, &MainWindow::showBadges);
  connect(&session.check, &LiveCheck::changed, this, &MainWindow::showBadges);
  connect(desk_, &ProjectDesk::openElsewhere, sessionNotices_, &SessionNotices::openElsewhere);
  connect(sessionNotices_, &SessionNotices::reloadWanted, desk_, &ProjectDesk::reload);
  connect(desk_, &ProjectDesk::raiseRequested, guard_, &CloseGuard::raise);
  connect(desk_, &ProjectDesk::sampleOpened, this, [this] {
    parts_.session.navigation.clear(Mode::Train);
    focusRun();
  });
  applySetting(QLatin1String(setting::kTheme));
}

void MainWindow::arrive(const Destination& to) {
  const Mode mode = parts_.session.document.isOpen() ? to.mode : Mode::Welcome;
  modes_->setMode(mode);
  modeBar_->setMode(mode);
  top_->setMode(mode);
  if (!to.panel.isEmpty()) modes_->page()->showPanel(to.panel);
}

void MainWindow::showTitle() {
  const Document& document = parts_.session.document;
  setWindowModified(document.isDirty());
  setWindowTitle(document.isOpen() ? tr("%1[*] – Tenon").arg(document.name())
                                   : QStringLiteral("Tenon"));
  setWindowFilePath(document.folder());
}

/// An error is marked where it is mended.
void MainWindow::showBadges() {
  QSet<Mode> wrong;
  for (const Issue& issue : parts_.session.check.result()->issues)
    if (issue.severity == Severity::Error) wrong.insert(destinationOf(issue).mode);
  for (const Mode mode : {Mode::Data, Mode::Model, Mode::Train}) {
    std::optional<Tint> badge;
    if (wrong.contains(mode)) badge = Tint::Bad;
    if (mode == Mode::Train && parts_.session.run.isLive()) badge = Tint::Accent;
    modeBar_->setBadge(mode, badge);
  }
}

void MainWindow::openProject(const QString& path) { desk_->open(path); }

void MainWindow::focusRun() { top_->focusRun(); }

void MainWindow::showSettings(const QString& page) {
  if (!settings_) {
    const PathPicker picker = [this](const QString& from,
                                     const std::function<void(const QString&)>& then) {
      FileWish wish;
      wish.kind = FileWish::Kind::OpenFolder;
      wish.title = tr("Choose a folder");
      wish.folder = from;
      prompts_.pickFile(wish, [then](const QString& path) {
        if (!path.isEmpty()) then(path);
      });
    };
    settings_ = new SettingsDialog(parts_.session.settings, picker, this);
    settings_->setAttribute(Qt::WA_DeleteOnClose);
    settings_->addPage(tr("Shortcuts"), QStringLiteral("list"),
                       new ShortcutPage({commands_, [this] { return panelKeys(*modes_); },
                                         parts_.store, prompts_}));
  }
  if (!page.isEmpty()) settings_->showPage(page);
  settings_->show();
  settings_->raise();
  settings_->activateWindow();
}

void MainWindow::applySetting(const QString& key) {
  if (key != QLatin1String(setting::kTheme)) return;
  const QString theme = parts_.session.settings.text(key);
  parts_.theme.setChoice(theme == QLatin1String("dark")    ? ThemeController::Choice::Dark
                         : theme == QLatin1String("light") ? ThemeController::Choice::Light
                                                           : ThemeController::Choice::System);
}

void MainWindow::switchTheme() {
  parts_.session.settings.set(QLatin1String(setting::kTheme),
                              std::string(currentTheme().isDark() ? "light" : "dark"));
}

void MainWindow::openPalette() {
  QList<QAction*> all = commands_.all();
  all.removeOne(commands_.action(command::kPalette));
  if (const ModePage* page = modes_->page()) all += page->panelActions();
  palette_->open(all);
}

void MainWindow::save() {
  parts_.store.setValue(QStringLiteral("window/geometry"), saveGeometry());
  parts_.store.setValue(QStringLiteral("window/mode"), static_cast<int>(modes_->mode()));
  modes_->save();
}

void MainWindow::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (std::exchange(placed_, true)) return;
  // The window manager tells the size of its frame some time after the window is shown.
  QTimer::singleShot(kFrameKnownMs, this, [this] { keepOnScreen(*this); });
}

/// What has a use of its own for the key takes it before it comes here.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  const bool closes = event->key() == Qt::Key_Escape && noticeBar_->dismissNewest();
  if (!closes) QWidget::keyPressEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (guard_->mayClose()) {
    save();
    event->accept();
  } else {
    event->ignore();
  }
}

// Files are taken up even if they cannot be opened: only then is it heard that they leave again.
void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (veil_->begin(*event->mimeData())) event->acceptProposedAction();
}

void MainWindow::dragMoveEvent(QDragMoveEvent* event) {
  event->setDropAction(veil_->project().isEmpty() ? Qt::IgnoreAction : event->proposedAction());
  event->setAccepted(!veil_->project().isEmpty());
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) { veil_->end(); }

void MainWindow::dropEvent(QDropEvent* event) {
  veil_->end();
  if (veil_->project().isEmpty()) return;
  event->acceptProposedAction();
  openProject(QString(veil_->project()));
}

}  // namespace tenon::ui
