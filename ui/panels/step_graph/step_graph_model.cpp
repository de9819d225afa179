// SPDX-License-Identifier: GPL-3.0-or-later
// From recorded nodes and edges to boxes and wires.
#include "ui/panels/step_graph/step_graph_model.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ui/session/recorded_step.h"
#include "ui/session/step_texts.h"
#include "ui/widgets/format.h"
#include "ui/widgets/icon.h"

namespace tenon::ui {
namespace {

/// Texts of this file for the translators.
struct StepGraphTexts {
  Q_DECLARE_TR_FUNCTIONS(StepGraph)
};

enum class Pass { Forward, Loss, Backward, Optimizer };

Pass passOf(const RecordedNode& node) {
  switch (node.kind) {
    case RecordedKind::Forward:
      return node.phase == "loss" ? Pass::Loss : Pass::Forward;
    case RecordedKind::Backward:
    case RecordedKind::Leaf:
      return Pass::Backward;
    case RecordedKind::Optimizer:
      break;
  }
  return Pass::Optimizer;
}

/// Series hue of a pass.
int familyOf(Pass pass) {
  switch (pass) {
    case Pass::Forward:
      return 0;
    case Pass::Loss:
      return 6;
    case Pass::Backward:
      return 1;
    case Pass::Optimizer:
      break;
  }
  return 3;
}

QString groupOf(const RecordedNode& node) {
  static const char* const kNames[] = {"forward/", "loss/", "backward/", "optimizer/"};
  return QLatin1String(kNames[static_cast<int>(passOf(node))]) + QString::fromStdString(node.layer);
}

QString nodeId(int id) { return u'#' + QString::number(id); }

/// A wire that stands for one or more recorded edges between two shown nodes.
struct Wire {
  QString source;
  QString target;
  int fromNode = 0;  ///< recorded, of the largest tensor
  int fromPort = 0;
  int tensors = 0;
  qint64 bytes = -1;
  QString shape;
  QString text;  ///< instead of the shape
  QString fromName;
  QString toName;
  QString dtype;
  bool upward = false;  ///< a gradient beside the forward pass
  bool dashed = false;
};

class Builder {
 public:
  Builder(const StepData& step, const StepGraphWish& wish)
      : step_(step), graph_(*step.graph), wish_(wish) {}

  StepGraph build() {
    group();
    choose();
    for (const QString& id : std::as_const(order_)) addNode(id);
    collectWires();
    for (const Wire& wire : std::as_const(wires_)) addWire(wire);
    return std::move(out_);
  }

 private:
  using Ends = std::pair<QString, QString>;

  [[nodiscard]] const RecordedNode& node(int id) const {
    return graph_.nodes[static_cast<size_t>(id)];
  }
  [[nodiscard]] bool isWanted(const RecordedNode& node) const {
    switch (passOf(node)) {
      case Pass::Forward:
      case Pass::Loss:
        return wish_.forward;
      case Pass::Backward:
        return wish_.backward;
      case Pass::Optimizer:
        break;
    }
    return wish_.optimizer;
  }

  void group() {
    for (const RecordedNode& each : graph_.nodes) {
      out_.groups.append(groupOf(each));
      sizes_[out_.groups.last()]++;
    }
    for (auto it = sizes_.cbegin(); it != sizes_.cend(); ++it)
      if (*it > 1) out_.expandable.insert(it.key());
  }

  void choose() {
    const bool all = wish_.expandAll && graph_.nodes.size() < kMostExpandedNodes;
    QSet<QString> framed;
    for (const RecordedNode& each : graph_.nodes) {
      if (!isWanted(each)) {
        out_.shownAs.append(QString());
        continue;
      }
      const QString& group = out_.groups[each.id];
      const bool open = out_.expandable.contains(group) && (all || wish_.expanded.contains(group));
      const QString id = open ? nodeId(each.id) : group;
      out_.shownAs.append(id);
      if (!out_.members.contains(id)) order_.append(id);
      out_.members[id].append(each.id);
      if (!open || framed.contains(group)) continue;
      framed.insert(group);
      out_.data.groups.append({group, frameTitle(each)});
    }
  }

  static QString layerTitle(const RecordedNode& node) {
    return node.layer.empty() ? nodeTitle(node) : QString::fromStdString(node.layer);
  }
  static QString frameTitle(const RecordedNode& node) {
    return StepGraphTexts::tr("%1, %2").arg(layerTitle(node), nodePhase(node).toLower());
  }

  /// What the recorded nodes behind a box come to.
  struct Sum {
    qint64 saved = 0;
    qint64 time = 0;
    int kernels = 0;
    QStringList ops;
    const RecordedNode* longest = nullptr;
  };
  [[nodiscard]] Sum sumOf(const QList<int>& members) const {
    Sum sum;
    sum.longest = &node(members.first());
    for (const int member : members) {
      const RecordedNode& each = node(member);
      sum.saved += savedBytes(each);
      sum.time += kernelNs(each);
      sum.kernels += static_cast<int>(each.kernels.size());
      if (kernelNs(each) > kernelNs(*sum.longest)) sum.longest = &each;
      if (!sum.ops.contains(nodeTitle(each))) sum.ops.append(nodeTitle(each));
    }
    return sum;
  }

