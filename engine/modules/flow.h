// SPDX-License-Identifier: Apache-2.0
// Modules that decide while they run: a residual connection, a repeat, a condition. Only what ran
// is recorded, so backward goes through that and through nothing else.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/modules/layers.h"

namespace tenon::nn {

/// body(x) + shortcut(x), its parts named "body" and "shortcut".
class TENON_API Residual final : public Module {
 public:
  /// @param shortcut null: x itself
  /// @throws Error(Usage) if there is no body. In a call Error(Shape) if the two cannot be added.
  explicit Residual(const ModulePtr& body, const ModulePtr& shortcut = nullptr);

 protected:
  Tensors forward(std::span<const Tensor> inputs) override;

 private:
  ModulePtr body_;
  ModulePtr shortcut_;
};

TENON_API ModulePtr residual(const ModulePtr& body, const ModulePtr& shortcut = nullptr);

/// A body run again and again, each turn on the output of the one before.
class TENON_API Repeat final : public Module {
 public:
  /// How many turns a call makes; asked once, before the first. Less than 1: none.
  using Turns = std::function<int64_t(const Tensor& x, bool training)>;
  /// Whether the turn that made `after` of `before` is the last; asked without gradients.
  using Settled = std::function<bool(const Tensor& before, const Tensor& after)>;

  /// One body, named "body", whose weights all turns share.
  /// @throws Error(Usage) if there is no body, or no function.
  Repeat(const ModulePtr& body, int64_t times);
  Repeat(const ModulePtr& body, Turns turns);
  /// A body for each turn, named "0", "1", ..., run once each.
  explicit Repeat(const std::vector<ModulePtr>& bodies);

  /// Makes turns stop early.
  void until(Settled settled) { settled_ = std::move(settled); }

 protected:
  /// @throws Error(Usage) for another number of inputs than one.
  Tensors forward(std::span<const Tensor> inputs) override;

 private:
  std::vector<ModulePtr> bodies_;
  bool shared_ = true;
  Turns turns_;
  Settled settled_;
};

/// One of two modules, named "then" and "else", decided anew in each call.
class TENON_API Condition final : public Module {
 public:
  /// Asked without gradients.
  using Holds = std::function<bool(const Tensor& x, bool training)>;

  /// @param otherwise null: x itself
  /// @throws Error(Usage) if there is no `then` or nothing that decides.
  Condition(Holds holds, const ModulePtr& then, const ModulePtr& otherwise = nullptr);

 protected:
  Tensors forward(std::span<const Tensor> inputs) override;

 private:
  Holds holds_;
  ModulePtr then_;
  ModulePtr else_;
};

}  // namespace tenon::nn
