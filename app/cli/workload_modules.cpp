// SPDX-License-Identifier: Apache-2.0
// Axes: B sequences, T steps, E numbers a step, V tokens.
#include "app/cli/workload_modules.h"

#include "engine/ops/attention/attention.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/view/view.h"

namespace tenon::cli {
namespace {

/// Causal attention of qkv [B, T, 3 * E], the heads side by side in each third: [B, T, E].
Tensor attended(const Tensor& qkv, int64_t heads) {
  const int64_t batch = qkv.size(0), steps = qkv.size(1), wide = qkv.size(2) / 3;
  const Tensor parts =
      permute(reshape(qkv, {batch, steps, 3, heads, wide / heads}), {2, 0, 3, 1, 4});
  AttentionOptions options;
  options.causal = true;
  const Tensor y =
      attention(select(parts, 0, 0), select(parts, 0, 1), select(parts, 0, 2), options);
  return reshape(transpose(y, 1, 2), {batch, steps, wide});
}

class GptBlock final : public nn::Module {
 public:
  explicit GptBlock(const GptSizes& s)
      : heads_(s.heads),
        norm1_(addChild("ln1", nn::layerNorm(s.wide))),
        qkv_(addChild("qkv", nn::linear(s.wide, 3 * s.wide))),
        proj_(addChild("proj", nn::linear(s.wide, s.wide))),
        norm2_(addChild("ln2", nn::layerNorm(s.wide))),
        widen_(addChild("fc1", nn::linear(s.wide, 4 * s.wide))),
        narrow_(addChild("fc2", nn::linear(4 * s.wide, s.wide))) {}

 protected:
  nn::Tensors forward(std::span<const Tensor> inputs) override {
    const Tensor& x = inputs[0];
    const Tensor y = add(x, (*proj_)(attended((*qkv_)((*norm1_)(x)), heads_)));
    return {add(y, (*narrow_)(gelu((*widen_)((*norm2_)(y)))))};
  }

 private:
  int64_t heads_;
  nn::ModulePtr norm1_, qkv_, proj_, norm2_, widen_, narrow_;
};

class Gpt final : public nn::Module {
 public:
  explicit Gpt(const GptSizes& s)
      : tokens_(addChild("tok", nn::embedding(s.tokens, s.wide))),
        places_(addChild("pos", nn::layer("positional_embedding", {{"init_std", 1.0}},
                                          {PortShape{{kFreeSize, s.steps, s.wide}, DType::F32}}))),
        table_(tokens_->parameters().front().tensor) {
    const auto blocks = std::make_shared<nn::Sequential>();
    for (int64_t i = 0; i < s.blocks; ++i) blocks->add(std::make_shared<GptBlock>(s));
    blocks_ = addChild("blocks", blocks);
    norm_ = addChild("ln", nn::layerNorm(s.wide));
  }

 protected:
  nn::Tensors forward(std::span<const Tensor> inputs) override {
    const Tensor y = (*norm_)((*blocks_)((*places_)((*tokens_)(inputs[0]))));
    return {flatten(linear(y, table_, {}), 0, 1)};
  }

 private:
  nn::ModulePtr tokens_, places_, blocks_, norm_;
  Tensor table_;  // [V, E], the weight of tokens_
};

class LanguageLstm final : public nn::Module {
 public:
  explicit LanguageLstm(const LstmSizes& s)
      : tokens_(addChild("emb", nn::embedding(s.tokens, s.wide))),
        memory_(
            addChild("rnn", nn::layer("lstm", {{"hidden_size", s.wide}, {"num_layers", s.layers}},
                                      {PortShape{{kFreeSize, s.steps, s.wide}, DType::F32}}))),
        head_(addChild("head", nn::linear(s.wide, s.tokens))) {}

 protected:
  nn::Tensors forward(std::span<const Tensor> inputs) override {
    return {flatten((*head_)((*memory_)((*tokens_)(inputs[0]))), 0, 1)};
  }

 private:
  nn::ModulePtr tokens_, memory_, head_;
};

}  // namespace

nn::ModulePtr gptModule(const GptSizes& sizes) { return std::make_shared<Gpt>(sizes); }
nn::ModulePtr lstmModule(const LstmSizes& sizes) { return std::make_shared<LanguageLstm>(sizes); }

}  // namespace tenon::cli
