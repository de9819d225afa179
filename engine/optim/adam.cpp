// SPDX-License-Identifier: Apache-2.0
// Adam (Kingma and Ba 2015, arXiv:1412.6980) and AdamW (Loshchilov and Hutter 2019,
// arXiv:1711.05101) in one fused pass.
#include "engine/optim/adam.h"

#include <cmath>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/optimizer/optimizer.h"

namespace tenon {
namespace {

class Adam final : public Optimizer {
 public:
  Adam(const ParamMap& params, std::vector<OptimizedParameter> parameters, bool decoupled)
      : parameters_(std::move(parameters)),
        beta1_(params.getFloat("beta1")),
        beta2_(params.getFloat("beta2")),
        eps_(params.getFloat("eps")),
        decay_(params.getFloat("weight_decay")),
        decayAll_(params.getBool("decay_norm_and_bias")) {
    step_.decoupled = decoupled;
    for (const OptimizedParameter& parameter : parameters_) {
      first_.push_back(moment(parameter));
      second_.push_back(moment(parameter));
    }
  }

  void step(double learningRate) override {
    const gate::NoGradGuard noGrad;
    ++steps_;
    for (const bool decays : {true, false}) pass(learningRate, decays);
  }

  std::vector<OptimizerState> state() override {
    std::vector<OptimizerState> out;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      out.push_back({parameters_[i].name + "/exp_avg", first_[i]});
      out.push_back({parameters_[i].name + "/exp_avg_sq", second_[i]});
    }
    return out;
  }
  int64_t steps() const override { return steps_; }
  void setSteps(int64_t steps) override { steps_ = steps; }

 private:
  static Tensor moment(const OptimizedParameter& parameter) {
    Tensor zeros = Tensor::zeros(parameter.tensor.shape(), parameter.tensor.dtype());
    zeros.retag(memory::Category::OptimizerState);
    return zeros;
  }

  void writeScalars(double learningRate, bool decays) {
    const auto t = static_cast<double>(steps_);
    const double decay = decays ? decay_ : 0.0;
    auto* s = scalars_.data<float>();
    s[kAdamStepSize] = static_cast<float>(learningRate / (1 - std::pow(beta1_, t)));
    s[kAdamDecay] = static_cast<float>(step_.decoupled ? 1 - learningRate * decay : decay);
    s[kAdamOneMinusBeta1] = static_cast<float>(1 - beta1_);
    s[kAdamBeta2] = static_cast<float>(beta2_);
    s[kAdamOneMinusBeta2] = static_cast<float>(1 - beta2_);
    s[kAdamEpsilon] = static_cast<float>(eps_);
    s[kAdamInvSqrtBias2] = static_cast<float>(1 / std::sqrt(1 - std::pow(beta2_, t)));
    s[kAdamGradScale] = 1.0F;
  }

  void pass(double learningRate, bool decays) {
    std::vector<AdamSlot> slots;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if ((parameters_[i].decays || decayAll_) != decays) continue;
      if (const Tensor grad = autograd::gradOf(parameters_[i].tensor))
        slots.push_back({parameters_[i].tensor, grad, first_[i], second_[i]});
    }
    if (slots.empty()) return;
    writeScalars(learningRate, decays);
    adamStep(scalars_, slots, step_);
  }

  std::vector<OptimizedParameter> parameters_;
  double beta1_, beta2_, eps_, decay_;
  bool decayAll_;
  AdamStepParams step_;
  std::vector<Tensor> first_, second_;
  Tensor scalars_ = Tensor::zeros({kStepScalars});
  int64_t steps_ = 0;
};

}  // namespace

ParamSchema adamSchema(double weightDecay) {
  return {floatParam("lr", 1e-3)
              .called(TENON_TEXT("Learning rate"))
              .range(0, 1000)
              .onLogScale()
              .describe(TENON_TEXT("Peak learning rate.")),
          floatParam("weight_decay", weightDecay)
              .range(0, 10)
              .onLogScale()
              .describe(TENON_TEXT("Pulls weights towards zero.")),
          floatParam("beta1", 0.9)
              .called(TENON_TEXT("Beta 1"))
              .range(0, 1)
              .below(1)
              .describe(TENON_TEXT("Memory of the mean of gradients."))
              .forExperts(),
          floatParam("beta2", 0.999)
              .called(TENON_TEXT("Beta 2"))
              .range(0, 1)
              .below(1)
              .describe(TENON_TEXT("Memory of the mean of squared gradients."))
              .forExperts(),
          floatParam("eps", 1e-8)
              .called(TENON_TEXT("Epsilon"))
              .above(0)
              .onLogScale()
              .describe(TENON_TEXT("Added to the root of the squared gradients."))
              .forExperts(),
          boolParam("decay_norm_and_bias", true)
              .called(TENON_TEXT("Decay norms and biases"))
              .describe(TENON_TEXT("Applies weight decay to norms and biases too."))
              .forExperts()};
}

std::unique_ptr<Optimizer> makeAdam(const ParamMap& params,
                                    std::vector<OptimizedParameter> parameters, bool decoupled) {
  return std::make_unique<Adam>(params, std::move(parameters), decoupled);
}

}  // namespace tenon