  void addNode(const QString& id) {
    const QList<int>& members = out_.members[id];
    const RecordedNode& first = node(members.first());
    const Sum sum = sumOf(members);
    GraphNode shown;
    shown.id = id;
    shown.family = familyOf(passOf(first));
    shown.icon = iconOf(opIcon(sum.longest->op));
    shown.kind =
        StepGraphTexts::tr("%1, %2").arg(nodeTitle(*sum.longest), nodePhase(first).toLower());
    if (id.startsWith(u'#')) {
      shown.group = out_.groups[first.id];
      shown.title = nodeTitle(first);
      if (first.kind == RecordedKind::Leaf && !first.inputs.empty())
        shown.subtitle = QString::fromStdString(first.inputs.front().name);
    } else {
      shown.title = layerTitle(first);
      shown.subtitle = nodeTitle(*sum.longest);
    }
    if (sum.saved > 0) shown.subtitle = StepGraphTexts::tr("saved %1").arg(formatBytes(sum.saved));
    if (sum.time > 0) shown.note = kernelTime(sum.time);
    shown.tip = tipOf(members, sum);
    out_.data.nodes.append(shown);
  }

  /// One for all nodes of an operator.
  const QIcon& iconOf(const QString& name) {
    const auto place = icons_.constFind(name);
    return place != icons_.cend() ? *place : *icons_.insert(name, icon(name));
  }

  [[nodiscard]] QString tipOf(const QList<int>& members, const Sum& sum) const {
    QStringList lines{frameTitle(node(members.first())), sum.ops.join(QLatin1String(", "))};
    if (sum.kernels > 0)
      lines.append(
          StepGraphTexts::tr("%1 in %n kernel(s)", nullptr, sum.kernels).arg(kernelTime(sum.time)));
    if (sum.saved > 0)
      lines.append(
          StepGraphTexts::tr("keeps %1 from forward to backward").arg(formatBytes(sum.saved)));
    if (members.size() > 1)
      lines.append(StepGraphTexts::tr("%n operation(s); Enter shows them", nullptr,
                                      static_cast<int>(members.size())));
    if (const std::string& layer = node(members.first()).layer; !layer.empty())
      lines.append(StepGraphTexts::tr("Ctrl+click shows %1 on the canvas")
                       .arg(QString::fromStdString(layer)));
    return lines.join(u'\n');
  }

  void collectWires() {
    QSet<int> entered;
    for (const RecordedEdge& edge : graph_.edges) {
      entered.insert(edge.to);
      const RecordedNode& from = node(edge.from);
      const auto port = static_cast<size_t>(edge.fromPort);
      static const RecordedTensor kNone;
      const RecordedTensor& tensor = port < from.outputs.size() ? from.outputs[port] : kNone;
      const auto entry = static_cast<size_t>(edge.toPort);
      const RecordedNode& to = node(edge.to);
      const QString name = entry < to.inputs.size() && to.kind != RecordedKind::Leaf
                               ? QString::fromStdString(to.inputs[entry].name)
                               : QString();
      collect(edge.from, edge.fromPort, edge.to, tensor, name);
    }
    // Where backward begins: the loss itself.
    for (const RecordedNode& each : graph_.nodes) {
      if (each.kind != RecordedKind::Backward || entered.contains(each.id) || each.partner < 0)
        continue;
      const RecordedNode& loss = node(each.partner);
      if (!loss.outputs.empty()) collect(each.partner, 0, each.id, loss.outputs.front(), {});
    }
    if (wish_.optimizer) collectUpdates();
  }

  /// The gradients that an update reads are blocks that backward nodes asked for. One wire from the
  /// last of them stands for all: a wire each would hide the graph.
  void collectUpdates() {
    if (!step_.memory) return;
    struct Update {
      int from = -1;
      int to = -1;
      int gradients = 0;
      const RecordedTensor* tensor = nullptr;
    };
    QHash<QString, Update> updates;  // by the box shown
    for (const RecordedNode& each : graph_.nodes) {
      if (each.kind != RecordedKind::Optimizer) continue;
      Update& update = updates[out_.shownAs[each.id]];
      for (const RecordedTensor& input : each.inputs) {
        const int from = step_.links.nodeOf(step_.memory->find(input.block));
        if (from < 0 || node(from).kind != RecordedKind::Backward) continue;
        ++update.gradients;
        if (update.from < 0 || ended(from) > ended(update.from))
          update = {from, each.id, update.gradients, &input};
      }
    }
    for (const Update& update : std::as_const(updates)) {
      if (update.from < 0) continue;
      collect(update.from, 0, update.to, *update.tensor, {});
      const QString& target = out_.shownAs[update.to];
      for (Wire& wire : wires_)
        if (wire.target == target)
          wire.text = StepGraphTexts::tr("%n gradient(s)", nullptr, update.gradients);
    }
  }
  [[nodiscard]] qint64 ended(int id) const {
    return node(id).kernels.empty() ? -1 : qint64{node(id).kernels.back().endNs};
  }

