// SPDX-License-Identifier: GPL-3.0-or-later
// Third step of the layered layout: straight long edges and short wires across the flow.
// After U. Brandes and B. Köpf, Fast and simple horizontal coordinate assignment (GD 2001): four
// alignments, the mean of the middle two. Blocks are packed over their graph of neighbours, which
// keeps the distances in every case.
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "ui/graphview/layout_work.h"

namespace tenon::ui::layout {
namespace {

constexpr double kSlant = 2.5;       // times the widest row
constexpr double kSlackWidth = 800;  // narrow graphs may lean a little

/// The rows as one of the four runs sees them: from above or below, from left or right.
struct Frame {
  const Work& work;
  bool fromAbove;
  bool fromLeft;

  [[nodiscard]] const Incidence& side() const { return fromAbove ? work.above : work.below; }
  [[nodiscard]] int neighbour(int segment) const {
    return fromAbove ? work.segments[segment].upper : work.segments[segment].lower;
  }
  [[nodiscard]] int place(int vertex) const {
    const int place = work.place[vertex];
    if (fromLeft) return place;
    return static_cast<int>(work.rows[work.layer[vertex]].size()) - 1 - place;
  }
  [[nodiscard]] const std::vector<int>& row(std::size_t i) const {
    return work.rows[fromAbove ? i : work.rows.size() - 1 - i];
  }
  [[nodiscard]] int at(const std::vector<int>& row, std::size_t i) const {
    return fromLeft ? row[i] : row[row.size() - 1 - i];
  }
};

/// Segments of short edges that cross a piece of a long one: the long one shall be straight.
std::vector<char> crossingLongOnes(const Work& work) {
  std::vector<char> marked(work.segments.size(), 0);
  for (std::size_t i = 1; i < work.rows.size(); ++i) {
    const auto& row = work.rows[i];
    const int upperLast = static_cast<int>(work.rows[i - 1].size()) - 1;
    int least = 0;
    std::size_t done = 0;
    for (std::size_t at = 0; at < row.size(); ++at) {
      const int vertex = row[at];
      int inner = -1;
      if (work.isBend(vertex)) {
        const int up = work.segments[work.above.segment[work.above.begin[vertex]]].upper;
        if (work.isBend(up)) inner = work.place[up];
      }
      if (inner < 0 && at + 1 < row.size()) continue;
      const int most = inner >= 0 ? inner : upperLast;
      for (; done <= at; ++done) {
        for (int k = work.above.begin[row[done]]; k < work.above.begin[row[done] + 1]; ++k) {
          const int segment = work.above.segment[k];
          const int place = work.place[work.segments[segment].upper];
          if (place < least || place > most) marked[segment] = 1;
        }
      }
      least = most;
    }
  }
  return marked;
}

/// Root of the block of each vertex.
std::vector<int> alignedBlocks(const Frame& frame, const std::vector<char>& marked) {
  const Work& work = frame.work;
  std::vector<int> root(work.layer.size());
  std::iota(root.begin(), root.end(), 0);
  std::vector<char> taken(work.layer.size(), 0);  // has a lower partner already
  std::vector<int> sorted;
  for (std::size_t i = 1; i < work.rows.size(); ++i) {
    const auto& row = frame.row(i);
    int last = -1;
    for (std::size_t at = 0; at < row.size(); ++at) {
      const int vertex = frame.at(row, at);
      const Incidence& side = frame.side();
      sorted.assign(side.segment.begin() + side.begin[vertex],
                    side.segment.begin() + side.begin[vertex + 1]);
      if (sorted.empty()) continue;
      std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) {
        return frame.place(frame.neighbour(a)) < frame.place(frame.neighbour(b));
      });
      const std::size_t low = (sorted.size() - 1) / 2;
      const std::size_t high = sorted.size() / 2;
      for (std::size_t m = low; m <= high; ++m) {
        const int above = frame.neighbour(sorted[m]);
        const int place = frame.place(above);
        if (marked[sorted[m]] || taken[above] || place <= last) continue;
        root[vertex] = root[above];
        taken[above] = 1;
        last = place;
        break;
      }
    }
  }
  return root;
}

struct Neighbour {
  int left;
  int right;
  double distance;
};

