// SPDX-License-Identifier: GPL-3.0-or-later
// A message box of its own, since no window is there to lie over.
#include "ui/shell/start_refusal.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <cstdio>

#include "engine/base/environment.h"
#include "engine/base/error.h"

namespace tenon::ui {
namespace {

constexpr int kUsage = 2;

}  // namespace

QString badEnvironment() {
  try {
    refuseBadEnvironment();
  } catch (const Error& error) {
    return QString::fromStdString(error.what());
  }
  return {};
}

int refuseStart(const QString& reason) {
  std::fprintf(stderr, "tenon: %s\n", qUtf8Printable(reason));
  QMessageBox box;
  box.setIcon(QMessageBox::Critical);
  box.setWindowTitle(QCoreApplication::translate("StartRefusal", "Tenon cannot start"));
  box.setText(QStringLiteral("<b>%1</b>").arg(box.windowTitle().toHtmlEscaped()));
  box.setInformativeText(
      QCoreApplication::translate("StartRefusal",
                                  "%1.\nChange or unset the variable and start Tenon again.")
          .arg(reason));
  box.addButton(QMessageBox::Close);
  box.exec();
  return kUsage;
}

}  // namespace tenon::ui
