// SPDX-License-Identifier: GPL-3.0-or-later
// The main job, as somebody does it who starts the program for the first time.
#pragma once

namespace tenon::screens {

class Stage;

/// Run, points in the plot, a recorded step, Stop, the run in Results, the recording in Inspect.
/// Throws Failed at the first thing that is not as it should be.
void doMainJob(Stage& stage);

}  // namespace tenon::screens
