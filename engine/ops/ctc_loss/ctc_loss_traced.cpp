// SPDX-License-Identifier: Apache-2.0
// The gradient of "ctc_loss" from recorded operators: forward and backward variables of all samples
// side by side, frame by frame, in f64 as the kernels are. "Never" is a large negative number,
// since infinities would make gradients NaN.
#include <algorithm>
#include <limits>

#include "engine/ops/arrange/arrange.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/ctc_loss/ctc_loss.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/index/index.h"
#include "engine/ops/op_def.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

constexpr double kNever = -1e30;

std::vector<int64_t> lengthsOf(const Tensor& lengths, int64_t samples, int64_t full) {
  if (lengths.defined()) return lengths.toVector<int64_t>();
  return std::vector<int64_t>(static_cast<size_t>(samples), full);
}

/// What is known of the labels, with blanks between: [N, L], L = 2 S + 1. Numbers are 0 where
/// something is allowed, else kNever.
struct Labels {
  int64_t samples = 0;
  int64_t places = 0;
  Tensor classes;  ///< i64
  Tensor starts;   ///< the first frame may be here
  Tensor ends;     ///< the last frame may be here
  Tensor skips;    ///< may follow on the place two before
};

Labels labelsOf(const GradCall& call) {
  const std::vector<int64_t> targets = call.inputs[1].toVector<int64_t>();
  const int64_t width = call.inputs[1].size(1);
  Labels labels;
  labels.samples = call.inputs[1].size(0);
  labels.places = 2 * width + 1;
  const std::vector<int64_t> lengths = lengthsOf(call.inputs[3], labels.samples, width);
  const auto count = static_cast<size_t>(labels.samples * labels.places);
  const int64_t blank = call.as<CtcLossParams>().blank;
  std::vector<int64_t> classes(count, blank);
  std::vector<double> starts(count, kNever);
  std::vector<double> ends(count, kNever);
  std::vector<double> skips(count, kNever);
  for (int64_t n = 0; n < labels.samples; ++n) {
    const auto row = static_cast<size_t>(n * labels.places);
    const int64_t length = lengths[static_cast<size_t>(n)];
    const auto* own = targets.data() + n * width;
    for (int64_t k = 0; k < length; ++k) {
      const size_t at = row + static_cast<size_t>(2 * k + 1);
      classes[at] = own[k];
      if (k > 0 && own[k] != own[k - 1]) skips[at] = 0;
    }
    const auto last = static_cast<size_t>(2 * length);
    starts[row] = ends[row + last] = 0;
    if (length > 0) starts[row + 1] = ends[row + last - 1] = 0;
  }
  const Shape shape{labels.samples, labels.places};
  labels.classes = Tensor::fromValues(classes, shape);
  labels.starts = Tensor::fromValues(starts, shape);
  labels.ends = Tensor::fromValues(ends, shape);
  labels.skips = Tensor::fromValues(skips, shape);
  return labels;
}

/// x [N, L] moved along its places: to the right by `by`, or to the left if negative.
Tensor moved(const Tensor& x, int64_t by) {
  const int64_t gap = std::min(by < 0 ? -by : by, x.size(1));
  const Tensor room = Tensor::full({x.size(0), gap}, kNever, x.dtype());
  const int64_t kept = x.size(1) - gap;
  return by > 0 ? cat({room, narrow(x, 1, 0, kept)}, 1) : cat({narrow(x, 1, gap, kept), room}, 1);
}

Tensor summed(const Tensor& a, const Tensor& b, const Tensor& c) {
  return logsumexp(stack({a, b, c}, 0), {0});
}

/// bool [N, 1]: which samples fulfil something of their length.
template <class Is>
Tensor maskOf(const std::vector<int64_t>& lengths, Is&& is) {
  std::vector<uint8_t> bits;
  for (int64_t length : lengths) bits.push_back(is(length) ? 1 : 0);
  return Tensor::fromBytes(bits.data(), bits.size(), {static_cast<int64_t>(bits.size()), 1},
                           DType::Bool);
}

