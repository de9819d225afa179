// SPDX-License-Identifier: GPL-3.0-or-later
// The edits a person makes, each one step of undo. They read the document's spec and apply a new
// one.
#pragma once

#include <QHash>
#include <QPointF>
#include <QString>
#include <QStringList>
#include <optional>

#include "engine/project/specs.h"

namespace tenon::ui {

class Document;

namespace edits {

void setName(Document& document, const QString& name);

/// One parameter of a layer; nothing sets it back to its default (removes it from the file).
void setNodeParam(Document& document, const QString& node, const QString& name,
                  const std::optional<ParamValue>& value);
/// Adds a layer at a place of the canvas.
void addNode(Document& document, const NodeSpec& node, const QPointF& position);
/// Removes layers with their wires and positions, and wires of `edges`.
void removeFromGraph(Document& document, const QStringList& nodes,
                     const std::vector<EdgeSpec>& edges = {});
/// A new id for a layer; its wires and position follow. False, and nothing happens, if the id is
/// taken or no id.
bool renameNode(Document& document, const QString& node, const QString& id);
/// What a person is told of an id that renameNode() did not take.
[[nodiscard]] QString refusedNameText(const QString& id);
/// Adds a wire, replacing what went into the same input port unless the port takes many.
void connectNodes(Document& document, const EdgeSpec& edge, bool portTakesMany = false);
/// Moves layers on the canvas (a whole drag: one step).
void moveNodes(Document& document, const QHash<QString, QPointF>& positions);
/// Any other change of the graph as a whole, e.g. a paste.
void setGraph(Document& document, const QString& text, const GraphSpec& graph,
              const QString& mergeKey = {});
void setLayout(Document& document, const QString& text, const LayoutSpec& layout,
               const QString& mergeKey = {});
/// An id that no layer has: "conv2d" -> "conv3".
[[nodiscard]] QString freeNodeId(const GraphSpec& graph, const QString& wish);

/// One of trainSchema()'s settings.
void setTrainParam(Document& document, const QString& name, const ParamValue& value);
/// One of checkpointSchema()'s settings.
void setCheckpointParam(Document& document, const QString& name, const ParamValue& value);

enum class TrainPart { Loss, Optimizer, Schedule };
/// Another optimizer and so on; parameters that the new one also has are kept.
void setTrainPartType(Document& document, TrainPart part, const QString& type);
void setTrainPartParam(Document& document, TrainPart part, const QString& name,
                       const std::optional<ParamValue>& value);
void setMetrics(Document& document, const std::vector<PartSpec>& metrics);
[[nodiscard]] const PartSpec& trainPart(const TrainSpec& train, TrainPart part);

/// The reader, split, transforms and classes together; `field` is what changed ("data.split").
void setData(Document& document, const QString& text, const DataSpec& data, const QString& field);

/// Any setting by its path, as the command line does ("train.optimizer.lr", "2e-3").
/// @return what is wrong with it; then nothing is changed.
Issues setByPath(Document& document, const QString& path, const QString& text);

}  // namespace edits
}  // namespace tenon::ui
