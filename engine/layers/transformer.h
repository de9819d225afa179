// SPDX-License-Identifier: Apache-2.0
// Blocks of a transformer (Vaswani et al. 2017, arXiv:1706.03762) as PyTorch's encoder and decoder
// layers: attention, for a decoder attention to the encoder's result, then two linear maps.
#pragma once

#include "engine/layers/planning.h"

namespace tenon {

enum class TransformerPart : uint8_t { Encoder, Decoder };

/// num_heads, feedforward_size, kv_heads, dropout, activation, norm_first, causal, eps, bias.
ParamSchema transformerSchema(TransformerPart part);
/// [N, T, E] to [N, T, E]; a decoder's second input is the memory [N, S, E]. Optional inputs:
/// `mask` of the steps, and of a decoder `memory_mask`, as wantMask() has them.
LayerPlan planTransformer(const PlanRequest& request, TransformerPart part);
std::unique_ptr<Layer> makeTransformer(const PlanRequest& request, TransformerPart part);

}  // namespace tenon
