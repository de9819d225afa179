// SPDX-License-Identifier: GPL-3.0-or-later
// SingleInstance: one window a project. A second start raises the first.
#pragma once

#include <QLocalServer>
#include <QObject>
#include <QString>

namespace tenon::ui {

class SingleInstance final : public QObject {
  Q_OBJECT
 public:
  explicit SingleInstance(QObject* parent = nullptr);

  /// Makes this process the one of the project in `folder` and gives up an earlier claim. False if
  /// another process has it; that one was asked to raise its window.
  [[nodiscard]] bool claim(const QString& folder);
  void release();
  /// Name of the local socket of a project: by its real path and the user.
  [[nodiscard]] static QString socketName(const QString& folder);

 Q_SIGNALS:
  /// Another start wants this window.
  void raiseRequested();

 private:
  QLocalServer server_;
};

}  // namespace tenon::ui
