// SPDX-License-Identifier: Apache-2.0
// All settings of a project that can be set by path, each with where it lives and what it accepts.
// Inside this room only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/project/catalog.h"
#include "engine/schema/json.h"

namespace tenon {

/// One setting: a member of an object of the project's tree (which it may not have yet).
struct Slot {
  std::string path;
  Json* object = nullptr;
  std::string key;
  ParamSpec spec;
  std::optional<PartKind> typeOf;  ///< set if this is the `type` of such a part
};

/// The settings of a tree made by projectJson(). Pointers lead into `root`.
std::vector<Slot> settingSlots(Json& root, const Catalog* catalog);

}  // namespace tenon
