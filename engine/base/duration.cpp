// SPDX-License-Identifier: Apache-2.0
// Hours, minutes and seconds.
#include "engine/base/duration.h"

#include <fmt/format.h>

namespace tenon {

std::string durationText(int64_t us) {
  const int64_t whole = (us + 500'000) / 1'000'000;
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

}  // namespace tenon
