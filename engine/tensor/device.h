// SPDX-License-Identifier: Apache-2.0
// Where a tensor lives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/export.h"

namespace tenon {

enum class DeviceKind : uint8_t { Cpu = 0, Cuda = 1 };

/// A device: its kind and its number among those of its kind.
struct Device {
  DeviceKind kind = DeviceKind::Cpu;
  uint8_t index = 0;
  bool operator==(const Device&) const = default;
};

/// "cpu", "cuda:0"
TENON_API std::string toString(Device device);
/// Reads "cpu", "cuda" (index 0) or "cuda:N". @throws Error(Code::Device) for anything else.
TENON_API Device deviceFromName(std::string_view name);

}  // namespace tenon
