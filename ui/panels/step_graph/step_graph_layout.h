// SPDX-License-Identifier: GPL-3.0-or-later
// From a recorded step to a graph whose nodes have their places; all that takes long, in one go.
#pragma once

#include <optional>
#include <stop_token>

#include "ui/panels/step_graph/step_graph_model.h"

namespace tenon::ui {

/// Chooses the nodes and lays them out. @returns nothing when `stop` was requested before it was
/// done. @thread any
[[nodiscard]] std::optional<StepGraph> arrangedStepGraph(const StepData& step,
                                                         const StepGraphWish& wish,
                                                         const std::stop_token& stop = {});

}  // namespace tenon::ui
