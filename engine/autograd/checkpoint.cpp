// SPDX-License-Identifier: Apache-2.0
// Checkpointing over saved-tensor hooks: forward hands out tickets in the place of saved
// tensors, backward runs the function again and keeps what tickets are still out for.
#include "engine/autograd/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/memory/scope.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/gate/thread_state.h"

namespace tenon::autograd {
namespace {

using Tensors = std::vector<Tensor>;

constexpr const char* kName = "checkpoint";

class Frame;

/// Leaves the function once everything is there that backward needs. No std::exception, so that
/// handlers of errors let it pass.
struct StopRecomputation {
  const Frame* frame;
};

/// What a node keeps instead of a tensor; nobody needs the tensor once it is gone.
struct Ticket {
  size_t index;
};
using TicketRef = std::shared_ptr<const Ticket>;

/// A tensor that the forward pass saved.
struct Expected {
  TensorMeta meta;
  Device device;
  memory::NameId op;
  std::weak_ptr<const Ticket> ticket;
};

/// One call of checkpoint(); lives as long as a node may ask for a tensor.
class Frame {
 public:
  Frame(CheckpointedFunction function, std::span<const Tensor> inputs, CheckpointOptions options);

  Tensors forward(std::span<const Tensor> inputs) const { return function_(inputs); }
  /// Forward: the ticket of the next saved tensor.
  TicketRef expect(const Tensor& tensor);
  /// Backward: the tensor of a ticket, recomputed if this pass has not done so. Given once a pass.
  Tensor take(size_t index);

 private:
  void recompute();
  void runAgain();
  Tensors inputsAgain() const;
  void keepRecomputed(const Tensor& tensor);

  CheckpointedFunction function_;
  CheckpointOptions options_;
  Generator generator_;
  memory::Scope scope_;
  std::unique_ptr<gate::AutocastPolicy> autocast_;  // of the forward pass; null: it was off
  SmallVector<Saved, 2> inputs_;  // without edges, so that no chain of nodes hangs here
  std::vector<bool> wantsGrad_;
  std::vector<Expected> expected_;

  uint64_t pass_ = 0;  // that recomputed_ belongs to
  Tensors recomputed_;
  size_t next_ = 0;  // saved tensors that the recomputation has come by
  size_t end_ = 0;   // how many it must come by
};

Frame::Frame(CheckpointedFunction function, std::span<const Tensor> inputs,
             CheckpointOptions options)
    : function_(std::move(function)),
      options_(options),
      generator_(*gate::threadState().generator),
      scope_(memory::currentScope()),
      autocast_(gate::activeAutocast ? gate::activeAutocast->again() : nullptr) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    Saved saved;
    saved.position = static_cast<uint8_t>(std::min<size_t>(i, Saved::kOther));
    if (inputs[i].defined()) keep(saved, inputs[i]);
    inputs_.push_back(std::move(saved));
    wantsGrad_.push_back(inputs[i].defined() && inputs[i].requiresGrad());
  }
}

TicketRef Frame::expect(const Tensor& tensor) {
  auto ticket = std::make_shared<const Ticket>(Ticket{expected_.size()});
  expected_.push_back(
      {{tensor.shape(), tensor.dtype()}, tensor.device(), memory::currentScope().op, ticket});
  return ticket;
}

Tensor Frame::take(size_t index) {
  if (pass_ != executingPass() || !recomputed_[index].defined()) recompute();
  return std::move(recomputed_[index]);
}

Tensors Frame::inputsAgain() const {
  Tensors inputs;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const bool defined = inputs_[i].tensor.defined() || inputs_[i].packed;
    inputs.push_back(defined ? detach(valueOf(inputs_[i], kName)) : Tensor());
    if (wantsGrad_[i]) setRequiresGrad(inputs.back());
  }
  return inputs;
}

