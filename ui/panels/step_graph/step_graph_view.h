// SPDX-License-Identifier: GPL-3.0-or-later
// The centre of Inspect: the computation graph of the recorded step.
#pragma once

#include <QPointF>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <stop_token>

#include "ui/panels/step_graph/step_graph_model.h"
#include "ui/session/background.h"

class QAction;
class QButtonGroup;
class QCheckBox;
class QLabel;
class QMenu;
class QStackedLayout;

namespace tenon::ui {

struct PanelContext;
struct StepData;
class ElidedLabel;
class EmptyState;
class GraphView;
class RecordedStep;

/// Follows the recorded step while visible; what is clicked becomes the one selection.
class StepGraphView final : public QWidget {
  Q_OBJECT
 public:
  explicit StepGraphView(PanelContext& context, QWidget* parent = nullptr);
  ~StepGraphView() override;

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  enum Pass { kAll, kForward, kBackward };
  enum class Reveal { No, Yes };

  [[nodiscard]] QWidget* newStrip();
  [[nodiscard]] QWidget* newWaitBar();
  void buildActions();
  void follow();
  void setWaiting(bool waiting);
  void stepChanged();
  void refresh();
  void showEmpty();
  void clearShown();
  void change(const StepGraphWish& wish, const QString& anchor = {});
  void arrange();
  void endArranging();
  void cancelArranging();
  void giveUp(const QString& reason);
  void take(const std::shared_ptr<const StepData>& step, StepGraph graph);
  [[nodiscard]] QString nodeToKeep() const;
  void keepInPlace(const QString& before, const QPointF& place);
  void takeSelection(Reveal reveal = Reveal::Yes);
  void tellSelection(const QStringList& ids);
  void activate(const QString& id);
  void showMenu(const QString& id, const QPoint& place);
  void addNodeActions(QMenu& menu, const QString& id);
  void setExpanded(const QString& group, bool expanded);
  void showOnCanvas(const QString& id);
  void savePicture();
  void search(const QString& text);
  void showCounts();
  void showChoices();
  [[nodiscard]] bool isCurrent() const;
  [[nodiscard]] const RecordedNode* firstNode(const QString& id) const;
  [[nodiscard]] QString layerOf(const QString& id) const;

  PanelContext& context_;
  RecordedStep& step_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  GraphView* view_;
  QWidget* waitBar_ = nullptr;
  QLabel* waitText_ = nullptr;
  ElidedLabel* counts_ = nullptr;
  QButtonGroup* passes_ = nullptr;  ///< by Pass
  QCheckBox* optimizer_ = nullptr;
  QAction* expandAll_ = nullptr;
  QAction* collapseAll_ = nullptr;
  QAction* picture_ = nullptr;
  QTimer slow_;              ///< says that arranging takes long
  StepGraphWish wish_;       ///< what is wanted
  StepGraphWish shownWish_;  ///< what the graph shown was made for
  StepGraph shown_;
  std::shared_ptr<const StepData> shownStep_;  ///< of shown_; null: no graph is shown
  QString anchor_;  ///< node whose place on the screen is kept when the graph changes
  bool stale_ = true;
  bool fits_ = true;
  bool cancelled_ = false;  ///< a person gave up the first arranging of this step
  bool waiting_ = false;    ///< a step was asked for and is not stored yet
  bool taking_ = false;
  quint64 generation_ = 0;
  std::stop_source stop_;                         ///< of what is being arranged
  Background background_{1, "tenon-step-graph"};  ///< arranges; last, so it is joined first
};

}  // namespace tenon::ui
