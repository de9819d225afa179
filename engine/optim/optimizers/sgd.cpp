// SPDX-License-Identifier: Apache-2.0
// Optimizer "sgd": stochastic gradient descent with momentum, as PyTorch defines it
// (reference/engine-facts.md 4.1).
#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/optimizer/optimizer.h"
#include "engine/optim/optimizer_def.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("lr", 0.01)
              .called(TENON_TEXT("Learning rate"))
              .range(0, 1000)
              .onLogScale()
              .describe(TENON_TEXT("Peak learning rate.")),
          floatParam("momentum", 0.9)
              .range(0, 1)
              .describe(TENON_TEXT("Share of the last step that is kept.")),
          floatParam("weight_decay", 0.0)
              .range(0, 10)
              .onLogScale()
              .describe(TENON_TEXT("Pulls weights towards zero (L2).")),
          boolParam("nesterov", false).describe(TENON_TEXT("Looks one momentum step ahead.")),
          floatParam("dampening", 0.0)
              .range(0, 1)
              .describe(TENON_TEXT("Reduces the new gradient's share in the momentum."))
              .forExperts(),
          boolParam("decay_norm_and_bias", true)
              .called(TENON_TEXT("Decay norms and biases"))
              .describe(TENON_TEXT("Applies weight decay to norms and biases too."))
              .forExperts()};
}

class Sgd final : public Optimizer {
 public:
  Sgd(const ParamMap& params, std::vector<OptimizedParameter> parameters)
      : parameters_(std::move(parameters)),
        momentum_(params.getFloat("momentum")),
        decay_(params.getFloat("weight_decay")),
        dampening_(params.getFloat("dampening")),
        decayAll_(params.getBool("decay_norm_and_bias")),
        buffers_(parameters_.size()) {
    step_.momentum = momentum_ != 0;
    step_.nesterov = params.getBool("nesterov");
    if (step_.nesterov && (momentum_ <= 0 || dampening_ != 0))
      throw Error(Code::Input, "sgd: nesterov wants a momentum above 0 and no dampening");
  }

  void step(double learningRate) override {
    const gate::NoGradGuard noGrad;
    // Parameters differ in decay and in whether their buffer is fresh; each kind is one pass. Those
    // with a buffer go first, so that a buffer made here is not used twice.
    for (const bool fresh : {false, true})
      for (const bool decays : {true, false}) pass(learningRate, decays, fresh);
    ++steps_;
  }

  std::vector<OptimizerState> state() override {
    std::vector<OptimizerState> out;
    if (!step_.momentum) return out;
    for (size_t i = 0; i < parameters_.size(); ++i)
      if (buffers_[i]) out.push_back({parameters_[i].name + "/momentum", buffers_[i]});
    return out;
  }
  int64_t steps() const override { return steps_; }
  void setSteps(int64_t steps) override {
    steps_ = steps;
    if (steps > 0 && step_.momentum)
      for (size_t i = 0; i < parameters_.size(); ++i) makeBuffer(i);
  }

 private:
  void makeBuffer(size_t i) {
    if (buffers_[i]) return;
    buffers_[i] = Tensor::zeros(parameters_[i].tensor.shape());
    buffers_[i].retag(memory::Category::OptimizerState);
  }

  void pass(double learningRate, bool decays, bool fresh) {
    std::vector<SgdSlot> slots;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      const bool first = step_.momentum && !buffers_[i];
      if ((parameters_[i].decays || decayAll_) != decays || first != fresh) continue;
      const Tensor grad = autograd::gradOf(parameters_[i].tensor);
      if (!grad) continue;
      if (step_.momentum) makeBuffer(i);
      slots.push_back({parameters_[i].tensor, grad, buffers_[i]});
    }
    if (slots.empty()) return;
    auto* s = scalars_.data<float>();
    s[kSgdLearningRate] = static_cast<float>(learningRate);
    s[kSgdWeightDecay] = decays ? static_cast<float>(decay_) : 0.0F;
    s[kSgdMomentum] = static_cast<float>(momentum_);
    s[kSgdOneMinusDampening] = static_cast<float>(1 - dampening_);
    s[kSgdFirstStep] = fresh ? 1.0F : 0.0F;
    s[kSgdGradScale] = 1.0F;
    sgdStep(scalars_, slots, step_);
  }

  std::vector<OptimizedParameter> parameters_;
  double momentum_, decay_, dampening_;
  bool decayAll_;
  SgdStepParams step_;
  std::vector<Tensor> buffers_;
  Tensor scalars_ = Tensor::zeros({kStepScalars});
  int64_t steps_ = 0;
};

}  // namespace

const OptimizerDef& optimizerDef_sgd();
const OptimizerDef& optimizerDef_sgd() {
  static const OptimizerDef kDef = {
      .id = "sgd",
      .title = "SGD",
      .help = TENON_TEXT("Stochastic gradient descent with momentum: few settings, needs a "
                         "well-chosen learning rate."),
      .schema = schema(),
      .make = [](const ParamMap& params, std::vector<OptimizedParameter> parameters) {
        return std::unique_ptr<Optimizer>(new Sgd(params, std::move(parameters)));
      }};
  return kDef;
}

}  // namespace tenon
