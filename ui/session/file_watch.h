// SPDX-License-Identifier: GPL-3.0-or-later
// FileWatch: says when a file may have changed, also when it is replaced by renaming.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

namespace tenon::ui {

/// touched() comes 200 ms after the last change, once for many.
class FileWatch final : public QObject {
  Q_OBJECT
 public:
  explicit FileWatch(QObject* parent = nullptr);
  /// Watches this file instead; empty: none.
  void watch(const QString& file);

 Q_SIGNALS:
  void touched();

 private:
  void add();

  QFileSystemWatcher watcher_;
  QTimer rest_;
  QString file_;
};

}  // namespace tenon::ui
