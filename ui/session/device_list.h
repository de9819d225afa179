// SPDX-License-Identifier: GPL-3.0-or-later
// The devices a training can use, as the window shows them.
#pragma once

#include <QList>
#include <QString>

#include "ui/properties/param_editor.h"

namespace tenon::ui {

struct DeviceEntry {
  QString id;           ///< as in the project file: "cpu", "cuda:0"
  QString name;         ///< "AMD EPYC ..."
  QString description;  ///< instruction level, threads
  QString refusal;      ///< why it cannot be used; empty if it can
  quint64 totalBytes = 0;
};

/// Usable devices first, then the kinds that are refused with their reason. May take a while the
/// first time (drivers are opened): call it on a background thread. @thread any
[[nodiscard]] QList<DeviceEntry> deviceList();

/// The usable ones of a list, to be chosen from.
[[nodiscard]] QList<EditorChoice> deviceChoices(const QList<DeviceEntry>& devices);

}  // namespace tenon::ui
