// SPDX-License-Identifier: Apache-2.0
// A JSON tree as a project: every section is read to its end, so that all errors come back at once.
#include <algorithm>
#include <unordered_map>

#include "engine/project/project_json.h"
#include "engine/project/section_reader.h"
#include "engine/schema/suggest.h"

namespace tenon {
namespace {

using Spot = ReadLog::Spot;

/// The spot of item `name` of the list at `list`.
Spot itemSpot(const Spot& list, std::string_view name, const Json& item) {
  Spot spot = list;
  spot.path.append(".").append(name);
  spot.pos = item.pos;
  return spot;
}

PartSpec readPart(const Json& json, const Spot& spot, ReadLog& log) {
  PartSpec part;
  SectionReader section(json, spot, log);
  section.takeString("type", part.type, true);
  part.params = section.takeRest();
  return part;
}

void readPartMember(SectionReader& section, const char* key, PartSpec& out, ReadLog& log) {
  if (const Json* member = section.takeObject(key)) out = readPart(*member, section.at(key), log);
}

SplitSpec readSplit(const Json& json, const Spot& spot, ReadLog& log) {
  SplitSpec split;
  SectionReader section(json, spot, log);
  std::string type = "none";
  section.takeString("type", type, true);
  if (type == "fraction") {
    split.kind = SplitSpec::Kind::Fraction;
    ParamMap params = section.takeParams(splitSchema());
    split.fraction = params.getFloat("fraction");
    split.seed = params.getInt("seed");
  } else if (type == "files") {
    split.kind = SplitSpec::Kind::Files;
    if (json.find("reader") == nullptr)
      log.error(spot, "project.missing", TENON_TEXT("'{0}' is missing"), {"reader"});
    readPartMember(section, "reader", split.reader, log);
  } else if (type != "none") {
    log.error(section.at("type"), "project.unknown-choice",
              TENON_TEXT("'{0}' expects one of {1}; got \"{2}\""),
              {"type", "none, fraction, files", type});
    return split;  // which other members belong here cannot be known
  }
  split.unknown = section.finish();
  return split;
}

void readTexts(SectionReader& section, const char* key, std::vector<std::string>& out,
               ReadLog& log) {
  const Json* list = section.takeArray(key);
  if (list == nullptr) return;
  for (size_t i = 0; i < list->items().size(); ++i) {
    const Json& item = list->items()[i];
    if (item.isString()) {
      out.push_back(item.asString());
    } else {
      log.error(itemSpot(section.at(key), std::to_string(i), item), "project.wrong-type",
                TENON_TEXT("'{0}' expects {1}, got {2}"),
                {key, "a list of texts", std::string(kindText(item.kind()))});
    }
  }
}

/// A list of parts; a text stands for a part without parameters if `shortForm`.
std::vector<PartSpec> readParts(SectionReader& section, const char* key, bool shortForm,
                                ReadLog& log) {
  std::vector<PartSpec> out;
  const Json* list = section.takeArray(key);
  if (list == nullptr) return out;
  for (size_t i = 0; i < list->items().size(); ++i) {
    const Json& item = list->items()[i];
    Spot spot = itemSpot(section.at(key), std::to_string(i), item);
    log.mark(spot);
    if (shortForm && item.isString()) {
      out.push_back({item.asString(), {}});
    } else {
      out.push_back(readPart(item, spot, log));
    }
  }
  return out;
}

DataSpec readData(const Json& json, const Spot& spot, ReadLog& log) {
  DataSpec data;
  SectionReader section(json, spot, log);
  readPartMember(section, "reader", data.reader, log);
  if (const Json* split = section.takeObject("split"))
    data.split = readSplit(*split, section.at("split"), log);
  data.transforms = readParts(section, "transforms", false, log);
  readTexts(section, "classes", data.classes, log);
  data.unknown = section.finish();
  return data;
}

/// The id of a node as its file has it, or its number in the list if it has no good one.
std::string nodeName(const Json& json, size_t index) {
  const Json* id = json.find("id");
  return id != nullptr && id->isString() && isNodeId(id->asString()) ? id->asString()
                                                                     : std::to_string(index);
}

class GraphReader {
 public:
  /// @param depth of graphs around this one
  explicit GraphReader(ReadLog& log, int depth = 0) : log_(log), depth_(depth) {}

