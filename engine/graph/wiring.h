// SPDX-License-Identifier: Apache-2.0
// Wires of a graph under check: which port leads where, and in which order nodes run.
#pragma once

#include <string>
#include <vector>

#include "engine/graph/check.h"

namespace tenon {

/// An error at a node (empty: at the graph as a whole).
Issue graphIssue(std::string code, std::string text, std::vector<std::string> args,
                 std::string node = "", std::string field = "");
/// Fills CheckedNode::inputs from the edges; adds an issue for each edge that leads nowhere and
/// each open input.
void connect(const GraphSpec& spec, CheckedGraph& graph);
/// Sorts nodes so that each comes after those it reads from, as near to the file's order as can be;
/// circles become an issue that names their nodes.
void sortByOrder(CheckedGraph& graph);

}  // namespace tenon
