// SPDX-License-Identifier: Apache-2.0
// The table of calls a kernel may make back into the engine.
#pragma once

#include "engine/backend/api/kernel.h"

namespace tenon::gate {

/// The engine's host table: workspace from the CPU's caching allocator, log.
const TenonHost& engineHost();

}  // namespace tenon::gate