/// The logarithms of each place's emission, [N, L] a frame.
std::vector<Tensor> emissionsOf(const Tensor& logProbs, const Labels& labels) {
  std::vector<Tensor> emissions;
  for (int64_t t = 0; t < logProbs.size(0); ++t)
    emissions.push_back(gather(select(logProbs, 0, t), 1, labels.classes));
  return emissions;
}

std::vector<Tensor> alphasOf(const std::vector<Tensor>& emissions, const Labels& labels) {
  std::vector<Tensor> alphas = {add(emissions[0], labels.starts)};
  for (size_t t = 1; t < emissions.size(); ++t) {
    const Tensor& last = alphas.back();
    const Tensor all = summed(last, moved(last, 1), add(moved(last, 2), labels.skips));
    alphas.push_back(add(emissions[t], all));
  }
  return alphas;
}

/// Without the emission of the frame itself.
std::vector<Tensor> betasOf(const std::vector<Tensor>& emissions, const Labels& labels,
                            const std::vector<int64_t>& lengths) {
  const auto frames = static_cast<int64_t>(emissions.size());
  const Tensor never = Tensor::full({}, kNever, labels.ends.dtype());
  std::vector<Tensor> betas(emissions.size());
  for (int64_t t = frames - 1; t >= 0; --t) {
    Tensor before = expand(never, labels.ends.shape());
    if (t + 1 < frames) {
      const auto next = static_cast<size_t>(t + 1);
      const Tensor after = add(betas[next], emissions[next]);
      before = summed(after, moved(after, -1), moved(add(after, labels.skips), -2));
    }
    const Tensor isLast = maskOf(lengths, [t](int64_t length) { return t == length - 1; });
    betas[static_cast<size_t>(t)] = where(isLast, labels.ends, before);
  }
  return betas;
}

}  // namespace

void ctcLossTracedGrad(GradCall& call) {
  const DType own = call.inputs[0].dtype();
  if (call.inputs[0].numel() == 0) {
    call.gradInputs[0] = Tensor::zeros(call.inputs[0].shape(), own, call.inputs[0].device());
    return;
  }
  const Tensor x = cast(call.inputs[0], DType::F64);
  const Tensor dy = cast(call.gradOutputs[0], DType::F64);
  const Labels labels = labelsOf(call);
  const std::vector<int64_t> lengths = lengthsOf(call.inputs[2], labels.samples, x.size(0));
  const std::vector<Tensor> emissions = emissionsOf(x, labels);
  const std::vector<Tensor> alphas = alphasOf(emissions, labels);
  const std::vector<Tensor> betas = betasOf(emissions, labels, lengths);
  const Tensor total = logsumexp(add(alphas[0], betas[0]), {1}, true);
  const Tensor possible = greater(total, Tensor::full({}, 0.5 * kNever, x.dtype()));
  const Tensor zero = Tensor::full({}, 0, x.dtype());
  const double none =
      call.as<CtcLossParams>().zeroInfinity != 0 ? 0 : std::numeric_limits<double>::quiet_NaN();
  const Tensor impossible = Tensor::full({}, none, x.dtype());
  const Tensor weight = neg(unsqueeze(dy, 1));
  std::vector<Tensor> frames;
  for (size_t t = 0; t < alphas.size(); ++t) {
    const Tensor inside = maskOf(lengths, [t](int64_t n) { return static_cast<int64_t>(t) < n; });
    const Tensor chances = where(inside, exp(sub(add(alphas[t], betas[t]), total)), zero);
    const Tensor room = Tensor::zeros({x.size(1), x.size(2)}, x.dtype(), x.device());
    const Tensor ofClasses = mul(scatterAdd(room, 1, labels.classes, chances), weight);
    frames.push_back(where(possible, ofClasses, where(inside, impossible, zero)));
  }
  call.gradInputs[0] = cast(stack(frames, 0), own);
}

}  // namespace tenon
