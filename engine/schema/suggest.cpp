// SPDX-License-Identifier: Apache-2.0
// Closest names by optimal string alignment distance.
#include "engine/schema/suggest.h"

#include <algorithm>

namespace tenon {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Distance for ranking: what one begins with the other counts as one edit.
int rankDistance(std::string_view name, std::string_view candidate) {
  size_t common = std::min(name.size(), candidate.size());
  if (common >= 2 && editDistance(name.substr(0, common), candidate.substr(0, common)) == 0)
    return name.size() == candidate.size() ? 0 : 1;
  return editDistance(name, candidate);
}

}  // namespace

int editDistance(std::string_view a, std::string_view b) {
  constexpr size_t kLongest = 128;  // names are short; a hostile file must not cost time
  if (a.size() > kLongest || b.size() > kLongest)
    return a == b ? 0 : static_cast<int>(std::min<size_t>(std::max(a.size(), b.size()), 1000000));
  std::vector<int> before(b.size() + 1);
  std::vector<int> above(b.size() + 1);
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      int replace = above[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                     lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::vector<std::string> nearestNames(std::string_view name,
                                      const std::vector<std::string>& candidates, size_t limit) {
  std::vector<std::pair<int, const std::string*>> ranked;
  ranked.reserve(candidates.size());
  for (const std::string& candidate : candidates)
    ranked.emplace_back(rankDistance(name, candidate), &candidate);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (ranked.size() > limit) ranked.resize(limit);
  std::vector<std::string> out;
  for (const auto& entry : ranked) out.push_back(*entry.second);
  return out;
}

std::string nearestName(std::string_view name, const std::vector<std::string>& candidates) {
  std::vector<std::string> best = nearestNames(name, candidates, 1);
  if (best.empty()) return "";
  int allowed = std::max(2, static_cast<int>(name.size()) / 3);
  int distance = rankDistance(name, best[0]);
  bool everyLetter = distance >= static_cast<int>(std::max(name.size(), best[0].size()));
  return distance <= allowed && !everyLetter ? best[0] : "";
}

}  // namespace tenon
