// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of the run that Train shows.
#include "ui/curves/train_board.h"

#include <utility>

#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/run_controller.h"
#include "ui/session/run_data.h"
#include "ui/session/selection.h"

namespace tenon::ui {

TrainBoard& TrainBoard::of(const PanelContext& context) {
  // It lives as long as the window's runs do, so panels of all modes find the same one.
  auto* board = context.runs.findChild<TrainBoard*>(QString(), Qt::FindDirectChildrenOnly);
  return board ? *board : *new TrainBoard(context);
}

TrainBoard::TrainBoard(const PanelContext& context)
    : QObject(&context.runs),
      controller_(context.run),
      runs_(context.runs),
      selection_(context.selection) {
  if (controller_.isLive()) own_ = controller_.run();
  wanted_ = own_ > 0 ? 0 : selection_.currentRun();
  connect(&controller_, &RunController::started, this, [this](qint64 run) {
    own_ = run;
    wanted_ = 0;
    choose();
  });
  connect(&runs_, &RunData::runsChanged, this, &TrainBoard::choose);
  connect(&runs_, &RunData::sourceChanged, this, &TrainBoard::forget);
  connect(&selection_, &Selection::runsChanged, this, [this] {
    if (!controller_.isLive()) show(selection_.currentRun());
  });
  connect(&context.navigation, &Navigation::arrived, this, &TrainBoard::arrive);
  choose();
}

bool TrainBoard::showsLiveRun() const {
  return controller_.isLive() && run_ > 0 && controller_.run() == run_ && own_ == run_;
}

void TrainBoard::show(qint64 run) {
  wanted_ = run;
  choose();
}

void TrainBoard::setXAxis(XAxis axis) {
  if (std::exchange(axis_, axis) != axis) Q_EMIT xAxisChanged(axis);
}

void TrainBoard::choose() {
  qint64 chosen = 0;
  if (wanted_ > 0 && runs_.runs().find(wanted_)) {
    chosen = wanted_;
  } else if (own_ > 0 && (controller_.isLive() || runs_.runs().find(own_))) {
    chosen = own_;
  } else if (!runs_.runs().runs().empty()) {
    chosen = runs_.runs().runs().front().id;
  }
  if (std::exchange(run_, chosen) != chosen) Q_EMIT runChanged(run_);
}

void TrainBoard::forget() {
  wanted_ = 0;
  own_ = 0;
  choose();
}

void TrainBoard::arrive(const Destination& destination) {
  if (destination.mode == Mode::Train && destination.run > 0) show(destination.run);
}

}  // namespace tenon::ui
