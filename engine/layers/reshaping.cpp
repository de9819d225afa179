// SPDX-License-Identifier: Apache-2.0
// Sizes that a person gives and the one that follows from the others.
#include "engine/layers/reshaping.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace tenon {

ParamSpec sizesParam(std::string name, std::vector<int64_t> value) {
  return intListParam(std::move(name), std::move(value)).count(1, 7).range(-1, 1 << 24);
}

std::vector<int64_t> sizesFor(const PlanRequest& request, std::string_view name, int64_t elements,
                              LayerPlan& plan) {
  const std::vector<int64_t> asked = request.params.getInts(name);
  std::vector<int64_t> sizes = asked;
  int64_t known = 1;
  bool fits = true;  // known is at most `elements`, so that it cannot overflow
  for (int64_t size : asked) {
    if (size == -1) continue;
    fits = fits && size > 0 && known <= elements / size;
    if (fits) known *= size;
  }
  const auto open = std::count(asked.begin(), asked.end(), -1);
  if (fits && open == 1) *std::find(sizes.begin(), sizes.end(), -1) = elements / known;
  if (fits && open <= 1 && elements % known == 0 && (open == 1 || known == elements)) return sizes;
  plan.issues.push_back(layerIssue(
      "graph.size", TENON_TEXT("{0} elements do not fit the sizes {1} (one of them may be -1)"),
      {std::to_string(elements), fmt::format("{}", fmt::join(asked, ", "))}, std::string(name)));
  return {};
}

}  // namespace tenon
