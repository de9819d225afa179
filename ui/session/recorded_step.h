// SPDX-License-Identifier: GPL-3.0-or-later
// RecordedStep: the selected recording, read once for all panels of Inspect, and the one selection
// of node, block and layer over it.
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "ui/session/selection.h"
#include "ui/session/step_links.h"
#include "ui/session/step_memory.h"

namespace tenon::ui {

struct PanelContext;
class RunData;

/// A recording as read. Immutable, safe on any thread.
struct StepData {
  std::shared_ptr<const GraphRecording> graph;  ///< null: not stored or damaged
  std::shared_ptr<const StepMemory> memory;     ///< null: not stored or damaged
  StepLinks links;
  QString graphProblem;  ///< why the graph cannot be read; empty if it can, or is not there
  QString memoryProblem;
  qint64 graphArtifact = 0;  ///< what was read, 0: not stored
  qint64 memoryArtifact = 0;
};

/// Decodes and links; empty bytes stand for a part that is not stored. Never throws. @thread any
[[nodiscard]] std::shared_ptr<const StepData> readStep(const std::vector<std::byte>& graph,
                                                       const std::vector<std::byte>& memory);

/**
 * Follows Selection::recording(). Panels show what the selection says and choose through
 * selectNode() and selectBlock(), which keep node, block and layer together, so that none answers
 * another in a circle. A layer chosen elsewhere (canvas) chooses its first node here.
 */
class RecordedStep final : public QObject {
  Q_OBJECT
 public:
  /// The one of this window; made when first asked for.
  static RecordedStep& of(const PanelContext& context);
  RecordedStep(RunData& runs, Selection& selection, QObject* parent);

  enum class State {
    None,     ///< no recording is selected
    Loading,  ///< it is being read; data() is empty
    Ready,    ///< data() has what could be read
    Absent,   ///< it is not in the store (any more)
    Failed,   ///< the store cannot be read: the problems of data() say why; tried again
  };
  [[nodiscard]] State state() const { return state_; }
  /// Never null.
  [[nodiscard]] const std::shared_ptr<const StepData>& data() const { return data_; }

  /// The selected node and block of data(), null or -1 if there is none.
  [[nodiscard]] const RecordedNode* node() const;
  [[nodiscard]] int block() const;

  /// Selects a node with its layer and the largest block it asked for; -1 clears all.
  void selectNode(int id);
  /// Selects a block by the allocator's id with its node and layer; 0 clears the block.
  void selectBlock(quint64 id);

  /// The tick whose live blocks are listed: the peak until a person chose another.
  [[nodiscard]] qint64 instant() const { return instant_; }
  [[nodiscard]] bool isAtPeak() const;
  void setInstant(qint64 tick);
  void setInstantToPeak();

 Q_SIGNALS:
  /// state() or data() is another.
  void changed();
  void instantChanged(qint64 tick);

 private:
  void load();
  void loadIfOther();
  void ask(int waited);
  void fail(const QString& text, int waited);
  void take(std::shared_ptr<const StepData> data);
  void set(State state, std::shared_ptr<const StepData> data);
  void followLayer(const QStringList& ids);
  [[nodiscard]] quint64 mainBlock(int node) const;

  RunData& runs_;
  Selection& selection_;
  std::shared_ptr<const StepData> data_;
  State state_ = State::None;
  qint64 instant_ = 0;
  int generation_ = 0;
  bool choosing_ = false;  ///< the selection changes by our own doing
};

}  // namespace tenon::ui
