// SPDX-License-Identifier: Apache-2.0
// Scaled dot-product attention (Vaswani et al. 2017, arXiv:1706.03762).
#pragma once

#include <optional>

#include "engine/tensor/tensor.h"

namespace tenon {

/// Settings of `attention`.
struct AttentionOptions {
  /// Broadcasts to [..., heads, L, S]. Bool: true lets a query see a key. Floating (of the type of
  /// the queries): added to the scores, and differentiable. Undefined: everything is seen.
  Tensor mask;
  bool causal = false;          ///< query i sees keys 0 .. i only; excludes a mask
  double dropout = 0;           ///< chance of a weight to be dropped, 0 .. 1; 0 outside training
  std::optional<double> scale;  ///< of the scores; none: 1 / sqrt(E)
  bool groupedHeads = false;    ///< k and v have fewer heads, each shared by as many of q's
};

/// softmax(q k^T * scale + mask) v over the last axis of the scores. A query that sees no key gets
/// zeros.
/// @param q [..., L, E], k [..., S, E], v [..., S, V] f32 or f64; leading axes broadcast. With
/// groupedHeads axis -3 holds the heads: H of q, and of k and v a number that divides H.
/// @returns [..., L, V]
/// @throws Error(Shape | Type | Usage) naming wanted and got. Gradients of every order.
TENON_API Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v,
                           const AttentionOptions& options = {});

}  // namespace tenon
