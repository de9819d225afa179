// SPDX-License-Identifier: Apache-2.0
// The one optimizer behind all rules.
#include "engine/optim/fused_optimizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/memory/scope.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/gate/host.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/optim/parameter_groups.h"

namespace tenon {
namespace {

/// What is allocated for a parameter ("conv1.weight") is its layer's, asked for by the optimizer.
memory::Scope scopeOf(std::string_view optimizer, std::string_view parameter) {
  memory::Scope scope = memory::currentScope();
  scope.layer = memory::internName(parameter.substr(0, parameter.rfind('.')));
  scope.op = memory::internName(optimizer);
  scope.phase = memory::Phase::Optimizer;
  return scope;
}

/// Steps each parameter has made.
Tensor zeroCounts(std::string_view optimizer, size_t parameters) {
  const memory::ScopeGuard scoped(scopeOf(optimizer, ""));
  Tensor counts = Tensor::zeros({static_cast<int64_t>(parameters)}, DType::I64);
  counts.retag(memory::Category::OptimizerState);
  return counts;
}

/// Parameters that share all numbers of a step.
struct Bucket {
  GroupNumbers numbers;
  int64_t t = 0;
  DType dtype = DType::F32;
  Tensor scalars;
  std::vector<StepSlot> slots;
};

class FusedOptimizer final : public Optimizer {
 public:
  FusedOptimizer(std::string_view id, const ParamMap& params,
                 std::vector<OptimizedParameter> parameters, FusedRule rule)
      : id_(id),
        parameters_(std::move(parameters)),
        rule_(std::move(rule)),
        numbers_(groupNumbers(id, params, parameters_)),
        states_(parameters_.size()),
        counts_(zeroCounts(id, parameters_.size())) {
    for (size_t i = 0; i < parameters_.size(); ++i) makeStates(id, i);
  }

  /// All or nothing: whatever a step allocates is there before the first weight changes, and only
  /// a step that was made counts.
  void step(double learningRate) override {
    const gate::NoGradGuard noGrad;
    const memory::ScopeGuard scoped(scopeOf(id_, ""));
    const Filled filled(*this);
    for (size_t k = 0; k < used_; ++k) writeScalars(buckets_[k], learningRate);
    std::optional<gate::WorkspaceReserve> reserve;
    if (const size_t bytes = workspaceBytes()) reserve.emplace(bytes);
    for (size_t k = 0; k < used_; ++k)
      fusedStep(rule_.kind, buckets_[k].scalars, buckets_[k].slots, rule_.flags);
    for (const size_t i : stepped_) ++counts_.data<int64_t>()[i];
    ++steps_;
    known_ = buckets_.size();
  }

  std::vector<OptimizerState> state() override {
    std::vector<OptimizerState> out;
    for (size_t i = 0; i < parameters_.size(); ++i)
      for (size_t k = 0; k < rule_.states.size(); ++k)
        if (states_[i][k])
          out.push_back({parameters_[i].name + "/" + rule_.states[k], states_[i][k]});
    out.push_back({"steps", counts_, true});
    return out;
  }
  int64_t steps() const override { return steps_; }
  void setSteps(int64_t steps) override {
    steps_ = steps;
    std::fill_n(counts_.data<int64_t>(), parameters_.size(), steps);
  }

 private:
  void makeStates(std::string_view id, size_t i) {
    const Tensor& tensor = parameters_[i].tensor;
    if (tensor.dtype() != DType::F32 && tensor.dtype() != DType::F64)
      throw Error(Code::Type, fmt::format("{}: parameter '{}' is {}, wanted f32 or f64", id,
                                          parameters_[i].name, dtypeName(tensor.dtype())));
    const memory::ScopeGuard scoped(scopeOf(id, parameters_[i].name));
    for (size_t k = 0; k < rule_.states.size(); ++k) {
      if (rule_.states[k].empty()) continue;
      states_[i][k] = rule_.initialState == 0
                          ? Tensor::zeros(tensor.shape(), tensor.dtype())
                          : Tensor::full(tensor.shape(), rule_.initialState, tensor.dtype());
      states_[i][k].retag(memory::Category::OptimizerState);
    }
  }

  /// The buckets of one step. Their gradients are not kept, nor what a step made that failed.
  struct Filled {
    FusedOptimizer& of;
    explicit Filled(FusedOptimizer& optimizer) : of(optimizer) {
      try {
        of.fillBuckets();
      } catch (...) {
        of.emptyBuckets();
        throw;
      }
    }
    ~Filled() { of.emptyBuckets(); }
    Filled(const Filled&) = delete;
    Filled& operator=(const Filled&) = delete;
  };

