// SPDX-License-Identifier: Apache-2.0
// Checks that an allocator's snapshot, its statistics and a test's own list of live blocks agree.
#pragma once

#include <map>

#include "engine/memory/allocator.h"

namespace tenon::memory {

/// Live blocks by address, as the test knows them.
using LiveBlocks = std::map<uintptr_t, Block*>;

struct InvariantOptions {
  bool coalesced = true;  ///< no two free neighbours (the front cache may keep some apart)
};

/// Adds test failures: segments apart and without gaps, blocks and sums equal to `live` and to the
/// statistics.
void checkInvariants(const CachingAllocator& allocator, const LiveBlocks& live,
                     InvariantOptions options = {});

/// Adds a block to `live`; a test failure if it overlaps another.
void addLive(LiveBlocks& live, Block* block);

}  // namespace tenon::memory
