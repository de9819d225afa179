// SPDX-License-Identifier: Apache-2.0
// Interpolation axis by axis: which neighbours an element reads, and with which weights.
//
// Formulas and edge rules are PyTorch's (and so those of image libraries that centre pixels at
// half), evaluated in f64.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/base/error.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/index/index.h"
#include "engine/ops/pool/pool.h"
#include "engine/ops/resize/resize.h"

namespace tenon {
namespace {

/// The size of an axis before and after.
struct Axis {
  int64_t in, out;
  bool alignCorners;
  double factor;  ///< given in place of sizes, or 0

  /// Elements of the input an element of the result stands for.
  double scale() const {
    if (!alignCorners && factor > 0) return 1.0 / factor;
    if (!alignCorners) return static_cast<double>(in) / static_cast<double>(out);
    return out > 1 ? static_cast<double>(in - 1) / static_cast<double>(out - 1) : 0.0;
  }
  /// Position of output i among the elements of the input.
  double position(int64_t i) const {
    const auto at = static_cast<double>(i);
    return alignCorners ? at * scale() : (at + 0.5) * scale() - 0.5;
  }
};

/// The weights of every output as a dense row of neighbours.
struct Table {
  std::vector<std::vector<double>> rows;  // by output: weights from its start on
  std::vector<int64_t> starts;

  /// Adds an output that reads elements first, first + 1, ... with these weights; what lies outside
  /// 0 .. in - 1 is read from the edge.
  void add(int64_t first, const std::vector<double>& weights, int64_t in) {
    const auto inside = [in](int64_t at) { return std::clamp<int64_t>(at, 0, in - 1); };
    const auto last = first + static_cast<int64_t>(weights.size()) - 1;
    const int64_t start = inside(first);
    std::vector<double> row(static_cast<size_t>(inside(last) - start + 1), 0.0);
    for (size_t k = 0; k < weights.size(); ++k)
      row[static_cast<size_t>(inside(first + static_cast<int64_t>(k)) - start)] += weights[k];
    rows.push_back(row);
    starts.push_back(start);
  }