  /// Sorts the parameters that have a gradient into buckets by the step they are about to make.
  void fillBuckets() {
    stepped_.clear();
    used_ = 0;
    const auto* counts = counts_.data<int64_t>();
    for (size_t i = 0; i < parameters_.size(); ++i) {
      const Tensor& tensor = parameters_[i].tensor;
      const Tensor grad = autograd::gradOf(tensor);
      if (!grad) continue;
      Bucket& bucket = bucketOf(numbers_[i], counts[i] + 1, tensor.dtype());
      bucket.slots.push_back({tensor, contiguous(grad), states_[i]});  // as kernels read it
      stepped_.push_back(i);
    }
  }
  void emptyBuckets() noexcept {
    for (Bucket& bucket : buckets_) bucket.slots.clear();
    while (buckets_.size() > known_) buckets_.pop_back();
  }
  /// Of the largest call, where several are to be made of which one might fail.
  size_t workspaceBytes() const {
    size_t most = 0;
    for (size_t k = 0; used_ > 1 && k < used_; ++k)
      most = std::max(most, stepWorkspaceBytes(rule_.kind, buckets_[k].slots));
    return most;
  }

  Bucket& bucketOf(const GroupNumbers& numbers, int64_t t, DType dtype) {
    for (size_t k = 0; k < used_; ++k)
      if (buckets_[k].numbers == numbers && buckets_[k].t == t && buckets_[k].dtype == dtype)
        return buckets_[k];
    if (used_ == buckets_.size()) buckets_.emplace_back();
    Bucket& bucket = buckets_[used_++];
    bucket.numbers = numbers;
    bucket.t = t;
    if (!bucket.scalars || bucket.dtype != dtype)
      bucket.scalars = Tensor::zeros({scalarsOf(rule_.kind)}, dtype);
    bucket.dtype = dtype;
    return bucket;
  }

  void writeScalars(const Bucket& bucket, double learningRate) const {
    std::array<double, kRuleScalars> values{};
    const StepPoint at{learningRate * bucket.numbers.rateFactor, bucket.numbers.decay,
                       static_cast<double>(bucket.t)};
    const auto count = static_cast<size_t>(bucket.scalars.numel());
    rule_.scalars(at, std::span(values).first(count));
    for (size_t i = 0; i < count; ++i) {
      if (bucket.dtype == DType::F64) {
        bucket.scalars.data<double>()[i] = values[i];
      } else {
        bucket.scalars.data<float>()[i] = static_cast<float>(values[i]);
      }
    }
  }

  std::string id_;
  std::vector<OptimizedParameter> parameters_;
  FusedRule rule_;
  std::vector<GroupNumbers> numbers_;
  std::vector<std::array<Tensor, 3>> states_;
  Tensor counts_;  ///< i64 [parameters]: steps each has made
  std::vector<Bucket> buckets_;
  size_t used_ = 0;
  size_t known_ = 0;             ///< buckets that a step was made with
  std::vector<size_t> stepped_;  ///< numbers of the parameters with a gradient
  int64_t steps_ = 0;
};

}  // namespace

std::unique_ptr<Optimizer> makeFused(std::string_view id, const ParamMap& params,
                                     std::vector<OptimizedParameter> parameters, FusedRule rule) {
  return std::make_unique<FusedOptimizer>(id, params, std::move(parameters), std::move(rule));
}

MomentNumbers momentNumbers(const ParamMap& params) {
  return {params.getFloat("beta1"), params.getFloat("beta2"), params.getFloat("eps")};
}

void writeMoments(std::span<double> scalars, const StepPoint& at, const MomentNumbers& numbers,
                  bool decoupled) {
  scalars[kRuleDecay] = decoupled ? 1 - at.rate * at.decay : at.decay;
  scalars[kRuleGradScale] = 1;
  scalars[kRuleBeta1] = numbers.beta1;
  scalars[kRuleOneMinusBeta1] = 1 - numbers.beta1;
  scalars[kRuleBeta2] = numbers.beta2;
  scalars[kRuleOneMinusBeta2] = 1 - numbers.beta2;
  scalars[kRuleEpsilon] = numbers.eps;
  scalars[kRuleInvSqrtBias2] = 1 / std::sqrt(1 - std::pow(numbers.beta2, at.t));
}

}  // namespace tenon
