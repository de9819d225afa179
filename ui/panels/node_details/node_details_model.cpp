// SPDX-License-Identifier: GPL-3.0-or-later
// From recorded values to lines.
#include "ui/panels/node_details/node_details_model.h"

#include <QFont>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>
#include <utility>

#include "ui/session/step_texts.h"
#include "ui/widgets/format.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }

/// `unnamed`: what a tensor without a name is called, "output %1".
DetailSection tensorSection(const QString& title, const QString& unnamed,
                            const std::vector<RecordedTensor>& tensors) {
  DetailSection section{title, {}, {}};
  qint64 bytes = 0;
  int place = 0;
  for (const RecordedTensor& tensor : tensors) {
    bytes += tensor.bytes;
    DetailRow row;
    row.name = tensor.name.empty() ? unnamed.arg(place) : text(tensor.name);
    ++place;
    row.value = tensorShape(tensor.shape) + u' ' + text(tensor.dtype);
    row.blockedLayout = tensor.blockedLayout;
    row.amount = formatBytes(tensor.bytes);
    row.block = tensor.block;
    section.rows.append(row);
  }
  if (tensors.size() > 1) section.note = formatBytes(bytes);
  return section;
}

DetailSection kernelSection(const RecordedNode& node) {
  DetailSection section{NodeDetailsModel::tr("Kernels"), {}, {}};
  for (const RecordedKernel& kernel : node.kernels)
    section.rows.append({text(kernel.op), text(kernel.implementation),
                         kernelTime(kernel.endNs - kernel.startNs), 0, false, -1});
  if (node.kernels.size() > 1) section.note = kernelTime(kernelNs(node));
  return section;
}

DetailSection blockSection(const StepData& step, int node) {
  DetailSection section{NodeDetailsModel::tr("Memory asked for"), {}, {}};
  if (!step.memory) return section;
  qint64 bytes = 0;
  for (const int index : step.links.blocksOf(node)) {
    const StepBlock& block = step.memory->blocks()[static_cast<size_t>(index)];
    bytes += block.bytes;
    const QString life =
        block.end == StepMemory::kForever
            ? NodeDetailsModel::tr("kept")
            : NodeDetailsModel::tr("for %1").arg(kernelTime(block.end - block.begin));
    section.rows.append({categoryTitle(step.memory->lastCategory(static_cast<size_t>(index))), life,
                         formatBytes(block.bytes), block.id, false, -1});
  }
  if (section.rows.size() > 1) section.note = formatBytes(bytes);
  return section;
}

QString valueText(const QJsonValue& value) {
  if (value.isString()) return value.toString();
  if (value.isBool())
    return value.toBool() ? NodeDetailsModel::tr("yes") : NodeDetailsModel::tr("no");
  if (value.isDouble()) return shortestNumber(value.toDouble());
  if (!value.isArray()) return {};
  QStringList parts;
  for (const QJsonValue& each : value.toArray()) parts.append(valueText(each));
  return parts.join(QLatin1String(", "));
}

DetailSection parameterSection(const RecordedNode& node) {
  DetailSection section{NodeDetailsModel::tr("Parameters"), {}, {}};
  const QJsonObject values =
      QJsonDocument::fromJson(QByteArray::fromStdString(node.parameters)).object();
  for (auto it = values.begin(); it != values.end(); ++it)
    section.rows.append({it.key(), valueText(it.value()), {}, 0, false, -1});
  return section;
}

DetailSection layerSection(const GraphRecording& graph, const RecordedNode& node) {
  DetailSection section{NodeDetailsModel::tr("In the same layer"), {}, {}};
  if (node.layer.empty()) return section;
  for (const RecordedNode& each : graph.nodes) {
    if (each.layer != node.layer || each.id == node.id) continue;
    const qint64 time = kernelNs(each);
    const QString about = each.kind == RecordedKind::Leaf && !each.inputs.empty()
                              ? text(each.inputs.front().name)
                              : nodePhase(each).toLower();
    section.rows.append(
        {nodeTitle(each), about, time > 0 ? kernelTime(time) : QString(), 0, false, each.id});
  }
  return section;
}

}  // namespace

QList<DetailSection> nodeDetails(const StepData& step, int id) {
  QList<DetailSection> sections;
  if (!step.graph || id < 0 || static_cast<size_t>(id) >= step.graph->nodes.size()) return sections;
  const RecordedNode& node = step.graph->nodes[static_cast<size_t>(id)];
  const bool gives = node.kind == RecordedKind::Backward;
  const QString outputs =
      gives ? NodeDetailsModel::tr("Gradients given") : NodeDetailsModel::tr("Outputs");
  for (const DetailSection& section :
       {tensorSection(NodeDetailsModel::tr("Inputs"), NodeDetailsModel::tr("input %1"),
                      node.inputs),
        tensorSection(outputs, NodeDetailsModel::tr("output %1"), node.outputs),
        tensorSection(NodeDetailsModel::tr("Saved from forward"), NodeDetailsModel::tr("tensor %1"),
                      node.saved),
        kernelSection(node), blockSection(step, id), parameterSection(node),
        layerSection(*step.graph, node)})
    if (!section.rows.isEmpty()) sections.append(section);
  return sections;
}

