// SPDX-License-Identifier: Apache-2.0
// The policy of autocast and its cache of weights.
#include "engine/amp/autocast.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/gate/cast.h"
#include "engine/tensor/promotion.h"

namespace tenon::amp {
namespace {

/// f64 is chosen by the caller and stays; other types than floating ones mean something else.
bool castable(const Tensor& x) { return isFloating(x.dtype()) && x.dtype() != DType::F64; }

/// Casts of weights, shared by nested guards.
class WeightCasts {
 public:
  /// @param leaf f32, wants a gradient
  Tensor inType(const Tensor& leaf, DType type) {
    Entry& entry = entries_[{leaf.impl(), type}];
    const bool recorded = entry.cast.defined() && entry.cast.requiresGrad();
    const bool serves = entry.cast.defined() && entry.version == leaf.version() &&
                        (recorded || !gate::threadState().gradMode);
    if (!serves) entry = {leaf, cast(leaf, type), leaf.version()};
    return entry.cast;
  }

 private:
  struct Entry {
    Tensor leaf;  // held, so that no other tensor comes to lie where it is
    Tensor cast;
    uint32_t version = 0;
  };
  std::map<std::pair<const TensorImpl*, DType>, Entry> entries_;
};

class Policy final : public gate::AutocastPolicy {
 public:
  Policy(DType type, std::shared_ptr<WeightCasts> weights)
      : type_(type), weights_(std::move(weights)) {}

  std::optional<DType> wanted(AutocastClass kind, TensorList inputs) const override {
    switch (kind) {
      case AutocastClass::LowPrecision:
        return type_;
      case AutocastClass::Float32:
        return DType::F32;
      case AutocastClass::Widest:
        return widestOf(inputs);
      default:
        return std::nullopt;
    }
  }

  Tensor inType(const Tensor& x, DType type) override {
    if (!castable(x) || x.dtype() == type) return x;
    const bool weight = type == type_ && x.dtype() == DType::F32 && x.requiresGrad() &&
                        !x.impl()->isView && autograd::isLeaf(x);
    return weight ? weights_->inType(x, type) : cast(x, type);
  }

  std::unique_ptr<AutocastPolicy> again() const override {
    return std::make_unique<Policy>(type_, std::make_shared<WeightCasts>());
  }

 private:
  static std::optional<DType> widestOf(TensorList inputs) {
    std::optional<DType> widest;
    for (const Tensor* input : inputs) {
      if (input == nullptr || !input->defined() || !castable(*input)) continue;
      widest = widest ? promoteTypes(*widest, input->dtype()) : input->dtype();
    }
    return widest;
  }

  DType type_;
  std::shared_ptr<WeightCasts> weights_;
};

/// Of the guards that are nested on this thread; null outside of all.
thread_local std::shared_ptr<WeightCasts> ofThisThread;

/// The casts of the outermost guard, which begin and end with it.
class Nesting {
 public:
  Nesting() : outermost_(!ofThisThread) {
    if (outermost_) ofThisThread = std::make_shared<WeightCasts>();
  }
  ~Nesting() {
    if (outermost_) ofThisThread.reset();
  }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  bool outermost_;
};

DType lowType(DType type) {
  if (type != DType::BF16 && type != DType::F16)
    throw Error(Code::Type, fmt::format("[autocast] wants bf16 or f16, got {}", dtypeName(type)));
  return type;
}

}  // namespace

struct AutocastGuard::State {
  State(DType type, bool enabled)
      : policy(lowType(type), ofThisThread), active(enabled ? &policy : nullptr) {}

  Nesting nesting;
  Policy policy;
  gate::AutocastSwitch active;
};

AutocastGuard::AutocastGuard(DType type, bool enabled)
    : state_(std::make_unique<State>(type, enabled)) {}
AutocastGuard::~AutocastGuard() = default;

bool autocastEnabled() { return gate::activeAutocast != nullptr; }

}  // namespace tenon::amp
