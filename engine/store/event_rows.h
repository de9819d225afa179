// SPDX-License-Identifier: Apache-2.0
// Writing an event inside somebody else's transaction.
#pragma once

#include "engine/store/database.h"
#include "engine/store/events.h"

namespace tenon {

/// Inserts one event and returns its id; the caller holds the transaction.
int64_t insertEvent(Database& database, const Event& event);

}  // namespace tenon
