// SPDX-License-Identifier: Apache-2.0
// Every part of a project against the definitions that exist.
#include "engine/project/catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/issues.h"
#include "engine/project/paths.h"
#include "engine/schema/suggest.h"
#include "engine/schema/validate.h"

namespace tenon {
namespace {

class PartChecker {
 public:
  explicit PartChecker(const Catalog& catalog) : catalog_(catalog) {}

  void check(PartKind kind, const std::string& type, const ParamMap& params, const Place& at) {
    if (type.empty()) {
      add("parts.none", TENON_TEXT("no {0} is chosen"), {std::string(partKindText(kind))}, at);
      return;
    }
    const ParamSchema* schema = catalog_.schema(kind, type);
    if (schema == nullptr) {
      unknownType(kind, type, at);
      return;
    }
    for (Issue& issue : validate(*schema, params, at)) issues_.push_back(std::move(issue));
    checkPaths(kind, *schema, params, at);
  }

  void check(PartKind kind, const PartSpec& part, const std::string& field) {
    Place at;
    at.field = field;
    check(kind, part.type, part.params, at);
  }

  /// The nodes of a graph, and of the graphs inside of them.
  /// @param around place of the node that holds the graph, its field ending with the slot; empty
  /// for the model
  void check(const GraphSpec& graph, const Place& around) {
    for (const auto& node : graph.nodes) {
      Place at = around;
      if (around.node.empty()) {
        at.node = node->id;
      } else {
        at.field += ".nodes." + node->id;
      }
      check(PartKind::Layer, node->type, node->params, at);
      const std::string prefix = at.field.empty() ? "" : at.field + ".";
      if (catalog_.schema(PartKind::Layer, node->type) != nullptr)
        for (Issue& issue : checkSlots(*node, catalog_.slots(node->type))) {
          issue.place.node = at.node;
          issue.place.field = prefix + issue.place.field;
          issues_.push_back(std::move(issue));
        }
      for (const auto& [slot, inner] : node->graphs) {
        Place in = at;
        in.field = prefix;
        in.field.append("graphs.").append(slot);
        check(*inner, in);
      }
    }
  }

  Issues take() { return std::move(issues_); }

 private:
  void add(const char* code, const char* text, std::vector<std::string> args, Place at) {
    issues_.push_back({Severity::Error, code, text, std::move(args), std::move(at)});
  }

  void unknownType(PartKind kind, const std::string& type, Place at) {
    at.field += at.field.empty() ? "type" : ".type";
    std::string kindName(partKindText(kind));
    std::vector<std::string> types = catalog_.types(kind);
    std::string nearest = nearestName(type, types);
    if (!nearest.empty()) {
      add("parts.unknown-type", TENON_TEXT("unknown {0} '{1}'; did you mean '{2}'?"),
          {kindName, type, nearest}, at);
    } else {
      add("parts.unknown-type", TENON_TEXT("unknown {0} '{1}'; known are {2}"),
          {kindName, type, fmt::format("{}", fmt::join(types, ", "))}, at);
    }
  }

  void checkPaths(PartKind kind, const ParamSchema& schema, const ParamMap& params,
                  const Place& at) {
    for (const ParamSpec& spec : schema) {
      const ParamValue* value = params.find(spec.name);
      if (spec.type != ParamType::Path || value == nullptr) continue;
      const auto* path = std::get_if<std::string>(value);
      if (path == nullptr || (path->empty() && !spec.required)) continue;
      std::string fault = pathFault(*path, kind == PartKind::Reader);
      if (fault.empty()) continue;
      Place place = at;
      place.field += (at.field.empty() ? "" : ".") + spec.name;
      add("parts.path", TENON_TEXT("the path '{0}' is refused: {1}"), {*path, fault}, place);
    }
  }

  const Catalog& catalog_;
  Issues issues_;
};

}  // namespace

Catalog::~Catalog() = default;
GraphSlots Catalog::slots(std::string_view) const { return {}; }

Issues checkSlots(const NodeSpec& node, const GraphSlots& slots) {
  Issues issues;
  std::vector<std::string> names;
  names.reserve(slots.size());
  for (const GraphSlot& slot : slots) {
    names.push_back(slot.name);
    if (!slot.required || node.graphs.contains(slot.name)) continue;
    issues.push_back(fieldIssue("graph.missing-slot", TENON_TEXT("wants a graph '{0}': {1}"),
                                {slot.name, slot.help}, "graphs"));
  }
  for (const auto& [name, graph] : node.graphs) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    issues.push_back(fieldIssue(
        "graph.unknown-slot",
        names.empty() ? TENON_TEXT("a layer '{1}' has no graphs inside; got '{0}'")
                      : TENON_TEXT("a layer '{1}' has no graph '{0}' inside; it takes {2}"),
        {name, node.type, fmt::format("{}", fmt::join(names, ", "))}, "graphs." + name));
  }
  return issues;
}

std::string_view partKindText(PartKind kind) noexcept {
  switch (kind) {
    case PartKind::Layer:
      return TENON_TEXT("layer");
    case PartKind::Reader:
      return TENON_TEXT("reader");
    case PartKind::Transform:
      return TENON_TEXT("transform");
    case PartKind::Optimizer:
      return TENON_TEXT("optimizer");
    case PartKind::Schedule:
      return TENON_TEXT("schedule");
    case PartKind::Loss:
      return TENON_TEXT("loss");
    case PartKind::Metric:
      return TENON_TEXT("metric");
  }
  return "";
}

Issues checkParts(const ProjectSpec& project, const Catalog& catalog) {
  PartChecker checker(catalog);
  const DataSpec& data = *project.data;
  checker.check(PartKind::Reader, data.reader, "data.reader");
  if (data.split.kind == SplitSpec::Kind::Files)
    checker.check(PartKind::Reader, data.split.reader, "data.split.reader");
  for (size_t i = 0; i < data.transforms.size(); ++i)
    checker.check(PartKind::Transform, data.transforms[i], "data.transforms." + std::to_string(i));
  checker.check(*project.graph, Place());
  const TrainSpec& train = *project.train;
  checker.check(PartKind::Loss, train.loss, "train.loss");
  checker.check(PartKind::Optimizer, train.optimizer, "train.optimizer");
  checker.check(PartKind::Schedule, train.schedule, "train.schedule");
  for (size_t i = 0; i < train.metrics.size(); ++i)
    checker.check(PartKind::Metric, train.metrics[i], "train.metrics." + std::to_string(i));
  return checker.take();
}

}  // namespace tenon
