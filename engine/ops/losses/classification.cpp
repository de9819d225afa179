// SPDX-License-Identifier: Apache-2.0
// Losses of class indices and of wanted probabilities.
#include <fmt/format.h>

#include <limits>

#include "engine/base/error.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/index/index.h"
#include "engine/ops/losses/loss_parts.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/softmax/softmax.h"
#include "engine/ops/view/view.h"

namespace tenon {

using losses::needAlike;
using losses::needFloatingInput;
using losses::reduced;

namespace {

Tensor zeroLike(const Tensor& x) { return Tensor::zeros({}, x.dtype(), x.device()); }

void needClasses(const char* loss, const Tensor& x, const Tensor& weight) {
  needFloatingInput(loss, x);
  if (x.ndim() < 2 || x.size(1) < 1)
    throw Error(Code::Shape,
                fmt::format("[{}] wants [N, C, ...] with C >= 1, got {}", loss, describe(x)));
  if (weight.defined() && (!(weight.shape() == Shape{x.size(1)}) || weight.dtype() != x.dtype()))
    throw Error(Code::Shape, fmt::format("[{}] weight must be {} [{}], one a class; got {}", loss,
                                         dtypeName(x.dtype()), x.size(1), describe(weight)));
}

void needSmoothing(const char* loss, double smoothing) {
  if (!(smoothing >= 0 && smoothing <= 1))
    throw Error(Code::Usage,
                fmt::format("[{}] label smoothing must be 0 .. 1, got {}", loss, smoothing));
}

/// The options with weights as autocast gives them.
ClassLossOptions castWeights(const gate::AutocastCall& cast, const ClassLossOptions& options) {
  ClassLossOptions out = options;
  out.weight = cast(options.weight);
  return out;
}

/// Which rows count, and the weight of each (0: does not count).
struct Rows {
  Tensor counts;   ///< bool
  Tensor targets;  ///< i64; 0 in rows that do not count
  Tensor weights;
};

Rows rowsOf(const char* loss, const Tensor& x, const Tensor& targets,
            const ClassLossOptions& options) {
  Shape shape;
  for (int i = 0; i < x.ndim(); ++i)
    if (i != 1) shape.push(x.size(i));
  if (!targets.defined())
    throw Error(Code::Usage, fmt::format("[{}] targets is undefined: it holds no tensor", loss));
  if (targets.dtype() != DType::I64 || !(targets.shape() == shape))
    throw Error(Code::Shape, fmt::format("[{}] targets must be i64 {}, got {}", loss,
                                         toString(shape), describe(targets)));
  const Tensor ignored = Tensor::fromValues(std::vector<int64_t>{options.ignoreIndex}, {});
  Rows rows;
  rows.counts = notEqual(targets, ignored);
  rows.targets = where(rows.counts, targets, zeroLike(targets));
  rows.weights = cast(rows.counts, x.dtype());
  if (options.weight.defined()) {
    const Tensor own =
        reshape(indexSelect(options.weight, 0, reshape(rows.targets, {targets.numel()})), shape);
    rows.weights = mul(own, rows.weights);
  }
  return rows;
}

/// -log p of each row's target.
Tensor ofTargets(const Tensor& logProbabilities, const Tensor& targets) {
  return neg(squeeze(gather(logProbabilities, 1, unsqueeze(targets, 1)), 1));
}

/// Losses that are weighted already: their sum, their sum over that of the weights, or themselves.
Tensor reducedByWeight(const Tensor& losses, const Tensor& weights, Reduction reduction) {
  if (reduction == Reduction::Mean) return div(sum(losses), sum(weights));
  return reduced(losses, reduction);
}

/// One weight a class, to multiply [N, C, ...].
Tensor alongClasses(const Tensor& weight, int ndim) {
  Shape shape{weight.size(0)};
  shape.resize(ndim - 1, 1);
  return reshape(weight, shape);
}

}  // namespace

Tensor nllLoss(const Tensor& logProbabilities, const Tensor& targets,
               const ClassLossOptions& options) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return nllLoss(cast(logProbabilities), targets, castWeights(cast, options));
  needClasses("nll_loss", logProbabilities, options.weight);
  const Rows rows = rowsOf("nll_loss", logProbabilities, targets, options);
  const Tensor losses = ofTargets(logProbabilities, rows.targets);
  const Tensor counted = where(rows.counts, mul(losses, rows.weights), zeroLike(losses));
  return reducedByWeight(counted, rows.weights, options.reduction);
}

Tensor weightedCrossEntropy(const Tensor& logits, const Tensor& targets,
                            const ClassLossOptions& options) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return weightedCrossEntropy(cast(logits), targets, castWeights(cast, options));
  const double smoothing = options.labelSmoothing;
  if (!options.weight.defined())
    return crossEntropy(logits, targets, {options.ignoreIndex, smoothing, options.reduction});
  needClasses("cross_entropy", logits, options.weight);
  needSmoothing("cross_entropy", smoothing);
  const Rows rows = rowsOf("cross_entropy", logits, targets, options);
  const Tensor logs = logSoftmax(logits, 1);
  Tensor losses = mul(ofTargets(logs, rows.targets), rows.weights);
  if (smoothing > 0) {
    const Tensor all = neg(sum(mul(logs, alongClasses(options.weight, logs.ndim())), {1}));
    losses = add(mulScalar(losses, 1 - smoothing),
                 mulScalar(all, smoothing / static_cast<double>(logits.size(1))));
  }
  const Tensor counted = where(rows.counts, losses, zeroLike(losses));
  return reducedByWeight(counted, rows.weights, options.reduction);
}