QList<DetailSection> stepDetails(const StepData& step, qint64 tick) {
  QList<DetailSection> sections;
  if (step.graph) {
    qint64 saved = 0;
    for (const RecordedNode& node : step.graph->nodes) saved += savedBytes(node);
    DetailSection section{NodeDetailsModel::tr("Step"), {}, {}};
    section.rows = {
        {NodeDetailsModel::tr("Duration"), {}, kernelTime(step.graph->durationNs), 0, false, -1},
        {NodeDetailsModel::tr("Operations"),
         {},
         formatCount(static_cast<qint64>(step.graph->nodes.size())),
         0},
        {NodeDetailsModel::tr("Kernels"),
         {},
         formatCount(step.graph->kernelsLaunched),
         0,
         false,
         -1},
        {NodeDetailsModel::tr("Saved for backward"), {}, formatBytes(saved), 0, false, -1}};
    sections.append(section);
  }
  if (step.memory) {
    const StepMemory::Sums sums = step.memory->sumsAt(tick);
    const bool peak = tick == step.memory->peakTick();
    DetailSection section{
        peak ? NodeDetailsModel::tr("Memory at the peak") : NodeDetailsModel::tr("Memory"), {}, {}};
    qint64 total = 0;
    for (const qint64 bytes : sums) total += bytes;
    for (const memory::Category category : kStackedCategories) {
      const qint64 bytes = sums[static_cast<size_t>(category)];
      if (bytes > 0)
        section.rows.append({categoryTitle(category),
                             formatPercent(static_cast<double>(bytes) / static_cast<double>(total)),
                             formatBytes(bytes), 0, false, -1});
    }
    section.note = formatBytes(total);
    section.rows.append({NodeDetailsModel::tr("Reserved by the allocator"),
                         {},
                         formatBytes(static_cast<qint64>(step.memory->recording().reservedBytes)),
                         0});
    sections.append(section);
  }
  return sections;
}

void NodeDetailsModel::setSections(QList<DetailSection> sections) {
  if (sections == sections_) return;
  beginResetModel();
  sections_ = std::move(sections);
  endResetModel();
}

/// A line knows its section by the internal id: 0 for sections, their place + 1 for lines.
QModelIndex NodeDetailsModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : 0);
}

QModelIndex NodeDetailsModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || child.internalId() == 0) return {};
  return createIndex(static_cast<int>(child.internalId()) - 1, 0, quintptr{0});
}

int NodeDetailsModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(sections_.size());
  if (parent.internalId() != 0 || parent.column() != 0) return 0;
  return static_cast<int>(sections_[parent.row()].rows.size());
}

int NodeDetailsModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QVariant NodeDetailsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const bool title = index.internalId() == 0;
  const DetailSection& section =
      sections_[title ? index.row() : static_cast<int>(index.internalId()) - 1];
  const DetailRow row =
      title ? DetailRow{section.title, {}, section.note, 0, false, -1} : section.rows[index.row()];
  switch (role) {
    case Qt::DisplayRole:
      return index.column() == Name ? row.name : index.column() == Value ? row.value : row.amount;
    case Qt::ToolTipRole: {
      if (title) return {};
      QStringList parts{row.name, row.value, row.amount};
      parts.removeAll(QString());
      if (row.blockedLayout) parts.append(tr("in the blocked layout of the kernels"));
      if (row.block) parts.append(tr("block %1").arg(row.block));
      return parts.join(u'\n');
    }
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(
          Qt::Alignment(index.column() == Amount ? Qt::AlignRight : Qt::AlignLeft) |
          Qt::AlignVCenter);
    case Qt::FontRole:
      return title && index.column() == Name ? QVariant(textFont(TextSize::Small, true))
                                             : QVariant(textFont(TextSize::Small));
    case Qt::ForegroundRole:
      return title || index.column() == Value ? QVariant(currentTheme().secondary) : QVariant();
    case kBlockRole:
      return QVariant::fromValue(row.block);
    case kNodeRole:
      return row.node;
    case kNoteRole:
      return title ? QVariant(section.note) : QVariant();
    default:
      return {};
  }
}

QVariant NodeDetailsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Name:
      return tr("Name");
    case Value:
      return tr("Shape");
    case Amount:
      return tr("Size");
    default:
      return {};
  }
}

}  // namespace tenon::ui
