// SPDX-License-Identifier: Apache-2.0
// The benchmark's networks that read tokens, as modules: what they share and rearrange no graph of
// layers says.
#pragma once

#include "engine/modules/layers.h"

namespace tenon::cli {

/// Sizes of a GPT.
struct GptSizes {
  int64_t tokens = 512;  ///< in the vocabulary
  int64_t steps = 128;   ///< in a sequence
  int64_t blocks = 6;
  int64_t wide = 256;
  int64_t heads = 8;  ///< divides `wide`
};
/// A GPT whose last layer is the table of its tokens (Radford et al. 2019). Its input is [B, steps]
/// i64, its output [B * steps, tokens]. Weights come from the thread's generator.
nn::ModulePtr gptModule(const GptSizes& sizes);

/// Sizes of a recurrent language model.
struct LstmSizes {
  int64_t tokens = 256;
  int64_t steps = 64;
  int64_t layers = 2;
  int64_t wide = 256;
};
/// An LSTM over a table of tokens, and a linear layer. Input [B, steps] i64, output
/// [B * steps, tokens].
nn::ModulePtr lstmModule(const LstmSizes& sizes);

}  // namespace tenon::cli
