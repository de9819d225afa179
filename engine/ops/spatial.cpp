// SPDX-License-Identifier: Apache-2.0
// Checks of operators over one to three spatial axes.
#include "engine/ops/spatial.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace tenon::spatial {

int axesOf(const Tensor& x, const char* op, const char* name) {
  if (!x.defined())
    throw Error(Code::Usage, fmt::format("[{}] {} is undefined: it holds no tensor", op, name));
  const int axes = x.ndim() - 2;
  if (axes < 1 || axes > 3)
    throw Error(Code::Shape, fmt::format("[{}] {} wants [N, C] and 1 to 3 spatial axes, got {}", op,
                                         name, describe(x)));
  return axes;
}

std::string nameOf(const char* family, int axes) { return fmt::format("{}{}d", family, axes); }

PerAxis spread(const PerAxis& setting, int axes, int64_t least, const std::string& op,
               const char* what) {
  const auto wanted = static_cast<size_t>(axes);
  if (setting.size() != 1 && setting.size() != wanted)
    throw Error(Code::Usage, fmt::format("[{}] {} wants 1 or {} numbers, got {}", op, what, axes,
                                         setting.size()));
  for (int64_t number : setting)
    if (number < least)
      throw Error(Code::Usage,
                  fmt::format("[{}] {} wants at least {}, got {}", op, what, least, number));
  return setting.size() == wanted ? setting : PerAxis(wanted, setting[0]);
}

}  // namespace tenon::spatial
