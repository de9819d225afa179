// SPDX-License-Identifier: GPL-3.0-or-later
// Answers travel through a mailbox that lives on the GUI thread.
#include "ui/session/background.h"

#include <exception>

#include "engine/base/error.h"

namespace tenon::ui {

QString currentExceptionText() noexcept {
  try {
    throw;
  } catch (const std::exception& error) {
    return QString::fromUtf8(error.what());
  } catch (...) {
    return QStringLiteral("unknown error");
  }
}

void Background::deliver(std::function<void()> task) {
  QMetaObject::invokeMethod(&mailbox_, std::move(task), Qt::QueuedConnection);
}

}  // namespace tenon::ui