/// Places of the blocks, as far left as the distances allow, then as near to their right neighbours
/// as they allow.
std::vector<double> packedBlocks(const Frame& frame, const LayoutOptions& options,
                                 const std::vector<int>& root) {
  const Work& work = frame.work;
  const std::size_t count = work.layer.size();
  std::vector<Neighbour> pairs;
  std::vector<int> begin(count + 1, 0);
  std::vector<int> waiting(count, 0);
  for (const auto& row : work.rows) {
    for (std::size_t at = 0; at + 1 < row.size(); ++at) {
      const int a = frame.at(row, at);
      const int b = frame.at(row, at + 1);
      pairs.push_back({root[a], root[b], distanceBetween(options, work, a, b)});
      ++begin[root[a] + 1];
      ++waiting[root[b]];
    }
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<int> next(begin.begin(), begin.end() - 1);
  std::vector<int> out(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) out[next[pairs[i].left]++] = static_cast<int>(i);

  std::vector<int> order;
  std::vector<double> x(count, 0.0);
  for (std::size_t vertex = 0; vertex < count; ++vertex) {
    if (root[vertex] == static_cast<int>(vertex) && waiting[vertex] == 0) {
      order.push_back(static_cast<int>(vertex));
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int block = order[i];
    for (int k = begin[block]; k < begin[block + 1]; ++k) {
      const Neighbour& pair = pairs[out[k]];
      x[pair.right] = std::max(x[pair.right], x[block] + pair.distance);
      if (--waiting[pair.right] == 0) order.push_back(pair.right);
    }
  }
  for (auto block = order.rbegin(); block != order.rend(); ++block) {
    double room = std::numeric_limits<double>::infinity();
    for (int k = begin[*block]; k < begin[*block + 1]; ++k) {
      const Neighbour& pair = pairs[out[k]];
      room = std::min(room, x[pair.right] - pair.distance);
    }
    if (room < std::numeric_limits<double>::infinity()) x[*block] = std::max(x[*block], room);
  }
  return x;
}

std::vector<double> oneRun(const Frame& frame, const LayoutOptions& options,
                           const std::vector<char>& marked) {
  const std::vector<int> root = alignedBlocks(frame, marked);
  const std::vector<double> blocks = packedBlocks(frame, options, root);
  std::vector<double> x(root.size());
  for (std::size_t vertex = 0; vertex < x.size(); ++vertex) {
    x[vertex] = frame.fromLeft ? blocks[root[vertex]] : -blocks[root[vertex]];
  }
  return x;
}

struct Extent {
  double low;
  double high;
};

Extent extentOf(const Work& work, const std::vector<double>& x) {
  Extent extent{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (std::size_t vertex = 0; vertex < x.size(); ++vertex) {
    extent.low = std::min(extent.low, x[vertex] - work.breadth[vertex] / 2);
    extent.high = std::max(extent.high, x[vertex] + work.breadth[vertex] / 2);
  }
  return extent;
}

/// Brings the four runs onto the narrowest and takes the mean of the middle two.
std::vector<double> balanced(const Work& work, std::array<std::vector<double>, 4>& runs) {
  std::array<Extent, 4> extents{};
  std::size_t narrowest = 0;
  for (std::size_t run = 0; run < 4; ++run) {
    extents[run] = extentOf(work, runs[run]);
    const double width = extents[run].high - extents[run].low;
    if (width < extents[narrowest].high - extents[narrowest].low) narrowest = run;
  }
  const Extent goal = extents[narrowest];
  for (std::size_t run = 0; run < 4; ++run) {
    const bool fromLeft = run % 2 == 0;
    const double shift = fromLeft ? goal.low - extents[run].low : goal.high - extents[run].high;
    for (double& x : runs[run]) x += shift;
  }
  std::vector<double> centers(work.layer.size());
  for (std::size_t vertex = 0; vertex < centers.size(); ++vertex) {
    std::array<double, 4> x{runs[0][vertex], runs[1][vertex], runs[2][vertex], runs[3][vertex]};
    std::sort(x.begin(), x.end());
    centers[vertex] = (x[1] + x[2]) / 2;
  }
  const double low = extentOf(work, centers).low;
  for (double& center : centers) center -= low;
  return centers;
}

/// Width of the widest row when it is packed: no drawing can be narrower.
double widestRow(const LayoutOptions& options, const Work& work) {
  double widest = 0;
  for (const auto& row : work.rows) {
    double width = 0;
    for (std::size_t at = 0; at + 1 < row.size(); ++at) {
      width += distanceBetween(options, work, row[at], row[at + 1]);
    }
    widest = std::max(widest, width);
  }
  return widest;
}

}  // namespace

double distanceBetween(const LayoutOptions& options, const Work& work, int left, int right) {
  const int bends = static_cast<int>(work.isBend(left)) + static_cast<int>(work.isBend(right));
  const double gap = bends == 2   ? options.wireGap
                     : bends == 1 ? (options.wireGap + options.nodeGap) / 2
                                  : options.nodeGap;
  return (work.breadth[left] + work.breadth[right]) / 2 + gap;
}

bool placeAcross(const LayoutOptions& options, const Work& work, const std::stop_token& stop,
                 std::vector<double>& centers) {
  const std::vector<char> marked = crossingLongOnes(work);
  std::array<std::vector<double>, 4> runs;
  for (std::size_t run = 0; run < 4; ++run) {
    if (stop.stop_requested()) return false;
    runs[run] = oneRun({work, run < 2, run % 2 == 0}, options, marked);
  }
  centers = balanced(work, runs);
  // Chains that are handed on from row to row align into one slant across the whole drawing.
  const Extent extent = extentOf(work, centers);
  const double bound = kSlant * widestRow(options, work) + kSlackWidth;
  if (extent.high - extent.low > bound) return relaxAcross(options, work, stop, centers);
  return !stop.stop_requested();
}

}  // namespace tenon::ui::layout
