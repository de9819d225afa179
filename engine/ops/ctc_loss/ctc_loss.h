// SPDX-License-Identifier: Apache-2.0
// Operator "ctc_loss": how unlikely a label sequence is under all its alignments with the frames.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "ctc_loss" and "ctc_loss_backward".
struct CtcLossParams {
  int64_t blank = 0;         ///< the class that stands for "no label"
  int64_t zeroInfinity = 0;  ///< 1: samples that no alignment fits count as 0
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/tensor/tensor.h"

namespace tenon {

struct GradCall;

struct CtcOptions {
  int64_t blank = 0;
  bool zeroInfinity = false;
  /// Mean divides each sample's loss by its number of labels (at least 1), then by the samples.
  Reduction reduction = Reduction::Mean;
};

/// Connectionist temporal classification (A. Graves et al., "Connectionist temporal classification:
/// labelling unsegmented sequence data with recurrent neural networks", ICML 2006): -log of the
/// summed probability of every way to write the labels over the frames, with repeats and blanks;
/// infinite if there is none, as where frames are too few. Computed in f64, in logarithms.
///
/// The gradient is the derivative by logProbs, -(chance that frame t writes class c). PyTorch's
/// adds exp(logProbs), which is the same behind a log-softmax. It is NaN for an infinite loss.
/// @param logProbs log-probabilities [T, N, C], or [T, C] of one sample; floating
/// @param targets i64 labels without blanks: [N, S] (what lies behind a sample's length is not
/// read), or one after the other [sum of targetLengths]; [S] for one sample
/// @param inputLengths i64 [N], 0 .. T; undefined: T frames each
/// @param targetLengths i64 [N], 0 .. S; undefined: S labels each
/// @returns a scalar, or [N] ([] for one sample) with Reduction::None
/// @throws Error(Shape | Type | Usage) if they do not fit; Error(Input) naming the sample for a
/// length or label outside its range.
TENON_API Tensor ctcLoss(const Tensor& logProbs, const Tensor& targets,
                         const Tensor& inputLengths = {}, const Tensor& targetLengths = {},
                         const CtcOptions& options = {});

/// The gradient of "ctc_loss" from recorded operators, for gradients of it.
void ctcLossTracedGrad(GradCall& call);

}  // namespace tenon
#endif
