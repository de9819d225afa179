// SPDX-License-Identifier: GPL-3.0-or-later
// Which stretch of the axes a LinePlot shows: following, fitting, zooming, and its links.
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/plot/line_plot_impl.h"
#include "ui/plot/link_group.h"

namespace tenon::ui {

namespace {

constexpr std::array<double, 2> kRobust = {0.02, 0.98};
constexpr double kPad = 0.05;

std::optional<AxisRange> joined(std::optional<AxisRange> a, std::optional<AxisRange> b) {
  if (!a || !b) return a ? a : b;
  return AxisRange{std::min(a->lower, b->lower), std::max(a->upper, b->upper)};
}

}  // namespace

bool LinePlot::Impl::hasPoints() const {
  return std::any_of(curves.begin(), curves.end(),
                     [](const auto& c) { return c->visible && !c->spec.data->empty(); });
}

std::optional<AxisRange> LinePlot::Impl::ownX() const {
  std::optional<AxisRange> range;
  for (const auto& curve : curves) {
    const SeriesData& data = *curve->spec.data;
    if (!curve->visible || data.empty()) continue;
    range = joined(range, AxisRange{data.x(axis, 0), data.x(axis, data.size() - 1)});
  }
  return range;
}

std::optional<AxisRange> LinePlot::Impl::dataX() const {
  std::optional<AxisRange> range = ownX();
  if (!group) return range;
  for (LinePlot* plot : group->plots()) {
    if (plot != q && plot->d_->axis == axis) range = joined(range, plot->d_->ownX());
  }
  return range;
}

std::optional<AxisRange> LinePlot::Impl::curveY(const Curve& curve) const {
  const SeriesData& data = *curve.spec.data;
  const std::size_t first = data.lowerBound(axis, x.lower);
  const std::size_t last = data.upperBound(axis, x.upper);
  const bool log = scale == YScale::Log;
  if (yFit == YFit::Robust) {
    std::array<double, 2> found{};
    data.quantiles(first, last, log, kRobust, found);
    if (std::isnan(found[0])) return std::nullopt;
    return AxisRange{found[0], found[1]};
  }
  const Extent extent = data.extent(first, last);
  const double low = log ? extent.minPositive : extent.min;
  if (extent.empty() || low > extent.max) return std::nullopt;
  return AxisRange{low, extent.max};
}

std::optional<AxisRange> LinePlot::Impl::dataY() const {
  std::optional<AxisRange> range;
  for (const auto& curve : curves) {
    if (curve->visible) range = joined(range, curveY(*curve));
  }
  return range;
}

void LinePlot::Impl::fitY() {
  yFitDue = false;
  const bool log = scale == YScale::Log;
  const std::optional<AxisRange> data = dataY();
  if (!data) {
    y = log ? AxisRange{0.1, 1} : include.value_or(AxisRange{0, 1});
    return;
  }
  AxisRange range = padded(*data, kPad, kPad, log);
  if (log) {
    y = range;
    return;
  }
  // A bound that is kept in sight ends the axis exactly, unless values pass it.
  const bool filled = std::any_of(curves.begin(), curves.end(),
                                  [](const auto& c) { return c->visible && c->spec.fill; });
  std::optional<AxisRange> keep = include;
  if (filled) keep = joined(keep, AxisRange{0, 0});
  if (keep && keep->lower <= data->lower) range.lower = keep->lower;
  if (keep && keep->upper >= data->upper) range.upper = keep->upper;
  if (!(range.size() > 0)) range = padded({range.lower, range.lower}, 0, 0);
  y = range;
}

void LinePlot::Impl::fit() {
  const std::optional<AxisRange> data = dataX();
  const AxisRange before = x;
  x = data ? *data : AxisRange{0, 1};
  if (!(x.size() > 0)) x = padded({x.lower, x.lower}, 0, 0);
  yLocked = false;
  fitY();
  if (x == before) return;
  Q_EMIT q->xRangeChanged(x.lower, x.upper);
  if (!group) return;
  for (LinePlot* plot : group->plots()) {
    if (plot != q && plot->d_->axis == axis && plot->d_->following) plot->d_->invalidate();
  }
}

void LinePlot::Impl::settle() {
  if (following) {
    fit();
  } else if (yFitDue && !yLocked) {
    fitY();
  }
}

void LinePlot::Impl::setFollowing(bool on) {
  if (following == on) return;
  following = on;
  chip->setVisible(!on);
  Q_EMIT q->followingChanged(on);
}

void LinePlot::Impl::tellX() {
  Q_EMIT q->xRangeChanged(x.lower, x.upper);
  if (!group) return;
  for (LinePlot* plot : group->plots()) {
    if (plot != q && plot->d_->axis == axis) plot->d_->linkedX(x, following);
  }
}

void LinePlot::Impl::linkedX(AxisRange range, bool follow) {
  x = range;
  yFitDue = true;
  setFollowing(follow);
  invalidate();
  Q_EMIT q->xRangeChanged(x.lower, x.upper);
}

void LinePlot::Impl::userX(AxisRange range) {
  if (!(range.size() > 0) || !std::isfinite(range.size())) return;
  x = range;
  setFollowing(false);
  invalidate();
  tellX();
}

void LinePlot::Impl::userY(AxisRange range) {
  if (!(range.size() > 0) || !std::isfinite(range.size())) return;
  if (scale == YScale::Log && range.lower <= 0) return;
  y = range;
  yLocked = true;
  setFollowing(false);
  invalidate();
  tellX();
}

void LinePlot::Impl::zoomX(double at, double factor) {
  settleIfDue();
  yFitDue = true;
  userX(zoomed(x, at, factor));
}

void LinePlot::Impl::zoomY(double at, double factor) {
  settleIfDue();
  userY(zoomed(y, at, factor, scale == YScale::Log));
}

void LinePlot::Impl::panX(double share) {
  settleIfDue();
  userX(moved(x, share));
}

void LinePlot::Impl::panY(double share) {
  settleIfDue();
  userY(moved(y, share, scale == YScale::Log));
}

}  // namespace tenon::ui
