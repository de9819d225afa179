// SPDX-License-Identifier: GPL-3.0-or-later
// Layers as rows of a tree.
#include "ui/panels/outline/outline_model.h"

#include <QHash>
#include <algorithm>

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

int OutlineModel::append(Entry entry) {
  const int place = int(entries_.size());
  std::vector<int>& siblings = entry.parent < 0 ? top_ : entries_[size_t(entry.parent)].children;
  entry.row = int(siblings.size());
  siblings.push_back(place);
  entries_.push_back(std::move(entry));
  return place;
}

void OutlineModel::setGraph(const std::shared_ptr<const CheckedGraph>& graph,
                            const LayoutSpec& layout, const Issues& issues) {
  beginResetModel();
  graph_ = graph;
  entries_.clear();
  top_.clear();
  QHash<QString, QString> titles;
  for (const LayoutSpec::Frame& frame : layout.frames)
    titles.insert(QString::fromStdString(frame.id), QString::fromStdString(frame.title));
  QHash<QString, int> frames;
  for (int i = 0; graph_ && i < int(graph_->nodes.size()); ++i) {
    const std::string& id = graph_->nodes[size_t(i)].spec->id;
    const QString frame = frameOf(layout, id);
    int parent = -1;
    if (!frame.isEmpty()) {
      if (!frames.contains(frame)) {
        Entry head;
        head.title = titles.value(frame);
        frames.insert(frame, append(head));
      }
      parent = frames.value(frame);
    }
    Entry entry;
    entry.parent = parent;
    entry.node = i;
    entry.title = QString::fromStdString(id);
    entry.wrong = isWrong(issues, id);
    append(entry);
  }
  endResetModel();
}

int OutlineModel::entryAt(const QModelIndex& index) const {
  return index.isValid() ? int(index.internalId()) : -1;
}

const std::vector<int>& OutlineModel::childrenOf(int entry) const {
  return entry < 0 ? top_ : entries_[size_t(entry)].children;
}

QModelIndex OutlineModel::indexOfNode(const QString& id) const {
  for (size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].node >= 0 && entries_[i].title == id)
      return createIndex(entries_[i].row, Layer, quintptr(i));
  return {};
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, quintptr(childrenOf(entryAt(parent))[size_t(row)]));
}

QModelIndex OutlineModel::parent(const QModelIndex& index) const {
  const int entry = entryAt(index);
  const int above = entry < 0 ? -1 : entries_[size_t(entry)].parent;
  return above < 0 ? QModelIndex()
                   : createIndex(entries_[size_t(above)].row, Layer, quintptr(above));
}

int OutlineModel::rowCount(const QModelIndex& parent) const {
  return parent.column() > 0 ? 0 : int(childrenOf(entryAt(parent)).size());
}

int OutlineModel::columnCount(const QModelIndex&) const { return kColumns; }

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Entry& entry = entries_[size_t(entryAt(index))];
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
      return entry.node < 0 ? QString() : entry.title;
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
  for (const int child : entry.children) sum += parametersOf(entries_[size_t(child)]);
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
