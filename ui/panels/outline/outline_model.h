// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of the model as a tree: frames of the canvas, and in them layers in the order of
// computing.
#pragma once

#include <QAbstractItemModel>
#include <QIcon>
#include <memory>
#include <vector>

#include "engine/graph/check.h"
#include "engine/project/specs.h"

namespace tenon::ui {

class OutlineModel final : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { Layer, Kind, Output, Parameters, kColumns };
  static constexpr int kNodeRole = Qt::UserRole + 1;   ///< QString: id of the layer, empty: a frame
  static constexpr int kFrameRole = Qt::UserRole + 2;  ///< QString: id of the frame, empty: a layer

  using QAbstractItemModel::QAbstractItemModel;

  /// A null graph shows nothing. True if the rows are others now, all of them new (a reset); else
  /// what they say may have changed.
  bool setGraph(const std::shared_ptr<const CheckedGraph>& graph, const LayoutSpec& layout,
                const Issues& issues);
  [[nodiscard]] QModelIndex indexOfNode(const QString& id) const;

  [[nodiscard]] QModelIndex index(int row, int column,
                                  const QModelIndex& parent = {}) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  struct Entry {
    int parent = -1;  ///< place in entries_; -1: top
    int row = 0;
    int node = -1;  ///< place in the graph; -1: a frame
    QString id;     ///< of the layer or the frame
    QString title;
    bool wrong = false;
    std::vector<int> children;
    [[nodiscard]] bool isSameRow(const Entry& other) const {
      return parent == other.parent && row == other.row && node == other.node && id == other.id;
    }
  };
  using Entries = std::vector<Entry>;
  /// Rows as they are made from a graph.
  struct Rows {
    Entries entries;
    std::vector<int> top;
    int append(Entry entry);
  };
  [[nodiscard]] static Rows rowsOf(const CheckedGraph& graph, const LayoutSpec& layout,
                                   const Issues& issues);
  void tellChanged(const QModelIndex& parent);
  [[nodiscard]] int entryAt(const QModelIndex& index) const;
  [[nodiscard]] const std::vector<int>& childrenOf(int entry) const;
  [[nodiscard]] QString text(const Entry& entry, int column) const;
  [[nodiscard]] int64_t parametersOf(const Entry& entry) const;

  std::shared_ptr<const CheckedGraph> graph_;
  Rows rows_;
};

}  // namespace tenon::ui