  Tensor applied(const Tensor& x, int axis) const {
    size_t taps = 1;
    for (const auto& row : rows) taps = std::max(taps, row.size());
    std::vector<int64_t> from = starts;
    std::vector<double> weights(rows.size() * taps, 0.0);
    for (size_t i = 0; i < rows.size(); ++i) {
      const int64_t room = x.size(axis) - static_cast<int64_t>(taps);
      const auto moved = static_cast<size_t>(std::max<int64_t>(from[i] - room, 0));
      from[i] -= static_cast<int64_t>(moved);
      std::copy(rows[i].begin(), rows[i].end(),
                weights.begin() + static_cast<ptrdiff_t>(i * taps + moved));
    }
    const auto out = static_cast<int64_t>(rows.size());
    const Tensor table = Tensor::fromValues(weights, {out, static_cast<int64_t>(taps)});
    return resample(x, axis, cast(table, x.dtype()), Tensor::fromValues(from, {out}));
  }
};

Table linearTable(const Axis& axis) {
  Table table;
  for (int64_t i = 0; i < axis.out; ++i) {
    const double at = std::max(axis.position(i), 0.0);
    const auto first = std::min(static_cast<int64_t>(at), axis.in - 1);
    const double part = std::min(at - static_cast<double>(first), 1.0);
    table.add(first, {1.0 - part, part}, axis.in);
  }
  return table;
}

/// Keys' kernel: 1 at 0, 0 at the other whole numbers and from 2 on.
double cubic(double x, double a) {
  const double t = std::fabs(x);
  if (t < 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
  return t < 2 ? ((a * t - 5 * a) * t + 8 * a) * t - 4 * a : 0.0;
}

Table cubicTable(const Axis& axis) {
  constexpr double kSharpness = -0.75;
  Table table;
  for (int64_t i = 0; i < axis.out; ++i) {
    const double at = axis.position(i);
    const double part = at - std::floor(at);
    std::vector<double> weights;
    for (int k = -1; k <= 2; ++k) weights.push_back(cubic(k - part, kSharpness));
    table.add(static_cast<int64_t>(std::floor(at)) - 1, weights, axis.in);
  }
  return table;
}

/// A filter as wide as the elements that one of the result stands for, made to add up to 1.
Table smoothTable(const Axis& axis, double reach, const std::function<double(double)>& filter) {
  Table table;
  const double scale = axis.scale(), wide = std::max(scale, 1.0);
  for (int64_t i = 0; i < axis.out; ++i) {
    const double centre = scale * (static_cast<double>(i) + 0.5);
    const auto first = std::max<int64_t>(static_cast<int64_t>(centre - reach * wide + 0.5), 0);
    const auto end = std::min<int64_t>(static_cast<int64_t>(centre + reach * wide + 0.5), axis.in);
    std::vector<double> weights;
    double total = 0;
    for (int64_t k = first; k < end; ++k) {
      weights.push_back(filter((static_cast<double>(k) - centre + 0.5) / wide));
      total += weights.back();
    }
    for (double& weight : weights) weight = total != 0 ? weight / total : weight;
    if (weights.empty()) weights.push_back(0);
    table.add(first, weights, axis.in);
  }
  return table;
}

Table tableOf(const Axis& axis, const InterpolateOptions& options) {
  if (options.mode == Interpolation::Linear) {
    if (!options.antialias) return linearTable(axis);
    return smoothTable(axis, 1, [](double t) { return std::max(1 - std::fabs(t), 0.0); });
  }
  if (!options.antialias) return cubicTable(axis);
  return smoothTable(axis, 2, [](double t) { return cubic(t, -0.5); });
}

/// In f32, as PyTorch computes it: where f32 rounds to another element, so does PyTorch.
Tensor nearest(const Tensor& x, int axis, int64_t out, const InterpolateOptions& options) {
  const bool exact = options.mode == Interpolation::NearestExact;
  const int64_t in = x.size(axis);
  const float scale = options.factor > 0 ? static_cast<float>(1.0 / options.factor)
                                         : static_cast<float>(in) / static_cast<float>(out);
  std::vector<int64_t> places;
  for (int64_t i = 0; i < out; ++i) {
    const float at = (static_cast<float>(i) + (exact ? 0.5f : 0.0f)) * scale;
    places.push_back(std::min(static_cast<int64_t>(std::floor(at)), in - 1));
  }
  return indexSelect(x, axis, Tensor::fromValues(places, {out}));
}

/// True if an axis that keeps its size keeps its elements. Under a factor, as in PyTorch, the
/// nearest elements and the curves through four move nevertheless.
bool keepsElements(const InterpolateOptions& options) {
  return options.factor <= 0 || options.mode == Interpolation::Linear || options.antialias;
}

void checkOptions(const Tensor& x, const InterpolateOptions& options) {
  const bool curved = options.mode == Interpolation::Linear || options.mode == Interpolation::Cubic;
  if (!curved && (options.alignCorners || options.antialias))
    throw Error(Code::Usage,
                "[interpolate] alignCorners and antialias are for linear and cubic interpolation");
  if (curved && !isFloating(x.dtype()))
    throw Error(Code::Type, fmt::format("[interpolate] x must be floating, got {}", describe(x)));
  for (int axis = 2; axis < x.ndim(); ++axis)
    if (x.size(axis) < 1)
      throw Error(Code::Shape,
                  fmt::format("[interpolate] axis {} is empty: {}", axis, describe(x)));
}

}  // namespace

Tensor interpolate(const Tensor& x, const PerAxis& size, const InterpolateOptions& options) {
  const int axes = spatial::axesOf(x, "interpolate", "x");
  const PerAxis out = spatial::spread(size, axes, 1, "interpolate", "size");
  checkOptions(x, options);
  if (options.mode == Interpolation::Area) return adaptiveAvgPool(x, out);
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return interpolate(cast(x), size, options);
  Tensor y = x;
  for (int axis = 2; axis < x.ndim(); ++axis) {
    const int64_t wanted = out[static_cast<size_t>(axis) - 2];
    if (wanted == x.size(axis) && keepsElements(options)) continue;
    if (options.mode == Interpolation::Linear || options.mode == Interpolation::Cubic) {
      const Axis sizes{x.size(axis), wanted, options.alignCorners, options.factor};
      y = tableOf(sizes, options).applied(y, axis);
    } else {
      y = nearest(y, axis, wanted, options);
    }
  }
  return y;
}

}  // namespace tenon