Tensor crossEntropyOfProbabilities(const Tensor& logits, const Tensor& probabilities,
                                   const ClassLossOptions& options) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return crossEntropyOfProbabilities(cast(logits), cast(probabilities),
                                       castWeights(cast, options));
  needClasses("cross_entropy", logits, options.weight);
  needAlike("cross_entropy", logits, probabilities);
  needSmoothing("cross_entropy", options.labelSmoothing);
  Tensor wanted = probabilities;
  if (options.labelSmoothing > 0)
    wanted = addScalar(mulScalar(wanted, 1 - options.labelSmoothing),
                       options.labelSmoothing / static_cast<double>(logits.size(1)));
  Tensor parts = mul(logSoftmax(logits, 1), wanted);
  if (options.weight.defined()) parts = mul(parts, alongClasses(options.weight, parts.ndim()));
  return reduced(neg(sum(parts, {1})), options.reduction);
}

namespace {

/// @throws Error(Input) as PyTorch does, but for NaN, which the loss tells.
void needProbabilities(const char* op, const Tensor& x) {
  if (x.numel() == 0) return;
  const gate::NoGradGuard noGrad;
  const auto number = [](const Tensor& one) { return cast(one, DType::F64).data<double>()[0]; };
  const double low = number(amin(x)), high = number(amax(x));
  if (low < 0 || high > 1)
    throw Error(Code::Input,
                fmt::format("[{}] wants probabilities within 0 .. 1, got {} .. {}", op, low, high));
}

}  // namespace

Tensor bceLoss(const Tensor& x, const Tensor& target, const Tensor& weight, Reduction reduction) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return bceLoss(cast(x), cast(target), cast(weight), reduction);
  needAlike("bce_loss", x, target);
  needProbabilities("bce_loss", x);
  const Tensor losses = bitEntropy(x, target);
  return reduced(weight.defined() ? mul(losses, weight) : losses, reduction);
}

// (1 - t) x - (1 + (w - 1) t) log sigmoid(x)
Tensor bceWithLogitsLoss(const Tensor& x, const Tensor& target, const Tensor& weight,
                         const Tensor& positiveWeight, Reduction reduction) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return bceWithLogitsLoss(cast(x), cast(target), cast(weight), cast(positiveWeight), reduction);
  needAlike("bce_with_logits_loss", x, target);
  Tensor logs = logSigmoid(x);
  if (positiveWeight.defined())
    logs = mul(logs, addScalar(mul(addScalar(positiveWeight, -1), target), 1));
  const Tensor losses = sub(mul(addScalar(neg(target), 1), x), logs);
  return reduced(weight.defined() ? mul(losses, weight) : losses, reduction);
}

namespace {

/// Smallest number above 0 that a type holds in full precision.
double smallestNormal(DType dtype) {
  return dtype == DType::F64   ? std::numeric_limits<double>::min()
         : dtype == DType::F16 ? 0x1p-14
                               : static_cast<double>(std::numeric_limits<float>::min());
}

}  // namespace

Tensor focalLoss(const Tensor& x, const Tensor& target, double alpha, double gamma,
                 Reduction reduction) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return focalLoss(cast(x), cast(target), alpha, gamma, reduction);
  needAlike("focal_loss", x, target);
  if (!(gamma >= 0) || !(alpha <= 1))
    throw Error(Code::Usage, fmt::format("[focal_loss] wants gamma >= 0 and alpha <= 1, got {} "
                                         "and {}",
                                         gamma, alpha));
  const Tensor p = sigmoid(x);
  const Tensor other = addScalar(neg(target), 1);
  const Tensor missed = add(mul(p, other), mul(addScalar(neg(p), 1), target));  // 1 - p_t
  // A power below 1 is infinitely steep at 0, where p has been rounded to the target: what is no
  // larger than rounding has no slope.
  const Tensor above0 =
      clamp(missed, smallestNormal(missed.dtype()), std::numeric_limits<double>::infinity());
  Tensor losses =
      mul(bceWithLogitsLoss(x, target, {}, {}, Reduction::None), powScalar(above0, gamma));
  if (alpha >= 0) losses = mul(losses, add(mulScalar(target, alpha), mulScalar(other, 1 - alpha)));
  return reduced(losses, reduction);
}

Tensor diceLoss(const Tensor& x, const Tensor& target, double smooth, Reduction reduction) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return diceLoss(cast(x), cast(target), smooth, reduction);
  needAlike("dice_loss", x, target);
  if (x.ndim() < 2)
    throw Error(Code::Shape, fmt::format("[dice_loss] wants [N, ...], got {}", describe(x)));
  Axes axes;
  for (int i = 1; i < x.ndim(); ++i) axes.push_back(i);
  const Tensor both = addScalar(mulScalar(sum(mul(x, target), axes), 2), smooth);
  const Tensor sizes = addScalar(add(sum(x, axes), sum(target, axes)), smooth);
  return reduced(addScalar(neg(div(both, sizes)), 1), reduction);
}

Tensor klDivergence(const Tensor& x, const Tensor& target, bool logTarget, Reduction reduction) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return klDivergence(cast(x), cast(target), logTarget, reduction);
  needAlike("kl_divergence", x, target);
  if (logTarget) return reduced(mul(exp(target), sub(target, x)), reduction);
  // 0 log 0 = 0: 1 stands in, whose logarithm is that
  const Tensor zero = zeroLike(target);
  const Tensor one = Tensor::full({}, 1, target.dtype());
  const Tensor safe = where(equal(target, zero), one, target);
  return reduced(sub(mul(safe, log(safe)), mul(target, x)), reduction);
}

}  // namespace tenon
