// SPDX-License-Identifier: Apache-2.0
// Module: a part of a network that owns its parameters, buffers and parts of its own.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/memory/scope.h"
#include "engine/optim/optimizer_def.h"
#include "engine/tensor/tensor.h"

namespace tenon::nn {

class Module;
using Tensors = std::vector<Tensor>;

/// A buffer by its full name: saved with the weights unless it is not persistent, never trained.
struct NamedBuffer {
  std::string name;
  Tensor tensor;
  bool persistent = true;
  bool optional = false;  ///< older state dictionaries may lack it: it becomes zero then
};
/// A tensor of a state dictionary by its full name.
struct NamedState {
  std::string name;
  Tensor tensor;
  bool optional = false;  ///< as NamedBuffer
};
using StateDict = std::vector<NamedState>;

/// A module by its full name; that of the root is empty.
struct NamedModule {
  std::string name;
  Module* module = nullptr;
};

/// Sees inputs and outputs of a call; what it returns replaces the outputs unless it is empty.
using ForwardHook =
    std::function<Tensors(Module& module, std::span<const Tensor> inputs, const Tensors& outputs)>;
/// Sees the gradients with respect to inputs and outputs of a call (undefined where there are
/// none); what it returns replaces those of the inputs unless it is empty. In a pass with
/// createGraph the gradients of the inputs have a history, those of the outputs never do.
using BackwardHook = std::function<Tensors(Module& module, std::span<const Tensor> gradInputs,
                                           std::span<const Tensor> gradOutputs)>;
/// Number of a hook, to remove it.
using HookId = uint64_t;

/// Base of everything with weights. A class of one's own adds its parts in its constructor and
/// defines forward():
///
///     struct Net : nn::Module {
///       std::shared_ptr<nn::Module> first = addChild("first", nn::linear(4, 16));
///       std::shared_ptr<nn::Module> last = addChild("last", nn::linear(16, 2));
///      protected:
///       nn::Tensors forward(std::span<const Tensor> in) override {
///         return {(*last)(relu((*first)(in[0])))};
///       }
///     };
///
/// Full names are the names on the way joined by dots: "first.weight".
class TENON_API Module {
 public:
  Module() = default;
  virtual ~Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// Runs the module with one input; gives its first output.
  Tensor operator()(const Tensor& x);
  /// Runs forward() and the hooks. Memory and messages carry the names of the modules on the way.
  Tensors call(std::span<const Tensor> inputs);

  /// Every parameter once, those of a module before those of its children, in the order in which
  /// they were added; ready for an optimizer.
  std::vector<OptimizedParameter> parameters() const;
  /// Every buffer once, in the same order.
  std::vector<NamedBuffer> buffers() const;
  /// Parameters and persistent buffers, as a checkpoint keeps them: the memory itself, without
  /// history. What is shared stands there under each of its names.
  StateDict state() const;
  /// This module and all below it, each once.
  std::vector<NamedModule> modules();
  /// The child, at any depth, of that full name. @throws Error(Usage) naming the nearest.
  Module& child(std::string_view name);

  /// Training or evaluation, of this module and all below it; they start in training.
  void train(bool on = true);
  void eval() { train(false); }
  bool training() const { return training_; }

  /// Parameters whose full names match the pattern ('*' any characters, dots too, '?' one) are no
  /// longer trained, or again. Frozen ones lose their gradients. @returns the names that matched.
  /// @throws Error(Usage) naming the nearest if none does.
  std::vector<std::string> freeze(std::string_view pattern);
  std::vector<std::string> unfreeze(std::string_view pattern);
  /// Drops the gradients of all parameters.
  void zeroGrad();

  HookId addForwardHook(ForwardHook hook);
  /// Runs when the gradients of all inputs that want one are there, or, if none does, those of the
  /// outputs. The module must live until then, and inputs and outputs count as views: changing one
  /// in place is refused.
  HookId addBackwardHook(BackwardHook hook);
  void removeHook(HookId id);

 protected:
  virtual Tensors forward(std::span<const Tensor> inputs) = 0;
  /// How many of its outputs, the first ones, a Sequential gives the next module.
  virtual size_t passedOn(size_t outputs) const { return outputs; }

  /// Adds a leaf that is trained. @param decays false: left out of weight decay if the optimizer's
  /// decay_norm_and_bias is off. @returns it.
  /// @throws Error(Usage) if the name is empty or taken, here and below; a child's has no dot.
  Tensor addParameter(std::string name, const Tensor& tensor, bool decays = true);
  Tensor addBuffer(std::string name, const Tensor& tensor, bool persistent = true);
  Tensor addBuffer(NamedBuffer buffer);
  template <class M>
  std::shared_ptr<M> addChild(const std::string& name, std::shared_ptr<M> module) {
    adopt(name, module);
    return module;
  }

 private:
  friend class Sequential;

  struct Parameter {
    std::string name;
    Tensor tensor;
    bool decays;
  };
  struct Child {
    std::string name;
    std::shared_ptr<Module> module;
  };
  template <class Hook>
  struct Hooked {
    HookId id;
    Hook hook;
  };

  void adopt(std::string name, std::shared_ptr<Module> module);
  void checkName(const std::string& name) const;
  using Visitor = std::function<void(const std::string& prefix, const Module& module)>;
  void visit(const std::string& prefix, const Visitor& see) const;
  void visitOnce(const Visitor& see) const;
  std::vector<std::string> setTrained(std::string_view pattern, bool on);
  memory::NameId scopeName();
  Tensors run(std::span<const Tensor> inputs);
  Tensors runWithBackwardHooks(std::span<const Tensor> inputs);

  std::vector<Parameter> parameters_;
  std::vector<NamedBuffer> buffers_;
  std::vector<Child> children_;
  std::vector<Hooked<ForwardHook>> forwardHooks_;
  std::vector<Hooked<BackwardHook>> backwardHooks_;
  HookId nextHook_ = 1;
  bool training_ = true;
  std::string name_;  // in its parent
  memory::NameId parentScope_ = 0;
  memory::NameId scope_ = 0;  // for parentScope_; 0: not known yet
};

}  // namespace tenon::nn
