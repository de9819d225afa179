// SPDX-License-Identifier: GPL-3.0-or-later
// Watches the file and its folder: an atomic save gives the file a new inode, which only the folder
// shows.
#include "ui/session/file_watch.h"

#include <QFileInfo>

namespace tenon::ui {

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
  rest_.setSingleShot(true);
  rest_.setInterval(200);
  connect(&rest_, &QTimer::timeout, this, [this] {
    add();
    Q_EMIT touched();
  });
  const auto restart = [this] { rest_.start(); };
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, restart);
  // The journals of the databases beside it come and go too; whoever listens compares contents.
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, restart);
}

void FileWatch::watch(const QString& file) {
  if (!watcher_.files().isEmpty()) watcher_.removePaths(watcher_.files());
  if (!watcher_.directories().isEmpty()) watcher_.removePaths(watcher_.directories());
  rest_.stop();
  file_ = file;
  if (!file_.isEmpty()) {
    watcher_.addPath(QFileInfo(file_).absolutePath());
    add();
  }
}

void FileWatch::add() {
  if (QFileInfo::exists(file_) && !watcher_.files().contains(file_)) watcher_.addPath(file_);
}

}  // namespace tenon::ui
