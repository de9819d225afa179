// SPDX-License-Identifier: GPL-3.0-or-later
// The main job, as somebody does it who starts the program for the first time.
#pragma once

namespace tenon::screens {

class Stage;

/// Run, points in the plot, a recorded step, Stop, the run in Results, the recording in Inspect.
/// Throws Failed at the first thing that is not as it should be.
void doMainJob(Stage& stage);

/// The beginning alone: the sample opens as a copy, in Train, with Run focused; Ctrl+Q.
void doFirstStart(Stage& stage);

}  // namespace tenon::screens
