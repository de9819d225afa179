// SPDX-License-Identifier: GPL-3.0-or-later
// Layers as rows of a tree.
#include "ui/panels/outline/outline_model.h"

#include <QHash>
#include <algorithm>
#include <functional>
#include <utility>

#include "ui/graphview/graph_style.h"
#include "ui/session/frames.h"
#include "ui/session/texts.h"
#include "ui/widgets/format.h"
#include "ui/widgets/icon.h"

namespace tenon::ui {
namespace {

constexpr QSizeF kNodeSize{canvas::kNodeWidth, canvas::kNodeHeight};

QString frameOf(const LayoutSpec& layout, const std::string& node) {
  const auto at = layout.positions.find(node);
  if (at == layout.positions.end()) return {};
  return frameAt(layout, {at->second.x, at->second.y}, kNodeSize);
}

bool isWrong(const Issues& issues, const std::string& node) {
  return std::any_of(issues.begin(), issues.end(), [&](const Issue& issue) {
    return issue.severity == Severity::Error && issue.place.node == node;
  });
}

}  // namespace

int OutlineModel::Rows::append(Entry entry) {
  const int place = int(entries.size());
  std::vector<int>& siblings = entry.parent < 0 ? top : entries[size_t(entry.parent)].children;
  entry.row = int(siblings.size());
  siblings.push_back(place);
  entries.push_back(std::move(entry));
  return place;
}

OutlineModel::Rows OutlineModel::rowsOf(const CheckedGraph& graph, const LayoutSpec& layout,
                                        const Issues& issues) {
  Rows rows;
  QHash<QString, QString> titles;
  for (const LayoutSpec::Frame& frame : layout.frames)
    titles.insert(QString::fromStdString(frame.id), QString::fromStdString(frame.title));
  QHash<QString, int> frames;
  for (int i = 0; i < int(graph.nodes.size()); ++i) {
    const std::string& id = graph.nodes[size_t(i)].spec->id;
    const QString frame = frameOf(layout, id);
    int parent = -1;
    if (!frame.isEmpty()) {
      if (!frames.contains(frame)) {
        Entry head;
        head.id = frame;
        head.title = titles.value(frame);
        frames.insert(frame, rows.append(head));
      }
      parent = frames.value(frame);
    }
    Entry entry;
    entry.parent = parent;
    entry.node = i;
    entry.id = entry.title = QString::fromStdString(id);
    entry.wrong = isWrong(issues, id);
    rows.append(entry);
  }
  return rows;
}

/// Keeping the rows keeps what is expanded, selected and scrolled to.
bool OutlineModel::setGraph(const std::shared_ptr<const CheckedGraph>& graph,
                            const LayoutSpec& layout, const Issues& issues) {
  Rows rows = graph ? rowsOf(*graph, layout, issues) : Rows();
  const bool same = std::equal(rows.entries.begin(), rows.entries.end(), rows_.entries.begin(),
                               rows_.entries.end(), std::mem_fn(&Entry::isSameRow));
  if (!same) beginResetModel();
  graph_ = graph;
  rows_ = std::move(rows);
  if (!same) {
    endResetModel();
    return true;
  }
  tellChanged({});
  return false;
}

void OutlineModel::tellChanged(const QModelIndex& parent) {
  const int count = rowCount(parent);
  if (count == 0) return;
  Q_EMIT dataChanged(index(0, 0, parent), index(count - 1, kColumns - 1, parent));
  for (int row = 0; row < count; ++row) tellChanged(index(row, 0, parent));
}

int OutlineModel::entryAt(const QModelIndex& index) const {
  return index.isValid() ? int(index.internalId()) : -1;
}

const std::vector<int>& OutlineModel::childrenOf(int entry) const {
  return entry < 0 ? rows_.top : rows_.entries[size_t(entry)].children;
}

QModelIndex OutlineModel::indexOfNode(const QString& id) const {
  for (size_t i = 0; i < rows_.entries.size(); ++i)
    if (rows_.entries[i].node >= 0 && rows_.entries[i].id == id)
      return createIndex(rows_.entries[i].row, Layer, quintptr(i));
  return {};
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, quintptr(childrenOf(entryAt(parent))[size_t(row)]));
}

QModelIndex OutlineModel::parent(const QModelIndex& index) const {
  const int entry = entryAt(index);
  const int above = entry < 0 ? -1 : rows_.entries[size_t(entry)].parent;
  return above < 0 ? QModelIndex()
                   : createIndex(rows_.entries[size_t(above)].row, Layer, quintptr(above));
}

int OutlineModel::rowCount(const QModelIndex& parent) const {
  return parent.column() > 0 ? 0 : int(childrenOf(entryAt(parent)).size());
}

int OutlineModel::columnCount(const QModelIndex&) const { return kColumns; }

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Entry& entry = rows_.entries[size_t(entryAt(index))];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
      return text(entry, index.column());
    case Qt::DecorationRole: {
      if (index.column() != Layer || entry.node < 0) return {};
      if (entry.wrong) return icon(QStringLiteral("error"), Tint::Bad);
      const LayerDef* def = graph_->nodes[size_t(entry.node)].def;
      return def ? QVariant(icon(QString::fromStdString(def->icon), Tint::Secondary)) : QVariant();
    }
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(
          Qt::Alignment(index.column() == Parameters ? Qt::AlignRight : Qt::AlignLeft) |
          Qt::AlignVCenter);
    case kNodeRole:
      return entry.node < 0 ? QString() : entry.id;
    case kFrameRole:
      return entry.node < 0 ? entry.id : QString();
    default:
      return {};
  }
}

int64_t OutlineModel::parametersOf(const Entry& entry) const {
  if (entry.node >= 0) {
    const CheckedNode& node = graph_->nodes[size_t(entry.node)];
    return node.planned ? node.trainableCount() : 0;
  }
  int64_t sum = 0;
  for (const int child : entry.children) sum += parametersOf(rows_.entries[size_t(child)]);
  return sum;
}

QString OutlineModel::text(const Entry& entry, int column) const {
  const CheckedNode* node = entry.node < 0 ? nullptr : &graph_->nodes[size_t(entry.node)];
  switch (column) {
    case Layer:
      return entry.title;
    case Kind:
      if (!node) return tr("%n layer(s)", nullptr, int(entry.children.size()));
      return node->def ? engineText(node->def->title) : QString::fromStdString(node->spec->type);
    case Output:
      return !node || node->plan.outputs.empty() || node->plan.outputs.front().sizes.empty()
                 ? QString()
                 : QString::fromStdString(toString(node->plan.outputs.front()));
    case Parameters: {
      const int64_t count = parametersOf(entry);
      return count > 0 ? formatCount(count) : QString();
    }
    default:
      return {};
  }
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole && section == Parameters)
    return QVariant::fromValue(Qt::Alignment(Qt::AlignRight) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case Layer:
      return tr("Layer");
    case Kind:
      return tr("Kind");
    case Output:
      return tr("Output");
    case Parameters:
      return tr("Parameters");
    default:
      return {};
  }
}

}  // namespace tenon::ui
