// SPDX-License-Identifier: GPL-3.0-or-later
// Termination: SIGTERM, SIGINT and SIGHUP as a Qt signal.
#pragma once

#include <QObject>
#include <QSocketNotifier>

namespace tenon {

/// One per process.
class Termination final : public QObject {
  Q_OBJECT
 public:
  explicit Termination(QObject* parent = nullptr);
  ~Termination() override;

 Q_SIGNALS:
  void requested();

 private:
  QSocketNotifier* notifier_ = nullptr;
};

}  // namespace tenon
