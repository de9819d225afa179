// SPDX-License-Identifier: Apache-2.0
// Settings of a project by path: set one, compare two projects, and the form in which a run keeps
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/export.h"
#include "engine/project/catalog.h"
#include "engine/project/specs.h"

namespace tenon {

struct SetResult {
  ProjectSpec project;  ///< changed, or as it was if there are errors
  Issues issues;        ///< codes settings.unknown-path, schema.*, project.*
  bool ok() const { return !hasErrors(issues); }
};

/// Changes one setting: "train.epochs", "train.optimizer.lr", "graph.nodes.conv1.padding",
/// "data.transforms.0.mean". The text is read as the schema wants it ("0.01", "true", "3,3"). With
/// a catalog a parameter that the file leaves at its default can be set too, and a new `type` drops
/// the parameters it does not have.
TENON_API SetResult setByPath(const ProjectSpec& project, std::string_view path,
                              std::string_view text, const Catalog* catalog = nullptr);

/// Everything that influences a run as one JSON object (no name, no layout).
TENON_API Json settingsJson(const ProjectSpec& project);
/// As above with every default of every part filled in, so that the record outlives a changed
/// default.
TENON_API Json settingsJson(const ProjectSpec& project, const Catalog& catalog);
/// 16 hexadecimal digits over the settings; equal settings give equal text on every machine.
TENON_API std::string runHash(const ProjectSpec& project);

/// One setting that differs; an empty text means that the side does not have it. A feature of
/// training (trainFeatureSchema()) that a side does not name has its default there.
struct SettingChange {
  std::string path;
  std::string before;
  std::string after;
  friend bool operator==(const SettingChange&, const SettingChange&) = default;
};
/// Settings that differ, in the order of the file; nodes are matched by id. Name and layout do not
/// count.
TENON_API std::vector<SettingChange> diffSpecs(const ProjectSpec& before, const ProjectSpec& after);
/// The same for the settings that two runs kept.
TENON_API std::vector<SettingChange> diffSettings(const Json& before, const Json& after);

}  // namespace tenon
