// SPDX-License-Identifier: Apache-2.0
// What the project room needs to know of definitions that live in rooms above it: their names and
// schemas.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/export.h"
#include "engine/project/specs.h"
#include "engine/schema/graph_slot.h"

namespace tenon {

enum class PartKind { Layer, Reader, Transform, Optimizer, Schedule, Loss, Metric };

/// "layer", "reader", ...
TENON_API std::string_view partKindText(PartKind kind) noexcept;

/// The registries of all rooms, seen from below.
class TENON_API Catalog {
 public:
  virtual ~Catalog();
  /// The parameters of a definition, or null if there is no such one.
  virtual const ParamSchema* schema(PartKind kind, std::string_view type) const = 0;
  /// The ids of all definitions of a kind.
  virtual std::vector<std::string> types(PartKind kind) const = 0;
  /// Where the layer takes graphs inside of itself; empty for an unknown one.
  virtual GraphSlots slots(std::string_view layer) const;
};

/// Required slots of a node without a graph, and graphs for which the layer has no slot: codes
/// graph.missing-slot and graph.unknown-slot. Fields are paths within the node, "graphs.body".
TENON_API Issues checkSlots(const NodeSpec& node, const GraphSlots& slots);

/// Checks every part and node of a project against the catalog: unknown type (with the nearest
/// one), parameters, and paths that leave the project's folder. Fields are full paths such as
/// "train.optimizer.lr"; issues of a graph node also name the node. Use locateIssues() to add
/// lines.
TENON_API Issues checkParts(const ProjectSpec& project, const Catalog& catalog);

}  // namespace tenon
