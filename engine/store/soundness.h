// SPDX-License-Identifier: Apache-2.0
// Looks for damage of a database where that is cheap, so that it is noticed before anything is
// written.
#pragma once

#include "engine/store/database.h"

namespace tenon {

/// A small file is looked at as a whole; of a large one, all tables but those that hold bulk data
/// (their blobs carry checksums), so that a gigabyte opens as fast. Reads only.
/// @throws Error(Code::Input) naming file and damage
void refuseDamage(Database& database);
/// The same for who only reads: what can be read is worth more than a refusal, so it is a warning
/// in the log.
void warnOfDamage(Database& database);

}  // namespace tenon
