// SPDX-License-Identifier: Apache-2.0
// Steps from each released version of the project format to the next. A step is never changed once
// it was released.
#include <fmt/format.h>

#include "engine/project/project_file.h"

namespace tenon {

std::span<const Migration> projectMigrations() {
  // Version 1 is the first. The step to version 2 will be {1, [](Json& root) { ... }}.
  return {};
}

void migrateProject(Json& root, int version, std::span<const Migration> steps, int target) {
  for (; version < target; ++version) {
    const Migration* step = nullptr;
    for (const Migration& candidate : steps)
      if (candidate.from == version) step = &candidate;
    if (step == nullptr)
      throw Error(Code::Internal,
                  fmt::format("no migration from project format {} to {}", version, version + 1));
    step->apply(root);
  }
  JsonPos pos;
  if (const Json* old = root.find("format_version")) pos = old->pos;
  root.set("format_version", version);
  root.find("format_version")->pos = pos;
}

}  // namespace tenon
