// SPDX-License-Identifier: Apache-2.0
// Walks a project's tree and names each setting by its path.
#include "engine/project/slots.h"

namespace tenon {
namespace {

/// What a parameter accepts when only its present value is known.
ParamSpec specOf(const std::string& name, const Json& value) {
  ParamValue held;
  ParamSpec spec = stringParam(name, "");
  if (!paramFromJson(value, held)) return spec;
  static constexpr ParamType kTypes[] = {
      ParamType::Bool,    ParamType::Float,     ParamType::Float,     ParamType::String,
      ParamType::IntList, ParamType::FloatList, ParamType::StringList};
  spec.type = kTypes[held.index()];
  return spec;
}

class SlotList {
 public:
  explicit SlotList(const Catalog* catalog) : catalog_(catalog) {}

  void add(const std::string& prefix, Json& object, const ParamSpec& spec) {
    std::string path = prefix.empty() ? spec.name : prefix + "." + spec.name;
    slots_.push_back({std::move(path), &object, spec.name, spec, std::nullopt});
  }

  void addAll(const std::string& prefix, Json& object, const ParamSchema& schema) {
    for (const ParamSpec& spec : schema) add(prefix, object, spec);
  }

  /// A definition with its parameters: those of its schema, else those that stand in the file.
  void addPart(const std::string& prefix, Json& object, PartKind kind) {
    add(prefix, object, stringParam("type", ""));
    slots_.back().typeOf = kind;
    const Json* type = object.find("type");
    const ParamSchema* schema = catalog_ != nullptr && type != nullptr && type->isString()
                                    ? catalog_->schema(kind, type->asString())
                                    : nullptr;
    if (schema != nullptr) addAll(prefix, object, *schema);
    const auto ofNode = [kind](const std::string& key) {
      return kind == PartKind::Layer && (key == "id" || key == "precision" || key == "graphs");
    };
    for (const JsonMember& member : object.members()) {
      bool known = member.key == "type" || ofNode(member.key) ||
                   (schema != nullptr && schema->find(member.key) != nullptr);
      if (!known) add(prefix, object, specOf(member.key, member.value));
    }
  }

  void addPartOf(Json& owner, const char* key, const std::string& prefix, PartKind kind) {
    if (Json* part = owner.find(key); part != nullptr && part->isObject())
      addPart(prefix + "." + key, *part, kind);
  }

  void addPartsOf(Json& owner, const char* key, const std::string& prefix, PartKind kind) {
    Json* list = owner.find(key);
    if (list == nullptr || !list->isArray()) return;
    for (size_t i = 0; i < list->items().size(); ++i) {
      Json& item = list->items()[i];
      if (item.isObject()) addPart(prefix + "." + key + "." + std::to_string(i), item, kind);
    }
  }

  std::vector<Slot> take() { return std::move(slots_); }

 private:
  const Catalog* catalog_;
  std::vector<Slot> slots_;
};

void addData(SlotList& slots, Json& data) {
  slots.addPartOf(data, "reader", "data", PartKind::Reader);
  if (Json* split = data.find("split")) {
    slots.add("data.split", *split, choiceParam("type", "none", {"none", "fraction", "files"}));
    if (split->find("fraction") != nullptr) slots.addAll("data.split", *split, splitSchema());
    slots.addPartOf(*split, "reader", "data.split", PartKind::Reader);
  }
  slots.addPartsOf(data, "transforms", "data", PartKind::Transform);
  slots.add("data", data, stringListParam("classes", {}));
}

/// Nodes of a graph, and of the graphs inside of them.
void addGraph(SlotList& slots, const std::string& path, Json& graph) {
  Json* nodes = graph.find("nodes");
  if (nodes == nullptr) return;
  for (Json& node : nodes->items()) {
    const Json* id = node.find("id");
    if (id == nullptr) continue;
    const std::string prefix = path + ".nodes." + id->asString();
    slots.addPart(prefix, node, PartKind::Layer);
    slots.add(prefix, node, nodePrecisionParam());
    if (Json* graphs = node.find("graphs"))
      for (JsonMember& member : graphs->members())
        addGraph(slots, prefix + ".graphs." + member.key, member.value);
  }
}

void addTrain(SlotList& slots, Json& train) {
  slots.addAll("train", train, trainSchema());
  slots.addPartOf(train, "loss", "train", PartKind::Loss);
  slots.addPartOf(train, "optimizer", "train", PartKind::Optimizer);
  slots.addPartOf(train, "schedule", "train", PartKind::Schedule);
  slots.addPartsOf(train, "metrics", "train", PartKind::Metric);
  slots.add("train", train, stringListParam("metrics", {}));
  if (Json* checkpoint = train.find("checkpoint"))
    slots.addAll("train.checkpoint", *checkpoint, checkpointSchema());
}

}  // namespace

std::vector<Slot> settingSlots(Json& root, const Catalog* catalog) {
  SlotList slots(catalog);
  slots.add("", root, stringParam("name", ""));
  if (Json* data = root.find("data")) addData(slots, *data);
  if (Json* graph = root.find("graph")) addGraph(slots, "graph", *graph);
  if (Json* train = root.find("train")) addTrain(slots, *train);
  return slots.take();
}

}  // namespace tenon
