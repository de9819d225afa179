// SPDX-License-Identifier: Apache-2.0
// The benchmark's smallest measures: what one call costs when there is next to nothing to compute.
#pragma once

#include <string>
#include <vector>

namespace tenon::cli {

std::vector<std::string> microNames();

/// Nanoseconds a call.
struct MicroTimes {
  double least = 0;  ///< of many short repetitions: what it costs on a quiet machine
  double median = 0;
};
/// Measures one for about `seconds`. @throws Error(Code::Usage) naming the known ones.
MicroTimes measureMicro(const std::string& name, double seconds);

}  // namespace tenon::cli
