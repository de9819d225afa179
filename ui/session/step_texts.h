// SPDX-License-Identifier: GPL-3.0-or-later
// Words, icons and hues for what a recorded step holds, the same in graph, track, list and details.
#pragma once

#include <QString>
#include <array>

#include "engine/memory/allocator.h"
#include "engine/observe/graph_recording.h"

namespace tenon::ui {

/// "128×1×28×28"; "scalar" without sizes.
[[nodiscard]] QString tensorShape(const std::vector<int64_t>& sizes);
/// "980 ns", "12.4 µs", "41.0 ms", "1.24 s".
[[nodiscard]] QString kernelTime(qint64 nanoseconds);
/// "Forward", "Loss", "Backward", "Optimizer".
[[nodiscard]] QString nodePhase(const RecordedNode& node);
/// What the node is called where its layer is not said: the operator.
[[nodiscard]] QString nodeTitle(const RecordedNode& node);
/// Icon for an operator ("conv", "norm", ...).
[[nodiscard]] QString opIcon(const std::string& op);
[[nodiscard]] qint64 savedBytes(const RecordedNode& node);
[[nodiscard]] qint64 kernelNs(const RecordedNode& node);

/// Categories in the order they are stacked: what lives longest lies below.
inline constexpr std::array<memory::Category, memory::kCategoryCount> kStackedCategories = {
    memory::Category::Parameter, memory::Category::Buffer,   memory::Category::OptimizerState,
    memory::Category::Input,     memory::Category::Gradient, memory::Category::Activation,
    memory::Category::Temporary};
/// Position of a category in the stack.
[[nodiscard]] int stackedPlace(memory::Category category);
/// "Parameters", "Gradients", ...
[[nodiscard]] QString categoryTitle(memory::Category category);
/// Its series hue (Theme::seriesColor).
[[nodiscard]] int categoryHue(memory::Category category);
/// "Forward", "Data", ...; empty for none.
[[nodiscard]] QString memoryPhase(memory::Phase phase);

}  // namespace tenon::ui