  GraphSpec read(const Json& json, const Spot& spot) {
    SectionReader section(json, spot, log_);
    if (const Json* nodes = section.takeArray("nodes")) {
      graph_.nodes.reserve(nodes->items().size());
      for (size_t i = 0; i < nodes->items().size(); ++i)
        readNode(nodes->items()[i], section.at("nodes"), i);
    }
    if (const Json* edges = section.takeArray("edges")) {
      graph_.edges.reserve(edges->items().size());
      for (size_t i = 0; i < edges->items().size(); ++i)
        readEdge(edges->items()[i],
                 itemSpot(section.at("edges"), std::to_string(i), edges->items()[i]));
    }
    graph_.unknown = section.finish();
    return std::move(graph_);
  }

 private:
  void readNode(const Json& json, const Spot& list, size_t index) {
    Spot spot = itemSpot(list, nodeName(json, index), json);
    if (depth_ == 0) spot.node = nodeName(json, index);  // inner nodes are fields of that one
    log_.mark(spot);
    auto node = std::make_shared<NodeSpec>();
    SectionReader section(json, spot, log_);
    section.takeString("id", node->id, true);
    section.takeString("type", node->type, true);
    if (json.find(kPrecision) != nullptr)
      node->precision = section.takeParams({nodePrecisionParam()}).getString(kPrecision);
    if (const Json* graphs = section.takeObject("graphs"))
      readGraphs(*graphs, section.at("graphs"), *node);
    node->params = section.takeRest();
    if (!node->id.empty()) checkId(*node, section.at("id"));
    graph_.nodes.push_back(std::move(node));
  }

  void readGraphs(const Json& json, const Spot& spot, NodeSpec& node) {
    if (depth_ >= kMostInnerGraphs) {
      log_.error(spot, "project.too-deep",
                 TENON_TEXT("graphs inside of graphs go at most {0} deep"),
                 {std::to_string(kMostInnerGraphs)});
      return;
    }
    SectionReader section(json, spot, log_);
    for (const JsonMember& member : json.members())
      if (const Json* graph = section.takeObject(member.key))
        node.graphs[member.key] = std::make_shared<GraphSpec>(
            GraphReader(log_, depth_ + 1).read(*graph, section.at(member.key)));
  }

  void checkId(const NodeSpec& node, const Spot& spot) {
    if (!isNodeId(node.id)) {
      log_.error(spot, "project.bad-id",
                 TENON_TEXT("the id \"{0}\" may hold letters, digits, '_' and '-' only"),
                 {node.id});
      return;
    }
    auto [place, isNew] = lineOf_.emplace(node.id, spot.pos.line);
    if (!isNew)
      log_.error(spot, "project.duplicate-id",
                 TENON_TEXT("a node with the id '{0}' stands in line {1} already"),
                 {node.id, std::to_string(place->second)});
  }

  void readEdge(const Json& json, const Spot& spot) {
    log_.mark(spot);
    EdgeSpec edge;
    SectionReader section(json, spot, log_);
    if (section.takeString("from", edge.from, true)) checkEnd(edge.from, section.at("from"));
    section.takeString("from_port", edge.fromPort);
    if (section.takeString("to", edge.to, true)) checkEnd(edge.to, section.at("to"));
    section.takeString("to_port", edge.toPort);
    section.finish();
    graph_.edges.push_back(std::move(edge));
  }

  void checkEnd(const std::string& id, const Spot& spot) {
    if (lineOf_.contains(id)) return;
    std::string nearest;
    if (log_.wantsSuggestion()) {
      std::vector<std::string> ids;
      for (const auto& node : graph_.nodes) ids.push_back(node->id);
      if (ids.size() <= 2000) nearest = nearestName(id, ids);
    }
    if (nearest.empty()) {
      log_.error(spot, "project.unknown-node", TENON_TEXT("there is no node '{0}'"), {id});
    } else {
      log_.error(spot, "project.unknown-node",
                 TENON_TEXT("there is no node '{0}'; did you mean '{1}'?"), {id, nearest});
    }
  }

  static constexpr const char* kPrecision = "precision";

