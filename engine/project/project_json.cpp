// SPDX-License-Identifier: Apache-2.0
// A project as a JSON tree, members always in the same order.
#include "engine/project/project_json.h"

#include <cmath>

namespace tenon {
namespace {

void append(Json& object, const ParamMap& params) {
  for (const auto& [name, value] : params) object.set(name, toJson(value));
}

void append(Json& object, const JsonObject& unknown) {
  for (const JsonMember& member : unknown) object.set(member.key, member.value);
}

/// A coordinate: whole ones without ".0".
Json coordinate(double x) {
  if (std::floor(x) == x && std::fabs(x) < 1e15) return Json(static_cast<int64_t>(x));
  return Json(x);
}

Json boxJson(const LayoutSpec::Box& box) {
  return Json(JsonArray{coordinate(box.x), coordinate(box.y), coordinate(box.width),
                        coordinate(box.height)});
}

Json splitJson(const SplitSpec& split) {
  Json out = Json::object();
  switch (split.kind) {
    case SplitSpec::Kind::None:
      out.set("type", "none");
      break;
    case SplitSpec::Kind::Fraction:
      out.set("type", "fraction");
      out.set("fraction", split.fraction);
      out.set("seed", split.seed);
      break;
    case SplitSpec::Kind::Files:
      out.set("type", "files");
      out.set("reader", partJson(split.reader));
      break;
  }
  return out;
}

/// Whether members that this version does not know are written.
enum class Unknown : uint8_t { LeftOut, Kept };

Json graphJson(const GraphSpec& graph, Unknown unknown);

Json nodeJson(const NodeSpec& node, Unknown unknown) {
  JsonObject members;
  members.reserve(node.params.size() + 4);
  members.push_back({"id", node.id, {}});
  members.push_back({"type", node.type, {}});
  for (const auto& [name, value] : node.params) members.push_back({name, toJson(value), {}});
  if (!node.precision.empty()) members.push_back({"precision", node.precision, {}});
  if (!node.graphs.empty()) {
    Json graphs = Json::object();
    for (const auto& [slot, graph] : node.graphs) graphs.set(slot, graphJson(*graph, unknown));
    members.push_back({"graphs", std::move(graphs), {}});
  }
  return Json(std::move(members));
}

Json edgeJson(const EdgeSpec& edge) {
  Json out = Json::object();
  out.set("from", edge.from);
  if (!edge.fromPort.empty()) out.set("from_port", edge.fromPort);
  out.set("to", edge.to);
  if (!edge.toPort.empty()) out.set("to_port", edge.toPort);
  return out;
}

Json graphJson(const GraphSpec& graph, Unknown unknown) {
  JsonArray nodes;
  nodes.reserve(graph.nodes.size());
  for (const auto& node : graph.nodes) nodes.push_back(nodeJson(*node, unknown));
  JsonArray edges;
  edges.reserve(graph.edges.size());
  for (const EdgeSpec& edge : graph.edges) edges.push_back(edgeJson(edge));
  Json out = Json::object();
  out.set("nodes", std::move(nodes));
  out.set("edges", std::move(edges));
  if (unknown == Unknown::Kept) append(out, graph.unknown);
  return out;
}

/// A metric without parameters is its name alone.
Json metricJson(const PartSpec& metric) {
  return metric.params.empty() ? Json(metric.type) : partJson(metric);
}

Json layoutJson(const LayoutSpec& layout) {
  JsonObject positions;
  for (const auto& [id, at] : layout.positions)
    positions.push_back({id, JsonArray{coordinate(at.x), coordinate(at.y)}, {}});
  Json notes = Json::array();
  for (const LayoutSpec::Note& note : layout.notes) {
    Json out = Json::object();
    out.set("id", note.id);
    out.set("text", note.text);
    out.set("box", boxJson(note.box));
    notes.push(std::move(out));
  }
  Json frames = Json::array();
  for (const LayoutSpec::Frame& frame : layout.frames) {
    Json out = Json::object();
    out.set("id", frame.id);
    out.set("title", frame.title);
    out.set("box", boxJson(frame.box));
    frames.push(std::move(out));
  }
  Json out = Json::object();
  out.set("positions", std::move(positions));
  out.set("notes", std::move(notes));
  out.set("frames", std::move(frames));
  append(out, layout.unknown);
  return out;
}

/// The member of `out` that holds an object, with what the file had in it besides.
void restore(Json& out, const char* key, const JsonObject& unknown) {
  if (Json* member = out.find(key)) append(*member, unknown);
}

}  // namespace

Json partJson(const PartSpec& part) {
  Json out = Json::object();
  out.set("type", part.type);
  append(out, part.params);
  return out;
}

Json dataJson(const DataSpec& data) {
  Json transforms = Json::array();
  for (const PartSpec& transform : data.transforms) transforms.push(partJson(transform));
  Json classes = Json::array();
  for (const std::string& name : data.classes) classes.push(name);
  Json out = Json::object();
  out.set("reader", partJson(data.reader));
  out.set("split", splitJson(data.split));
  out.set("transforms", std::move(transforms));
  out.set("classes", std::move(classes));
  return out;
}

Json graphJson(const GraphSpec& graph) { return graphJson(graph, Unknown::LeftOut); }

Json trainJson(const TrainSpec& train) {
  Json metrics = Json::array();
  for (const PartSpec& metric : train.metrics) metrics.push(metricJson(metric));
  Json out = Json::object();
  append(out, writtenTrainParams(train));
  out.set("loss", partJson(train.loss));
  out.set("optimizer", partJson(train.optimizer));
  out.set("schedule", partJson(train.schedule));
  out.set("metrics", std::move(metrics));
  out.set("checkpoint", toJson(checkpointParams(train.checkpoint)));
  return out;
}

Json projectJson(const ProjectSpec& project) {
  Json data = dataJson(*project.data);
  restore(data, "split", project.data->split.unknown);
  append(data, project.data->unknown);
  Json graph = graphJson(*project.graph, Unknown::Kept);
  Json train = trainJson(*project.train);
  restore(train, "checkpoint", project.train->checkpoint.unknown);
  append(train, project.train->unknown);
  Json out = Json::object();
  out.set("format_version", kProjectFormat);
  out.set("name", project.name);
  out.set("data", std::move(data));
  out.set("graph", std::move(graph));
  out.set("train", std::move(train));
  out.set("layout", layoutJson(*project.layout));
  append(out, project.unknown);
  return out;
}

}  // namespace tenon
