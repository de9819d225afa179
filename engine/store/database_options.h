// SPDX-License-Identifier: Apache-2.0
// How the store's own files are opened.
#pragma once

#include "engine/store/database.h"
#include "engine/store/store.h"

namespace tenon {

/// Options for a further connection to the open store's `tenon.sqlite`.
TENON_API DatabaseOptions metricsDatabase(const Store& store, int cacheKiB);
/// The same for `checkpoints.sqlite`.
TENON_API DatabaseOptions checkpointsDatabase(const Store& store, int cacheKiB);

}  // namespace tenon