  ReadLog& log_;
  int depth_;
  GraphSpec graph_;
  std::unordered_map<std::string, int> lineOf_;
};

TrainSpec readTrain(const Json& json, const Spot& spot, ReadLog& log) {
  TrainSpec train;
  SectionReader section(json, spot, log);
  train = withTrainParams(std::move(train), section.takeParams(trainSchema()));
  readPartMember(section, "loss", train.loss, log);
  readPartMember(section, "optimizer", train.optimizer, log);
  readPartMember(section, "schedule", train.schedule, log);
  train.metrics = readParts(section, "metrics", true, log);
  if (const Json* checkpoint = section.takeObject("checkpoint")) {
    SectionReader inner(*checkpoint, section.at("checkpoint"), log);
    train.checkpoint = checkpointFromParams(inner.takeParams(checkpointSchema()));
    train.checkpoint.unknown = inner.finish();
  }
  train.unknown = section.finish();
  return train;
}

/// `count` numbers, or an empty list after an error.
std::vector<double> readNumbers(const Json& json, const Spot& spot, size_t count, ReadLog& log) {
  bool good = json.isArray() && json.items().size() == count &&
              std::all_of(json.items().begin(), json.items().end(),
                          [](const Json& item) { return item.isNumber(); });
  std::vector<double> out;
  if (good) {
    for (const Json& item : json.items()) out.push_back(item.asDouble());
  } else {
    log.error(spot, "project.wrong-type", TENON_TEXT("expected a list of {0} numbers"),
              {std::to_string(count)});
  }
  return out;
}

LayoutSpec::Box readBox(SectionReader& section, ReadLog& log) {
  const Json* json = section.take("box");
  if (json == nullptr) return {};
  std::vector<double> n = readNumbers(*json, section.at("box"), 4, log);
  return n.empty() ? LayoutSpec::Box{} : LayoutSpec::Box{n[0], n[1], n[2], n[3]};
}

/// Reads a list of objects that have an id, a text called `textKey` and a box.
template <class Item>
void readBoxes(SectionReader& section, const char* key, const char* textKey,
               std::string Item::*text, std::vector<Item>& out, ReadLog& log) {
  const Json* list = section.takeArray(key);
  if (list == nullptr) return;
  for (size_t i = 0; i < list->items().size(); ++i) {
    const Json& json = list->items()[i];
    Item item;
    SectionReader inner(json, itemSpot(section.at(key), std::to_string(i), json), log);
    inner.takeString("id", item.id, true);
    inner.takeString(textKey, item.*text);
    item.box = readBox(inner, log);
    inner.finish();
    out.push_back(std::move(item));
  }
}

LayoutSpec readLayout(const Json& json, const Spot& spot, ReadLog& log) {
  LayoutSpec layout;
  SectionReader section(json, spot, log);
  if (const Json* positions = section.takeObject("positions")) {
    Spot list = section.at("positions");
    for (const JsonMember& member : positions->members()) {
      Spot place = itemSpot(list, member.key, member.value);
      std::vector<double> n = readNumbers(member.value, place, 2, log);
      if (!n.empty()) layout.positions[member.key] = {n[0], n[1]};
    }
  }
  readBoxes(section, "notes", "text", &LayoutSpec::Note::text, layout.notes, log);
  readBoxes(section, "frames", "title", &LayoutSpec::Frame::title, layout.frames, log);
  layout.unknown = section.finish();
  return layout;
}

}  // namespace

bool isNodeId(std::string_view id) {
  auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !id.empty() && std::all_of(id.begin(), id.end(), allowed);
}

ReadResult projectFromJson(const Json& root, const std::string& file) {
  ReadLog log(file);
  ReadResult result;
  ProjectSpec& project = result.project;
  Spot spot{"", "", root.pos};
  log.mark(spot);
  SectionReader section(root, spot, log);
  section.take("format_version");
  section.takeString("name", project.name);
  if (const Json* data = section.takeObject("data"))
    project.data = std::make_shared<DataSpec>(readData(*data, section.at("data"), log));
  if (const Json* graph = section.takeObject("graph"))
    project.graph = std::make_shared<GraphSpec>(GraphReader(log).read(*graph, section.at("graph")));
  if (const Json* train = section.takeObject("train"))
    project.train = std::make_shared<TrainSpec>(readTrain(*train, section.at("train"), log));
  if (const Json* layout = section.takeObject("layout"))
    project.layout = std::make_shared<LayoutSpec>(readLayout(*layout, section.at("layout"), log));
  project.unknown = section.finish();
  log.finish(result);
  return result;
}

}  // namespace tenon
