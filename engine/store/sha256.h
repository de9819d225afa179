// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) of a span of bytes; uses the processor's SHA instructions where there are
// any.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "engine/base/export.h"

namespace tenon {

using Digest = std::array<std::byte, 32>;

TENON_API Digest sha256(std::span<const std::byte> bytes);

/// The portable one, for comparison in tests.
TENON_API Digest sha256Portable(std::span<const std::byte> bytes);

}  // namespace tenon
