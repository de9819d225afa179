// SPDX-License-Identifier: Apache-2.0
// Setting one value by its path, and the settings a run keeps.
#include "engine/project/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/hash.h"
#include "engine/project/project_json.h"
#include "engine/project/setting_path.h"
#include "engine/project/slots.h"
#include "engine/schema/suggest.h"
#include "engine/schema/validate.h"

namespace tenon {
namespace {

Issue unknownPath(const std::string& path, const std::vector<Slot>& slots) {
  std::vector<std::string> paths;
  paths.reserve(slots.size());
  for (const Slot& slot : slots) paths.push_back(slot.path);
  // A wrong last name is looked for among its neighbours first.
  std::string parent = path.substr(0, path.rfind('.') + 1);
  std::vector<std::string> neighbours;
  for (const std::string& candidate : paths)
    if (candidate.starts_with(parent) && candidate.find('.', parent.size()) == std::string::npos)
      neighbours.push_back(candidate);
  if (parent.empty() || neighbours.empty()) neighbours = paths;
  Issue issue{Severity::Error,
              "settings.unknown-path",
              TENON_TEXT("there is no setting '{0}'; near it are {1}"),
              {path, fmt::format("{}", fmt::join(nearestNames(path, neighbours), ", "))},
              {}};
  issue.place.field = path;
  return issue;
}

/// What is wrong with a new type of a part; none if the catalog knows it.
std::optional<Issue> unknownType(const Slot& slot, const std::string& type,
                                 const Catalog& catalog) {
  if (catalog.schema(*slot.typeOf, type) != nullptr) return std::nullopt;
  Issue issue{Severity::Error,
              "parts.unknown-type",
              TENON_TEXT("unknown {0} '{1}'; known are {2}"),
              {std::string(partKindText(*slot.typeOf)), type,
               fmt::format("{}", fmt::join(catalog.types(*slot.typeOf), ", "))},
              {}};
  issue.place.field = slot.path;
  return issue;
}

/// Drops the parameters that the new type does not have.
void dropForeignParams(Json& part, const ParamSchema& schema) {
  std::erase_if(part.members(), [&schema](const JsonMember& member) {
    const bool ofNode = member.key == "id" || member.key == "precision" || member.key == "graphs";
    return member.key != "type" && !ofNode && schema.find(member.key) == nullptr;
  });
}

/// A float typed as a whole number stays one in the file: "3" gives 3, as in the rest of a file
/// without schema.
Json jsonOf(const Slot& slot, const ParamValue& value) {
  const auto* real = std::get_if<double>(&value);
  const Json* held = slot.object->find(slot.key);
  bool wasInt = held != nullptr && held->isInt();
  if (real != nullptr && wasInt && static_cast<double>(static_cast<int64_t>(*real)) == *real)
    return Json(static_cast<int64_t>(*real));
  return toJson(value);
}

ParamMap completed(const ParamMap& params, const ParamSchema* schema) {
  if (schema == nullptr || hasErrors(validate(*schema, params))) return params;
  return completeParams(*schema, params);
}

PartSpec completed(const PartSpec& part, PartKind kind, const Catalog& catalog) {
  return {part.type, completed(part.params, catalog.schema(kind, part.type))};
}

GraphSpec completed(GraphSpec graph, const Catalog& catalog) {
  for (auto& node : graph.nodes) {
    NodeSpec full = *node;
    full.params = completed(full.params, catalog.schema(PartKind::Layer, full.type));
    for (auto& [slot, inner] : full.graphs)
      inner = std::make_shared<const GraphSpec>(completed(*inner, catalog));
    node = std::make_shared<const NodeSpec>(std::move(full));
  }
  return graph;
}

}  // namespace

SetResult setByPath(const ProjectSpec& project, std::string_view path, std::string_view text,
                    const Catalog* catalog) {
  SetResult result{project, {}};
  Json root = projectJson(project);
  std::vector<Slot> slots = settingSlots(root, catalog);
  std::string wanted = normalPath(path);
  auto isWanted = [&wanted](const Slot& slot) {
    return slot.path == wanted || (slot.typeOf && slot.path == wanted + ".type");
  };
  auto slot = std::find_if(slots.begin(), slots.end(), isWanted);
  if (slot == slots.end()) {
    result.issues.push_back(unknownPath(wanted, slots));
    return result;
  }
  ParamCheck check = parseParam(slot->spec, text);
  if (!check.issue && slot->typeOf && catalog != nullptr)
    check.issue = unknownType(*slot, std::get<std::string>(*check.value), *catalog);
  if (check.issue) {
    check.issue->place.field = slot->path;
    result.issues.push_back(*std::move(check.issue));
    return result;
  }
  slot->object->set(slot->key, jsonOf(*slot, *check.value));
  if (slot->typeOf && catalog != nullptr)
    dropForeignParams(*slot->object,
                      *catalog->schema(*slot->typeOf, std::get<std::string>(*check.value)));
  ReadResult read = projectFromJson(root, "");
  std::erase_if(read.issues, [](const Issue& issue) { return issue.severity != Severity::Error; });
  result.issues = std::move(read.issues);
  if (result.ok()) result.project = std::move(read.project);
  return result;
}

Json settingsJson(const ProjectSpec& project) {
  Json out = Json::object();
  out.set("data", dataJson(*project.data));
  out.set("graph", graphJson(*project.graph));
  out.set("train", trainJson(*project.train));
  return out;
}

Json settingsJson(const ProjectSpec& project, const Catalog& catalog) {
  DataSpec data = *project.data;
  data.reader = completed(data.reader, PartKind::Reader, catalog);
  data.split.reader = completed(data.split.reader, PartKind::Reader, catalog);
  for (PartSpec& part : data.transforms) part = completed(part, PartKind::Transform, catalog);
  TrainSpec train = *project.train;
  train.loss = completed(train.loss, PartKind::Loss, catalog);
  train.optimizer = completed(train.optimizer, PartKind::Optimizer, catalog);
  train.schedule = completed(train.schedule, PartKind::Schedule, catalog);
  for (PartSpec& part : train.metrics) part = completed(part, PartKind::Metric, catalog);
  Json out = Json::object();
  out.set("data", dataJson(data));
  out.set("graph", graphJson(completed(*project.graph, catalog)));
  out.set("train", trainJson(train));
  return out;
}

std::string runHash(const ProjectSpec& project) {
  return fmt::format("{:016x}", hashBytes(canonicalJson(settingsJson(project))));
}

}  // namespace tenon
