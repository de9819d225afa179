// SPDX-License-Identifier: Apache-2.0
// Which runs of this process nobody writes any more, though their rows may still say "running"
// because the last word could not be written.
#pragma once

#include "engine/store/file_identity.h"
#include "engine/store/store.h"

namespace tenon {

/// A run is alive from its creation or takeover until its last writer in this process goes.
/// @thread any
void runBegan(const FileIdentity& file, RunId run);
void runWriterBegan(const FileIdentity& file, RunId run);
void runWriterEnded(const FileIdentity& file, RunId run);
/// True if this process had writers of the run, and the last is gone.
bool runIsAbandoned(const FileIdentity& file, RunId run);

}  // namespace tenon
