// SPDX-License-Identifier: GPL-3.0-or-later
// From a parameter to what a number field accepts. Inside this room only.
#pragma once

#include "engine/schema/param_schema.h"
#include "ui/widgets/number_field.h"

namespace tenon::ui {

/// Without a default: the form shows what differs, the same way for every kind of editor.
[[nodiscard]] NumberSpec numberSpecOf(const ParamSpec& spec);
[[nodiscard]] double numberOf(const ParamValue& value);
[[nodiscard]] ParamValue valueOf(double number, const NumberSpec& spec);

}  // namespace tenon::ui
