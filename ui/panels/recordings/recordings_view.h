// SPDX-License-Identifier: GPL-3.0-or-later
// The recorded steps and the order to record another.
#pragma once

#include <QWidget>

#include "ui/session/recordings.h"

class QListView;
class QProgressBar;
class QPushButton;
class QLabel;

namespace tenon::ui {

struct PanelContext;
class ProblemFrame;
class RecordingsModel;

/// The current row is the selection's recording. One that arrives is selected if this window asked
/// for it or nothing is selected. Reads while visible.
class RecordingsView final : public QWidget {
  Q_OBJECT
 public:
  explicit RecordingsView(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  enum class Offer { Record, Step, Run };

  void buildList();
  [[nodiscard]] QWidget* newFooter();
  void follow();
  void look();
  void refresh();
  void take(const QList<RecordingInfo>& recordings);
  void readPeaks();
  void showProblem();
  void showSelected();
  void tellSelected();
  [[nodiscard]] Offer offer() const;
  void showFooter();
  void act();

  PanelContext& context_;
  RecordingsModel* model_;
  QListView* list_;
  ProblemFrame* frame_;
  QLabel* hint_ = nullptr;
  QProgressBar* busy_ = nullptr;
  QPushButton* button_ = nullptr;
  QPushButton* withdraw_ = nullptr;
  QString listProblem_;
  QString peakProblem_;
  qint64 newestUs_ = 0;    ///< the newest recording seen
  quint64 source_ = 0;     ///< counts projects; answers about one before are dropped
  bool stale_ = true;      ///< the list may be another than was read
  bool waiting_ = false;   ///< a step was asked for and is not stored yet
  bool expected_ = false;  ///< the step asked for is stored and not listed yet
  bool reading_ = false;   ///< peaks are being read
  bool showing_ = false;   ///< the list is being brought to the selection
};

}  // namespace tenon::ui
