// SPDX-License-Identifier: GPL-3.0-or-later
// Devices of the registry as plain values.
#include "ui/session/device_list.h"

#include <QCoreApplication>

#include "engine/backend/registry/devices.h"

namespace tenon::ui {

QList<DeviceEntry> deviceList() {
  QList<DeviceEntry> all;
  for (const backend::DeviceInfo& device : backend::devices()) {
    const QString id =
        device.kind == 0 ? QStringLiteral("cpu") : QStringLiteral("cuda:%1").arg(device.index);
    all.append({id,
                QString::fromStdString(device.name),
                QString::fromStdString(device.description),
                {},
                device.totalBytes});
  }
  for (const backend::KindStatus& kind : backend::deviceKinds())
    if (!kind.available)
      all.append(
          {QString::fromStdString(kind.kind), {}, {}, QString::fromStdString(kind.reason), 0});
  return all;
}

QList<EditorChoice> deviceChoices(const QList<DeviceEntry>& devices) {
  QList<EditorChoice> choices;
  for (const DeviceEntry& device : devices) {
    if (!device.refusal.isEmpty()) continue;
    const bool cpu = device.id == QLatin1String("cpu");
    choices.append({device.id, cpu ? QCoreApplication::translate("Devices", "CPU")
                                   : QStringLiteral("%1, %2").arg(device.id, device.name)});
  }
  return choices;
}

}  // namespace tenon::ui
