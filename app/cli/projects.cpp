// SPDX-License-Identifier: Apache-2.0
// Opening projects and runs named on the command line, and what errors exit with.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/cli/cli.h"
#include "app/cli/output.h"
#include "engine/base/file.h"
#include "engine/project/paths.h"
#include "engine/project/setting_path.h"
#include "engine/project/settings.h"
#include "engine/store/runs.h"
#include "engine/store/store.h"
#include "engine/train/engine_catalog.h"
#include "engine/train/run_setup.h"

namespace tenon::cli {

int exitCodeOf(Code code) {
  switch (code) {
    case Code::Usage:
      return kUsage;
    case Code::Device:
    case Code::Memory:
      return kDevice;
    case Code::Stopped:
      return kStopped;
    case Code::Internal:
      return kInternal;
    default:
      return kInput;
  }
}

OpenedProject openProject(const std::string& path) {
  OpenedProject out;
  out.file = projectFileOf(path);
  out.folder = projectFolderOf(path);
  ReadResult read = readProject(out.file);
  throwIfErrors(read.issues);
  for (const Issue& issue : read.issues) complain("warning: {}\n", issueLine(issue));
  out.project = std::move(read.project);
  out.positions = std::move(read.positions);
  return out;
}

Setting readSetting(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos)
    throw Error(Code::Usage, "--set wants path=value, got '" + text + "'");
  return {text.substr(0, equals), text.substr(equals + 1), "--set " + text};
}

ProjectSpec applySettings(const ProjectSpec& project, const std::vector<Setting>& settings) {
  ProjectSpec out = project;
  for (const Setting& setting : settings) {
    SetResult changed = setByPath(out, setting.path, setting.value, &engineCatalog());
    for (Issue& issue : changed.issues) setOrigin(issue, setting.written);
    throwIfErrors(changed.issues, Code::Usage);
    out = std::move(changed.project);
  }
  return out;
}

void refuseWithPlaces(const OpenedProject& opened, const ProjectSpec& used,
                      const std::vector<Setting>& settings, int64_t run) {
  Issues issues = checkProject(used, opened.folder);
  if (!hasErrors(issues)) return;
  for (Issue& issue : issues) {
    const auto isIts = [path = pathOf(issue.place)](const Setting& setting) {
      return sameSetting(setting.path, path);
    };
    const auto setting =
        std::find_if(settings.rbegin(), settings.rend(), isIts);  // the last counts
    if (setting != settings.rend()) {
      setOrigin(issue, setting->written);
    } else if (run != 0) {
      setOrigin(issue, fmt::format("settings of run {}", run));
    } else {
      locateIssue(issue, opened.positions, opened.file);
    }
  }
  throwIfErrors(issues, codeOfIssues(issues));
}

std::shared_ptr<Store> storeToRead(const std::string& folder) {
  if (!pathExists(folder + "/tenon.sqlite")) return nullptr;
  return Store::open(folder, OpenMode::ReadOnly);
}

int64_t runNumber(const std::string& text, const std::string& folder) {
  int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed == std::errc() && end == text.data() + text.size() && number > 0) return number;
  if (text != "last")
    throw Error(Code::Usage, "a run is a number above 0 or 'last', got '" + text + "'");
  const std::shared_ptr<Store> store = storeToRead(folder);
  const std::vector<RunInfo> runs = store ? store->runs().list(1) : std::vector<RunInfo>();
  if (runs.empty()) throw Error(Code::Input, "the project has no runs yet");
  return runs.front().id;
}

}  // namespace tenon::cli
