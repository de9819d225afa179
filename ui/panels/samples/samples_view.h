// SPDX-License-Identifier: GPL-3.0-or-later
// The samples of a run after each epoch: in Train of the run it shows, in Results of the selected
// one.
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "engine/store/artifacts.h"
#include "ui/session/recordings.h"

class QComboBox;
class QLabel;
class QStackedLayout;

namespace tenon::ui {

struct PanelContext;
class EmptyState;
class InlineMessage;
class ProblemFrame;
class SampleGallery;
class TrainBoard;

/// Shows the newest epoch until another one is chosen. Reads while visible.
class SamplesView final : public QWidget {
  Q_OBJECT
 public:
  explicit SamplesView(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  void follow();
  [[nodiscard]] qint64 wantedRun() const;
  [[nodiscard]] QStringList classNames() const;
  void refresh();
  void takeList(qint64 run, const std::vector<ArtifactInfo>& list);
  void load();
  void show(const std::shared_ptr<const Predictions>& predictions);
  void showProblem(const QString& problem);
  void showEmpty();
  void cannotRead(const QString& reason);

  PanelContext& context_;
  TrainBoard& board_;
  QStackedLayout* stack_ = nullptr;
  ProblemFrame* frame_ = nullptr;
  EmptyState* empty_;
  InlineMessage* problem_;
  SampleGallery* gallery_;
  QComboBox* epochs_;
  QLabel* score_;
  qint64 run_ = 0;
  qint64 shown_ = 0;    ///< artifact that is shown
  qint64 loading_ = 0;  ///< artifact that is on its way
  bool stale_ = true;
};

}  // namespace tenon::ui
