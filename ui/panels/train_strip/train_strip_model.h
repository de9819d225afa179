// SPDX-License-Identifier: GPL-3.0-or-later
// What the strip of Train says of a run, as texts.
#pragma once

#include <QString>

#include "engine/store/runs.h"
#include "ui/session/run_controller.h"
#include "ui/widgets/icon.h"

namespace tenon::ui {

/// A state as word and icon.
struct StateText {
  QString text;
  QString icon;
  Tint tint = Tint::Text;
};

/// The values of the strip; an unknown one is "\u2013".
struct StripValues {
  StateText state;
  QString epoch;      ///< "3 / 10"
  QString step;       ///< "1 407"
  QString eta;        ///< "2 min 05 s"
  QString speed;      ///< samples a second
  QString wait;       ///< share of time spent waiting for data
  double done = 0;    ///< 0..1
  bool busy = false;  ///< works, but how far is not known
};

[[nodiscard]] StateText stateText(RunState state);
[[nodiscard]] StateText stateText(RunStatus status);
/// Of a run whose store cannot be read.
[[nodiscard]] StateText unreadableState();
/// Every word that the state can be, in the language in force: a tile keeps room for the widest.
[[nodiscard]] QStringList stateWords();

/// Of the run that trains in this window.
[[nodiscard]] StripValues liveValues(RunState state, const TrainProgress& progress,
                                     const RunTrouble& trouble = {});
/// Of any other run, as stored; null: there is none. `epochs`: how many its settings want, 0:
/// unknown.
[[nodiscard]] StripValues storedValues(const RunInfo* run, qint64 epochs);
/// Epochs that a run's settings want; 0 if they do not say.
[[nodiscard]] qint64 epochsWanted(const RunInfo& run);

}  // namespace tenon::ui
