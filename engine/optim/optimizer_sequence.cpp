// SPDX-License-Identifier: Apache-2.0
// Optimizers one after the other.
#include "engine/optim/optimizer_sequence.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace tenon {
namespace {

class OptimizerSequence final : public Optimizer {
 public:
  OptimizerSequence(std::vector<OptimizerPhase> phases, std::vector<OptimizedParameter> parameters)
      : phases_(std::move(phases)), parameters_(std::move(parameters)) {
    check();
    for (size_t i = phases_.size(); i-- > 0;) {  // the first one stays
      current_.reset();
      begin(i);
    }
  }

  void step(double learningRate) override {
    const size_t phase = phaseAt(phases_, steps_);
    if (phase != phase_) begin(phase);
    current_->step(learningRate);
    ++steps_;
  }
  std::vector<OptimizerState> state() override { return current_->state(); }
  int64_t steps() const override { return steps_; }
  void setSteps(int64_t steps) override {
    steps_ = steps;
    // At the very step of a change the checkpoint still holds the phase before.
    const size_t phase = phaseAt(phases_, steps > 0 ? steps - 1 : 0);
    if (phase != phase_) begin(phase);
    current_->setSteps(steps - phases_[phase].fromStep);
  }

 private:
  void check() const {
    if (phases_.empty() || phases_.front().fromStep != 0)
      throw Error(Code::Input, "optimizer sequence: the first phase wants to begin at step 0");
    for (size_t i = 0; i < phases_.size(); ++i) {
      if (!phases_[i].def)
        throw Error(Code::Input, fmt::format("optimizer sequence: phase {} has no optimizer", i));
      if (i > 0 && phases_[i].fromStep <= phases_[i - 1].fromStep)
        throw Error(Code::Input,
                    fmt::format("optimizer sequence: phase {} wants to begin after step "
                                "{}, got {}",
                                i, phases_[i - 1].fromStep, phases_[i].fromStep));
    }
  }
  void begin(size_t phase) {
    // The one before goes only when the next is there: without memory for it nothing has changed.
    current_ = phases_[phase].def->make(phases_[phase].params, parameters_);
    phase_ = phase;
  }

  std::vector<OptimizerPhase> phases_;
  std::vector<OptimizedParameter> parameters_;
  std::unique_ptr<Optimizer> current_;
  size_t phase_ = 0;
  int64_t steps_ = 0;
};

}  // namespace

size_t phaseAt(std::span<const OptimizerPhase> phases, int64_t steps) {
  size_t phase = 0;
  while (phase + 1 < phases.size() && phases[phase + 1].fromStep <= steps) ++phase;
  return phase;
}

std::unique_ptr<Optimizer> makeOptimizerSequence(std::vector<OptimizerPhase> phases,
                                                 std::vector<OptimizedParameter> parameters) {
  return std::make_unique<OptimizerSequence>(std::move(phases), std::move(parameters));
}

}  // namespace tenon
