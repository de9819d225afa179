// SPDX-License-Identifier: Apache-2.0
// The graphs inside of a node, for its layer.
#pragma once

#include <string>

#include "engine/layers/inner_graph.h"
#include "engine/project/specs.h"

namespace tenon {

/// The graphs of a node by slot, to be planned and run by its layer.
/// @param path of the node, "block.conv1": what its inner layers are named after
/// @param depth of the graphs: 1 inside of a node of the model
TENON_API InnerGraphs innerGraphsOf(const NodeSpec& node, const std::string& path, int depth);

}  // namespace tenon
