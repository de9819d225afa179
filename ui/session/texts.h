// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of the engine in the language in force: the template is translated, then filled in.
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/store/events.h"

namespace tenon::ui {

/// A template marked TENON_TEXT with {0}, {1}, ... filled in.
[[nodiscard]] QString engineText(const std::string& text,
                                 const std::vector<std::string>& args = {});
[[nodiscard]] QString issueMessage(const Issue& issue);
/// "Layer conv1, padding", "project.tenon, line 12", ...; empty if the issue has no place.
[[nodiscard]] QString issuePlace(const Issue& issue);
[[nodiscard]] QString eventMessage(const Event& event);
/// Help or label of a schema.
[[nodiscard]] inline QString schemaText(const std::string& text) { return engineText(text); }

}  // namespace tenon::ui
