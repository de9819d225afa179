// SPDX-License-Identifier: GPL-3.0-or-later
// The other way across the flow, for graphs that straight alignment would draw as one long slant:
// each row moves to the mean of its neighbours, as near as order and distances allow (isotonic
// regression), with a slight pull to the middle.
#include <algorithm>
#include <vector>

#include "ui/graphview/layout_work.h"

namespace tenon::ui::layout {
namespace {

constexpr int kSweeps = 24;
constexpr double kPull = 0.05;

/// Neighbours of the row that want one common place.
struct Pool {
  double weight = 0;
  double sum = 0;
  std::size_t count = 0;

  [[nodiscard]] double mean() const { return sum / weight; }
};

/// Long edges shall be straight: pieces between bends pull most.
double pullOf(const Work& work, const Segment& segment) {
  const int bends =
      static_cast<int>(work.isBend(segment.upper)) + static_cast<int>(work.isBend(segment.lower));
  return bends == 2 ? 8 : (bends == 1 ? 2 : 1);
}

struct Wish {
  double weight = kPull;
  double sum = 0;
};

Wish wishOf(const Work& work, int vertex, const std::vector<double>& centers) {
  Wish wish;
  const auto add = [&](const Incidence& side, bool above) {
    for (int k = side.begin[vertex]; k < side.begin[vertex + 1]; ++k) {
      const Segment& segment = work.segments[side.segment[k]];
      const double pull = pullOf(work, segment);
      wish.weight += pull;
      wish.sum += pull * centers[above ? segment.upper : segment.lower];
    }
  };
  add(work.above, true);
  add(work.below, false);
  return wish;
}

/// Offsets of a row's vertices when it is packed to the left.
std::vector<double> packedOffsets(const LayoutOptions& options, const Work& work,
                                  const std::vector<int>& row) {
  std::vector<double> offsets(row.size(), 0.0);
  for (std::size_t i = 1; i < row.size(); ++i) {
    offsets[i] = offsets[i - 1] + distanceBetween(options, work, row[i - 1], row[i]);
  }
  return offsets;
}

void settleRow(const Work& work, const std::vector<int>& row, const std::vector<double>& offsets,
               std::vector<double>& centers) {
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Wish wish = wishOf(work, row[i], centers);
    pools.push_back({wish.weight, wish.sum - wish.weight * offsets[i], 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().weight += last.weight;
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  std::size_t at = 0;
  for (const Pool& pool : pools) {
    for (std::size_t k = 0; k < pool.count; ++k, ++at) centers[row[at]] = pool.mean() + offsets[at];
  }
}

}  // namespace

bool relaxAcross(const LayoutOptions& options, const Work& work, const std::stop_token& stop,
                 std::vector<double>& centers) {
  centers.assign(work.layer.size(), 0.0);
  std::vector<std::vector<double>> offsets;
  for (const auto& row : work.rows) {
    offsets.push_back(packedOffsets(options, work, row));
    for (std::size_t i = 0; i < row.size(); ++i) {
      centers[row[i]] = offsets.back()[i] - offsets.back().back() / 2;
    }
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t i = 0; i < work.rows.size(); ++i) {
      if (stop.stop_requested()) return false;
      const std::size_t row = sweep % 2 == 0 ? i : work.rows.size() - 1 - i;
      settleRow(work, work.rows[row], offsets[row], centers);
    }
  }
  double least = 0;
  for (std::size_t v = 0; v < centers.size(); ++v) {
    least = std::min(least, centers[v] - work.breadth[v] / 2);
  }
  for (double& center : centers) center -= least;
  return true;
}

}  // namespace tenon::ui::layout
