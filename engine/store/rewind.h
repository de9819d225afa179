// SPDX-License-Identifier: Apache-2.0
// Forgetting what came after a step, for a run that is resumed in place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/store/store.h"

namespace tenon {

/// What a run forgets because it does it again.
struct Rewind {
  int64_t lastStep = 0;  ///< metric rows and events of later steps go
  /// What belongs to the end of an epoch (below) goes from later steps than this; at most lastStep.
  int64_t lastEpochEnd = 0;
  std::string epochSeries = {};  ///< curves whose names begin so; empty: none
  std::vector<std::string> epochEvents = {};
  /// Kinds of artifacts. Others stay: a person asked for them, and nobody makes them again.
  std::vector<std::string> epochArtifacts = {};
};

/// Cuts rows, events and artifacts of a run, and its best value if that was found later. Nobody
/// else may write the run meanwhile. @throws Error (Io, Busy)
TENON_API void rewindRun(Store& store, RunId run, const Rewind& to);

}  // namespace tenon
