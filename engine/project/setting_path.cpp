// SPDX-License-Identifier: Apache-2.0
// Paths of settings without brackets and without the ".type" that may be left out.
#include "engine/project/setting_path.h"

namespace tenon {

std::string normalPath(std::string_view path) {
  std::string out;
  for (char c : path) {
    if (c == ']') continue;
    out += c == '[' ? '.' : c;
  }
  return out;
}

bool sameSetting(std::string_view a, std::string_view b) {
  const auto bare = [](std::string_view path) {
    constexpr std::string_view kType = ".type";
    std::string out = normalPath(path);
    if (out.ends_with(kType)) out.resize(out.size() - kType.size());
    return out;
  };
  return bare(a) == bare(b);
}

}  // namespace tenon
