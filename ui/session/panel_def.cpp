// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of panel definitions in the language in force.
#include "ui/session/panel_def.h"

#include <QCoreApplication>

namespace tenon::ui {

QString panelTitle(const PanelDef& panel) {
  return QCoreApplication::translate("Panel", panel.title);
}

QString panelDescription(const PanelDef& panel) {
  return QCoreApplication::translate("Panel", panel.description);
}

}  // namespace tenon::ui
