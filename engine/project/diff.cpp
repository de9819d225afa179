// SPDX-License-Identifier: Apache-2.0
// Which settings differ between two projects or two runs.
#include <unordered_map>

#include "engine/project/settings.h"

namespace tenon {
namespace {

using Flat = std::vector<std::pair<std::string, std::string>>;

std::string textOf(const Json& json) {
  return json.isString() ? json.asString() : writeJson(json, JsonStyle::OneLine);
}

bool isFlat(const Json& json) {
  if (json.isObject()) return false;
  if (!json.isArray()) return true;
  for (const Json& item : json.items())
    if (item.isArray() || item.isObject()) return false;
  return true;
}

std::string memberText(const Json& object, const char* key) {
  const Json* member = object.find(key);
  return member != nullptr && member->isString() ? member->asString() : "";
}

/// "conv1 -> bn1", or "split.left -> add.b" where ports are named.
std::string edgeName(const Json& edge) {
  auto end = [&edge](const char* node, const char* port) {
    std::string name = memberText(edge, port);
    return memberText(edge, node) + (name.empty() ? "" : "." + name);
  };
  return end("from", "from_port") + " -> " + end("to", "to_port");
}

/// True for "graph.nodes", and the same of a graph inside of a node:
/// "graph.nodes.block.graphs.body.nodes".
bool isList(std::string_view path, std::string_view list) {
  return path.starts_with("graph.") && path.ends_with(list);
}

/// Paths and values of all settings. A node goes by its id, a wire by its ends.
void flatten(const Json& json, const std::string& path, Flat& out) {
  if (isFlat(json)) {
    out.emplace_back(path, textOf(json));
  } else if (json.isObject()) {
    for (const JsonMember& member : json.members()) {
      bool isNodeId = member.key == "id" && path.starts_with("graph.nodes.");
      if (!isNodeId)
        flatten(member.value, path.empty() ? member.key : path + "." + member.key, out);
    }
  } else {
    for (size_t i = 0; i < json.items().size(); ++i) {
      const Json& item = json.items()[i];
      if (isList(path, ".edges")) {
        out.emplace_back(path + "." + edgeName(item), "connected");
        continue;
      }
      std::string place = path;
      place.append(".").append(isList(path, ".nodes") ? memberText(item, "id") : std::to_string(i));
      flatten(item, place, out);
    }
  }
}

/// What a side that does not name a setting has: nothing, or the default of a feature of training.
std::string unnamed(std::string_view path) {
  constexpr std::string_view kTrain = "train.";
  if (!path.starts_with(kTrain)) return "";
  const ParamSpec* spec = trainFeatureSchema().find(path.substr(kTrain.size()));
  return spec != nullptr ? textOf(toJson(spec->defaultValue)) : "";
}

}  // namespace

std::vector<SettingChange> diffSettings(const Json& before, const Json& after) {
  Flat left;
  Flat right;
  flatten(before, "", left);
  flatten(after, "", right);
  std::unordered_map<std::string_view, const std::string*> leftValues;
  std::unordered_map<std::string_view, const std::string*> rightValues;
  for (const auto& [path, value] : left) leftValues.emplace(path, &value);
  for (const auto& [path, value] : right) rightValues.emplace(path, &value);
  std::vector<SettingChange> out;
  for (const auto& [path, value] : left) {
    auto other = rightValues.find(path);
    if (other == rightValues.end()) {
      out.push_back({path, value, unnamed(path)});
    } else if (*other->second != value) {
      out.push_back({path, value, *other->second});
    }
  }
  for (const auto& [path, value] : right)
    if (!leftValues.contains(path)) out.push_back({path, unnamed(path), value});
  std::erase_if(out, [](const SettingChange& each) { return each.before == each.after; });
  return out;
}

std::vector<SettingChange> diffSpecs(const ProjectSpec& before, const ProjectSpec& after) {
  return diffSettings(settingsJson(before), settingsJson(after));
}

}  // namespace tenon
