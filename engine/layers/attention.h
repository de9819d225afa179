// SPDX-License-Identifier: Apache-2.0
// Multi-head attention (Vaswani et al. 2017, arXiv:1706.03762) with weights, names and initial
// values of PyTorch's nn.MultiheadAttention; what attention layers and transformer blocks share.
#pragma once

#include <vector>

#include "engine/layers/planning.h"

namespace tenon {

/// num_heads, dropout, causal, bias.
std::vector<ParamSpec> attentionParams();

struct AttentionSettings {
  int64_t heads = 8;
  double dropout = 0;  ///< of the attention weights while training
  bool causal = false;
  bool bias = true;
  /// Reads the parameters of attentionParams().
  explicit AttentionSettings(const ParamMap& params);
};

/// Adds weights (names behind `prefix`) and cost of attention from `query` to `key` and `value`,
/// each [N, steps, features]. False, with an issue, if heads or steps do not fit.
bool planAttention(const AttentionSettings& settings, std::span<const PortShape> inputs,
                   const std::string& prefix, LayerPlan& plan);

/// What is attended to: query [N, L, E], key [N, S, K], value [N, S, V].
struct AttentionInputs {
  Tensor query, key, value;
};
/// Takes the weights that planAttention() added. @returns [N, L, E]
Tensor attend(const AttentionSettings& settings, const AttentionInputs& in, WeightCursor& weights,
              bool training);

}  // namespace tenon
