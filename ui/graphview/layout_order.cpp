// SPDX-License-Identifier: GPL-3.0-or-later
// Second step of the layered layout: barycentre sweeps and exchanges of neighbours against
// crossings.
#include <algorithm>
#include <numeric>

#include "ui/graphview/layout_work.h"

namespace tenon::ui::layout {
namespace {

constexpr int kExchangeLimit = 6000;  // vertices up to which neighbours are exchanged
constexpr int kPatience = 3;          // sweeps without gain before giving up

/// First order: as a walk down the graph meets the vertices, so that trees and components stay
/// together.
void walkOrder(Work& work) {
  const int layers =
      work.layer.empty() ? 0 : *std::max_element(work.layer.begin(), work.layer.end()) + 1;
  work.rows.assign(static_cast<std::size_t>(layers), {});
  std::vector<char> seen(work.layer.size(), 0);
  std::vector<int> stack;
  std::vector<int> starts(static_cast<std::size_t>(work.vertexCount()));
  std::iota(starts.begin(), starts.end(), 0);
  std::stable_sort(starts.begin(), starts.end(),
                   [&](int a, int b) { return work.layer[a] < work.layer[b]; });
  for (const int start : starts) {
    if (seen[start]) continue;
    stack.push_back(start);
    seen[start] = 1;
    while (!stack.empty()) {
      const int vertex = stack.back();
      stack.pop_back();
      work.rows[work.layer[vertex]].push_back(vertex);
      for (int k = work.below.begin[vertex + 1] - 1; k >= work.below.begin[vertex]; --k) {
        const int next = work.segments[work.below.segment[k]].lower;
        if (!seen[next]) {
          seen[next] = 1;
          stack.push_back(next);
        }
      }
    }
  }
}

/// Inversions of a list, by merge sort; ties are none.
long long inversions(std::vector<float>& values, std::vector<float>& spare) {
  long long count = 0;
  const std::size_t size = values.size();
  spare.resize(size);
  for (std::size_t width = 1; width < size; width *= 2) {
    for (std::size_t left = 0; left < size; left += 2 * width) {
      const std::size_t middle = std::min(left + width, size);
      const std::size_t right = std::min(left + 2 * width, size);
      std::size_t a = left;
      std::size_t b = middle;
      for (std::size_t at = left; at < right; ++at) {
        if (a < middle && (b >= right || values[a] <= values[b])) {
          spare[at] = values[a++];
        } else {
          count += static_cast<long long>(middle - a);
          spare[at] = values[b++];
        }
      }
    }
    values.swap(spare);
  }
  return count;
}

long long crossingsOf(const Work& work) {
  long long total = 0;
  std::vector<std::pair<float, float>> ends;
  std::vector<float> lower;
  std::vector<float> spare;
  for (const auto& row : work.rows) {
    ends.clear();
    for (const int vertex : row) {
      for (int k = work.below.begin[vertex]; k < work.below.begin[vertex + 1]; ++k) {
        const Segment& s = work.segments[work.below.segment[k]];
        ends.emplace_back(static_cast<float>(work.place[vertex]) + s.upperShift * 0.9F,
                          static_cast<float>(work.place[s.lower]) + s.lowerShift * 0.9F);
      }
    }
    std::sort(ends.begin(), ends.end());
    lower.clear();
    for (const auto& end : ends) lower.push_back(end.second);
    total += inversions(lower, spare);
  }
  return total;
}

/// Mean place of the neighbours in the row that stands still; a vertex without any keeps its own.
float barycentre(const Work& work, int vertex, bool fromAbove) {
  const Incidence& side = fromAbove ? work.above : work.below;
  const int begin = side.begin[vertex];
  const int end = side.begin[vertex + 1];
  if (begin == end) return static_cast<float>(work.place[vertex]);
  float sum = 0;
  for (int k = begin; k < end; ++k) {
    const Segment& s = work.segments[side.segment[k]];
    sum += fromAbove ? static_cast<float>(work.place[s.upper]) + s.upperShift * 0.9F
                     : static_cast<float>(work.place[s.lower]) + s.lowerShift * 0.9F;
  }
  return sum / static_cast<float>(end - begin);
}

void sortRow(Work& work, std::vector<int>& row, bool fromAbove, std::vector<float>& key) {
  for (const int vertex : row) key[vertex] = barycentre(work, vertex, fromAbove);
  std::stable_sort(row.begin(), row.end(), [&](int a, int b) { return key[a] < key[b]; });
  for (std::size_t i = 0; i < row.size(); ++i) work.place[row[i]] = static_cast<int>(i);
}

/// Crossings between the segments of two neighbours on one side if `left` stands left of `right`.
long long pairCrossings(const Work& work, const Incidence& side, bool above, int left, int right) {
  long long count = 0;
  const auto otherEnd = [&](int k) {
    const Segment& s = work.segments[side.segment[k]];
    return above ? static_cast<float>(work.place[s.upper]) + s.upperShift * 0.9F
                 : static_cast<float>(work.place[s.lower]) + s.lowerShift * 0.9F;
  };
  for (int a = side.begin[left]; a < side.begin[left + 1]; ++a) {
    for (int b = side.begin[right]; b < side.begin[right + 1]; ++b) {
      if (otherEnd(a) > otherEnd(b)) ++count;
    }
  }
  return count;
}

bool exchangeNeighbours(Work& work, const std::stop_token& stop) {
  bool improved = true;
  for (int round = 0; improved && round < 8; ++round) {
    improved = false;
    for (auto& row : work.rows) {
      if (stop.stop_requested()) return false;
      for (std::size_t i = 0; i + 1 < row.size(); ++i) {
        const int a = row[i];
        const int b = row[i + 1];
        const long long kept = pairCrossings(work, work.above, true, a, b) +
                               pairCrossings(work, work.below, false, a, b);
        const long long turned = pairCrossings(work, work.above, true, b, a) +
                                 pairCrossings(work, work.below, false, b, a);
        if (turned >= kept) continue;
        std::swap(row[i], row[i + 1]);
        std::swap(work.place[a], work.place[b]);
        improved = true;
      }
    }
  }
  return true;
}

}  // namespace

void Work::notePlaces() {
  place.resize(layer.size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) place[row[i]] = static_cast<int>(i);
  }
}

bool orderRows(const LayoutOptions& options, Work& work, const std::stop_token& stop) {
  walkOrder(work);
  work.notePlaces();
  std::vector<float> key(work.layer.size());
  auto best = work.rows;
  work.crossings = crossingsOf(work);
  int idle = 0;
  for (int sweep = 0; sweep < options.sweeps && work.crossings > 0 && idle < kPatience; ++sweep) {
    const bool down = sweep % 2 == 0;
    for (std::size_t i = 0; i < work.rows.size(); ++i) {
      if (stop.stop_requested()) return false;
      sortRow(work, work.rows[down ? i : work.rows.size() - 1 - i], down, key);
    }
    const long long crossings = crossingsOf(work);
    ++idle;
    if (crossings < work.crossings) {
      work.crossings = crossings;
      best = work.rows;
      idle = 0;
    }
  }
  work.rows = std::move(best);
  work.notePlaces();
  if (work.crossings > 0 && work.vertexCount() <= kExchangeLimit) {
    if (!exchangeNeighbours(work, stop)) return false;
    work.crossings = crossingsOf(work);
  }
  return !stop.stop_requested();
}

}  // namespace tenon::ui::layout
