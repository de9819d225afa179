// SPDX-License-Identifier: Apache-2.0
// Multi-head attention (Vaswani et al. 2017, arXiv:1706.03762) with weights, names and initial
// values of PyTorch's nn.MultiheadAttention; what attention layers and transformer blocks share.
#pragma once

#include <vector>

#include "engine/layers/planning.h"

namespace tenon {

/// num_heads, kv_heads, dropout, causal, bias.
std::vector<ParamSpec> attentionParams();

struct AttentionSettings {
  int64_t heads = 8;
  int64_t shared = 8;  ///< heads of keys and values, each shared by as many of the query
  double dropout = 0;  ///< of the attention weights while training
  bool causal = false;
  bool bias = true;
  /// Reads the parameters of attentionParams().
  explicit AttentionSettings(const ParamMap& params);
};

/// Adds weights (names behind `prefix`) and cost of attention from `query` to `key` and `value`,
/// each [N, steps, features]. False, with an issue, if heads or steps do not fit.
///
/// Names are PyTorch's. E features of the query, G = kv_heads * (E / num_heads) of keys and values
/// after their projection (E where kv_heads is 0 or num_heads): `in_proj_weight` [E + 2 G, E] has
/// the rows of query, key and value one after the other; where key or value have not E features
/// there are `q_proj_weight` [E, E], `k_proj_weight` [G, K] and `v_proj_weight` [G, V] instead.
/// `in_proj_bias` [E + 2 G], `out_proj.weight` [E, E], `out_proj.bias` [E].
bool planAttention(const AttentionSettings& settings, std::span<const PortShape> inputs,
                   const std::string& prefix, LayerPlan& plan);

/// True if there is no wire into that port, or what it brings is a mask from `query` to `key`:
/// bool, true where a key may be attended to, or added to the scores, of the query's type; one a
/// key, [N, S], or one for each step of the query, [N, L, S]. Else adds an issue.
bool wantMask(const PlanRequest& request, size_t port, const std::string& name,
              const PortShape& query, const PortShape& key, LayerPlan& plan);

/// What is attended to: query [N, L, E], key [N, S, K], value [N, S, V], with a mask or none. A
/// step of the query that may attend to no key gets zeros before the projection back.
struct AttentionInputs {
  Tensor query, key, value;
  Tensor mask = {};
};
/// Takes the weights that planAttention() added. @returns [N, L, E]
Tensor attend(const AttentionSettings& settings, const AttentionInputs& in, WeightCursor& weights,
              bool training);

}  // namespace tenon