void Frame::keepRecomputed(const Tensor& tensor) {
  if (next_ == end_) throw StopRecomputation{this};  // the function caught the first one
  const Expected& expected = expected_[next_];
  if (tensor.shape() != expected.meta.shape || tensor.dtype() != expected.meta.dtype ||
      tensor.device() != expected.device)
    throw Error(
        Code::Usage,
        fmt::format("{}: saved tensor {} is {} ('{}') in the recomputation, but was {} {} "
                    "{} ('{}') in the forward pass: the function must do the same again",
                    kName, next_, describe(tensor), memory::nameText(memory::currentScope().op),
                    dtypeName(expected.meta.dtype), toString(expected.meta.shape),
                    toString(expected.device), memory::nameText(expected.op)));
  if (!expected.ticket.expired()) {
    recomputed_[next_] = tensor;
    if (tensor.impl()->storage->block().category == memory::Category::Temporary)
      tensor.retag(memory::Category::Activation);
  }
  if (++next_ == end_) throw StopRecomputation{this};
}

void Frame::runAgain() {
  const Tensors inputs = inputsAgain();
  // Nodes of the recomputed graph keep the tensors themselves, for a function that calls backward.
  const SavedTensorHooksGuard hooks(
      {[this](const Tensor& tensor) {
         keepRecomputed(tensor);
         return std::any(tensor);
       },
       [](const std::any& kept) { return std::any_cast<const Tensor&>(kept); }});
  const gate::GradModeGuard mode(true);
  const auto autocast = autocast_ ? autocast_->again() : nullptr;  // its casts end with this run
  const gate::AutocastSwitch casting(autocast.get());
  memory::Scope scope = memory::currentScope();  // the names of the forward pass, today's phase
  scope.layer = scope_.layer;
  scope.op = scope_.op;
  const memory::ScopeGuard scoped(scope);
  Generator again = generator_;
  const gate::GeneratorGuard random(options_.keepRandomState ? again
                                                             : *gate::threadState().generator);
  function_(inputs);
}

void Frame::recompute() {
  recomputed_.assign(expected_.size(), Tensor());
  pass_ = 0;
  next_ = 0;
  end_ = 0;
  for (size_t i = 0; i < expected_.size(); ++i)
    if (!expected_[i].ticket.expired()) end_ = i + 1;
  try {
    runAgain();
  } catch (const StopRecomputation& stop) {
    if (stop.frame != this) throw;
  }
  if (next_ < end_)
    throw Error(Code::Usage,
                fmt::format("{}: the recomputation saved {} tensors, the forward pass {}: the "
                            "function must do the same again",
                            kName, next_, expected_.size()));
  pass_ = executingPass();
}

}  // namespace

std::vector<Tensor> checkpoint(CheckpointedFunction function, std::span<const Tensor> inputs,
                               CheckpointOptions options) {
  if (!gate::threadState().gradMode) return function(inputs);  // nothing will be saved
  const auto frame = std::make_shared<Frame>(std::move(function), inputs, options);
  const SavedTensorHooksGuard hooks(
      {[frame](const Tensor& tensor) { return std::any(frame->expect(tensor)); },
       [frame](const std::any& kept) {
         return frame->take(std::any_cast<const TicketRef&>(kept)->index);
       }});
  return frame->forward(inputs);
}

Tensor checkpointSequential(std::span<const std::function<Tensor(const Tensor&)>> functions,
                            size_t segments, const Tensor& x, CheckpointOptions options) {
  if (segments == 0 || segments > functions.size())
    throw Error(Code::Usage, fmt::format("{}: {} functions can't be cut into {} segments", kName,
                                         functions.size(), segments));
  const size_t length = functions.size() / segments;
  Tensor y = x;
  for (size_t i = 0; i + 1 < segments; ++i) {
    const auto part = functions.subspan(i * length, length);
    const std::vector<std::function<Tensor(const Tensor&)>> chain(part.begin(), part.end());
    const auto run = [chain](std::span<const Tensor> in) {
      Tensor value = in[0];
      for (const auto& function : chain) value = function(value);
      return Tensors{value};
    };
    y = checkpoint(run, {&y, 1}, options)[0];
  }
  for (const auto& function : functions.subspan((segments - 1) * length)) y = function(y);
  return y;
}

}  // namespace tenon::autograd
