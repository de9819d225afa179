// SPDX-License-Identifier: GPL-3.0-or-later
// What a person may choose from for the parts of a training, as choices of a form.
#pragma once

#include <QList>

#include "ui/properties/part_form.h"

namespace tenon::ui {

[[nodiscard]] QList<PartChoice> lossChoices();
[[nodiscard]] QList<PartChoice> optimizerChoices();
[[nodiscard]] QList<PartChoice> scheduleChoices();
/// A switch for each metric, named as in the project.
[[nodiscard]] ParamSchema metricSwitches();

}  // namespace tenon::ui
