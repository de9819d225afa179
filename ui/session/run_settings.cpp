// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of runs, brought to what is known today.
#include "ui/session/run_settings.h"

#include "engine/base/error.h"
#include "engine/schema/json.h"
#include "engine/train/resume.h"

namespace tenon::ui {

std::string settingsToday(const RunInfo& run) {
  try {
    return writeJson(settingsOfToday(run), JsonStyle::OneLine);
  } catch (const Error&) {
    return run.settings;
  }
}

}  // namespace tenon::ui
