// SPDX-License-Identifier: Apache-2.0
// One step of a recurrent layer; only for the files of this folder.
#pragma once

#include "engine/ops/recurrent/recurrent.h"

namespace tenon::recurrent_parts {

/// The hidden state [N, H] after one step of any kind but Lstm, whose steps are one operator.
/// @param projected [N, G * H]: the input times its weights, plus its bias
Tensor step(RecurrentKind kind, const Tensor& projected, const Tensor& hidden,
            const RecurrentWeights& weights);

}  // namespace tenon::recurrent_parts