  void collect(int from, int port, int to, const RecordedTensor& tensor, const QString& toName) {
    const QString& source = out_.shownAs[from];
    const QString& target = out_.shownAs[to];
    if (source.isEmpty() || target.isEmpty() || source == target) return;
    const auto place = wireOf_.constFind({source, target});
    if (place == wireOf_.cend()) {
      wireOf_.insert({source, target}, wires_.size());
      wires_.append(Wire());
      wires_.last().source = source;
      wires_.last().target = target;
    }
    Wire& wire = place == wireOf_.cend() ? wires_.last() : wires_[*place];
    ++wire.tensors;
    const bool gradient = passOf(node(from)) == Pass::Backward;
    wire.upward = gradient && wish_.forward;
    wire.dashed = gradient || passOf(node(to)) == Pass::Backward;
    if (tensor.bytes <= wire.bytes) return;
    wire.bytes = tensor.bytes;
    wire.fromNode = from;
    wire.fromPort = port;
    wire.shape = tensor.dtype.empty() ? QString() : tensorShape(tensor.shape);
    wire.dtype = QString::fromStdString(tensor.dtype);
    wire.fromName = QString::fromStdString(tensor.name);
    wire.toName = toName;
  }

  /// Position of the node in the list shown.
  GraphNode& shown(const QString& id) {
    if (places_.isEmpty()) places_ = out_.data.indexOfIds();
    return out_.data.nodes[places_.value(id)];
  }

  void addWire(const Wire& wire) {
    const GraphPort port{wire.fromName, (wire.shape + u' ' + wire.dtype).trimmed()};
    const GraphPort entry{wire.toName, port.tip};
    GraphNode& from = shown(wire.source);
    QList<GraphPort>& leaving = wire.upward ? from.inputs : from.outputs;
    // A tensor that several read leaves through one port.
    int& place =
        ports_.try_emplace({wire.source, {wire.fromNode, wire.fromPort}}, -1).first->second;
    if (place < 0) {
      place = static_cast<int>(leaving.size());
      leaving.append(port);
    }
    GraphNode& to = shown(wire.target);
    QList<GraphPort>& arriving = wire.upward ? to.outputs : to.inputs;
    arriving.append(entry);
    const int last = static_cast<int>(arriving.size()) - 1;
    QString label = wire.shape;
    if (!wire.text.isEmpty()) {
      label = wire.text;
    } else if (wire.tensors > 1) {
      label = StepGraphTexts::tr("%1 and %2 more").arg(label).arg(wire.tensors - 1);
    }
    GraphEdge edge;
    edge.from = wire.upward ? wire.target : wire.source;
    edge.fromPort = wire.upward ? last : place;
    edge.to = wire.upward ? wire.source : wire.target;
    edge.toPort = wire.upward ? place : last;
    edge.label = wire.upward ? QStringLiteral("↑ ") + label : label;
    edge.dashed = wire.dashed;
    out_.data.edges.append(edge);
  }

  const StepData& step_;
  const GraphRecording& graph_;
  const StepGraphWish& wish_;
  StepGraph out_;
  QHash<QString, int> sizes_;
  QStringList order_;
  QList<Wire> wires_;  // in the order of the recording
  QHash<Ends, qsizetype> wireOf_;
  std::map<std::pair<QString, std::pair<int, int>>, int> ports_;
  QHash<QString, int> places_;
  QHash<QString, QIcon> icons_;
};

/// Middle of the boxes of a family; nothing if there are none.
std::optional<double> middleOf(const GraphData& data, int family) {
  double sum = 0;
  int count = 0;
  for (const GraphNode& node : data.nodes) {
    if (node.family != family) continue;
    sum += node.position.x();
    ++count;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

}  // namespace

void putForwardLeft(GraphData& data, double nodeWidth) {
  const auto forward = middleOf(data, familyOf(Pass::Forward));
  const auto backward = middleOf(data, familyOf(Pass::Backward));
  if (!forward || !backward || *forward <= *backward) return;
  double width = 0;
  for (const GraphNode& node : data.nodes) width = std::max(width, node.position.x() + nodeWidth);
  for (GraphNode& node : data.nodes) node.position.setX(width - nodeWidth - node.position.x());
  for (GraphEdge& edge : data.edges)
    for (QPointF& bend : edge.via) bend.setX(width - bend.x());
}

StepGraph stepGraph(const StepData& step, const StepGraphWish& wish) {
  return step.graph ? Builder(step, wish).build() : StepGraph();
}

}  // namespace tenon::ui
