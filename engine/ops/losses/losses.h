// SPDX-License-Identifier: Apache-2.0
// Loss functions made of operators, but for cross_entropy's fused one. Formulas and limits are
// PyTorch's (torch.nn.functional).
//
// Inputs are f32 or f64, all of one type and, unless said otherwise, of one shape. A loss an
// element is returned as it is (Reduction::None), summed up, or averaged. Differentiable in every
// floating input, so targets may carry gradients too.
// @throws Error(Shape | Type) naming the loss if inputs do not fit.
#pragma once

#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/tensor/tensor.h"

namespace tenon {

/// (x - target)^2
TENON_API Tensor mseLoss(const Tensor& x, const Tensor& target,
                         Reduction reduction = Reduction::Mean);
/// |x - target|; the gradient where they are equal is 0.
TENON_API Tensor l1Loss(const Tensor& x, const Tensor& target,
                        Reduction reduction = Reduction::Mean);
/// d = |x - target|: d^2 / (2 beta) below beta, else d - beta / 2. beta >= 0; 0 is l1Loss.
TENON_API Tensor smoothL1Loss(const Tensor& x, const Tensor& target, double beta = 1,
                              Reduction reduction = Reduction::Mean);
/// d = |x - target|: d^2 / 2 below delta, else delta (d - delta / 2). delta > 0.
TENON_API Tensor huberLoss(const Tensor& x, const Tensor& target, double delta = 1,
                           Reduction reduction = Reduction::Mean);

/// Settings of losses over class indices.
struct ClassLossOptions {
  Tensor weight;  ///< [C], one a class; undefined: all 1
  int64_t ignoreIndex = -100;
  double labelSmoothing = 0;  ///< 0 .. 1; not for nllLoss
  Reduction reduction = Reduction::Mean;
};
/// -weight[t] logProbabilities[t] of each row; rows with target `ignoreIndex` count as 0. Mean
/// divides by the sum of the weights of the rows that count.
/// @param logProbabilities [N, C, ...] @param targets [N, ...], i64
/// @throws Error(Input) for a target outside the classes.
TENON_API Tensor nllLoss(const Tensor& logProbabilities, const Tensor& targets,
                         const ClassLossOptions& options = {});
/// As `crossEntropy`, and with class weights: (1 - s) nllLoss + s / C sum_c weight[c] -log p[c],
/// both divided by the same sum of weights. The fused operator is used where there are no weights.
/// @param logits [N, C, ...] @param targets [N, ...], i64
TENON_API Tensor weightedCrossEntropy(const Tensor& logits, const Tensor& targets,
                                      const ClassLossOptions& options = {});
/// Cross-entropy of wanted probabilities: sum_c weight[c] t[c] -log p[c] with t smoothed. Mean
/// divides by the number of rows; `ignoreIndex` does not count.
/// @param logits [N, C, ...] @param probabilities as logits
TENON_API Tensor crossEntropyOfProbabilities(const Tensor& logits, const Tensor& probabilities,
                                             const ClassLossOptions& options = {});

/// -(t log x + (1 - t) log(1 - x)) of probabilities x, the logarithms not below -100.
/// @param weight multiplies each loss; undefined: 1. Broadcasts to x.
TENON_API Tensor bceLoss(const Tensor& x, const Tensor& target, const Tensor& weight = {},
                         Reduction reduction = Reduction::Mean);
/// The same of logits, without overflow. @param positiveWeight multiplies the part of positive
/// targets; undefined: 1. Both weights broadcast to x.
TENON_API Tensor bceWithLogitsLoss(const Tensor& x, const Tensor& target, const Tensor& weight = {},
                                   const Tensor& positiveWeight = {},
                                   Reduction reduction = Reduction::Mean);
/// bceWithLogitsLoss times alpha_t (1 - p_t)^gamma, p_t being the probability of what is wanted and
/// alpha_t alpha for 1 and 1 - alpha for 0 (T.-Y. Lin et al., "Focal loss for dense object
/// detection", 2017). @param alpha 0 .. 1; negative: no such factor @param gamma >= 0
TENON_API Tensor focalLoss(const Tensor& x, const Tensor& target, double alpha = 0.25,
                           double gamma = 2, Reduction reduction = Reduction::Mean);
/// 1 - (2 sum x t + smooth) / (sum x + sum t + smooth) of each sample, x being probabilities: the
/// sums run over all axes but the first (F. Milletari et al., "V-Net", 2016). Reduction::None gives
/// [N]. @param x [N, ...]
TENON_API Tensor diceLoss(const Tensor& x, const Tensor& target, double smooth = 1,
                          Reduction reduction = Reduction::Mean);
/// target (log target - x), x being log-probabilities; with `logTarget`, target is one too. Mean
/// divides by the number of elements; for the mean of a batch divide the sum by its size.
TENON_API Tensor klDivergence(const Tensor& x, const Tensor& target, bool logTarget = false,
                              Reduction reduction = Reduction::Mean);

/// max(0, margin - target x), target being 1 or -1.
TENON_API Tensor hingeLoss(const Tensor& x, const Tensor& target, double margin = 1,
                           Reduction reduction = Reduction::Mean);
/// x where target is 1, max(0, margin - x) where it is -1.
TENON_API Tensor hingeEmbeddingLoss(const Tensor& x, const Tensor& target, double margin = 1,
                                    Reduction reduction = Reduction::Mean);
/// max(0, -target (a - b) + margin): target 1 wants a above b, -1 below.
TENON_API Tensor marginRankingLoss(const Tensor& a, const Tensor& b, const Tensor& target,
                                   double margin = 0, Reduction reduction = Reduction::Mean);

struct TripletOptions {
  double margin = 1;
  double order = 2;   ///< of the norm that is the distance
  double eps = 1e-6;  ///< added to each difference
  bool swap = false;  ///< negative's distance from whichever of anchor and positive is nearer
  Reduction reduction = Reduction::Mean;
};
/// max(0, |anchor - positive| - |anchor - negative| + margin) along the last axis: [N] of [N, D].
TENON_API Tensor tripletLoss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                             const TripletOptions& options = {});
/// 1 - cos(a, b) where target is 1, max(0, cos(a, b) - margin) where it is -1; the angle is along
/// the last axis. @param a, b [N, D] or [D] @param target [N] or []
TENON_API Tensor cosineEmbeddingLoss(const Tensor& a, const Tensor& b, const Tensor& target,
                                     double margin = 0, Reduction reduction = Reduction::Mean);

}  // namespace tenon
