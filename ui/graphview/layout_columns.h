// SPDX-License-Identifier: GPL-3.0-or-later
// Folds a drawing that is far higher than wide into columns side by side.
#pragma once

#include "ui/graphview/layered_layout.h"

namespace tenon::ui::layout {

/// Cuts a top-down drawing between layers that a single wire joins and puts the pieces beside each
/// other, all of one pitch. Where long wires cross every layer (a U-net) it stays as it is.
/// @thread any
void foldIntoColumns(const LayoutGraph& graph, LayoutResult& result);

}  // namespace tenon::ui::layout
