// SPDX-License-Identifier: Apache-2.0
// The way of a call through the gate.
#include "engine/ops/gate/gate.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/backend/registry/devices.h"
#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/philox.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/gate/host.h"
#include "engine/ops/gate/kernel_row.h"
#include "engine/ops/gate/mixed_types.h"
#include "engine/ops/gate/overlap.h"
#include "engine/ops/gate/reorder.h"

namespace tenon::gate {
namespace {

Recorder gRecorder;  // set once while the library is loaded

using Views = SmallVector<TenonTensorView, 8>;

/// A call on its way: everything the steps below share.
struct Passage {
  const OpDef& op;
  TensorList inputs;
  const void* params;
  ThreadState& state;
  Device device;
  uint32_t types = 0;    // of the inputs, as bits
  Edge* edge = nullptr;  // where types are converted around the kernel
  SmallVector<TensorMeta, 2> metas;
  SmallVector<const Tensor*, 8> used;  // inputs as the kernel reads them
  SmallVector<Tensor, 2> converted;    // what `used` points to where it lies otherwise
  Launches* launches = nullptr;        // where kernels are noted while someone listens
  Views inputViews, outputViews;
  TenonKernelArgs args;
  char message[256];

  // A constructor, since an aggregate would be filled with zeros, most of which are never read.
  Passage(const OpDef& def, TensorList given, const void* parameters)
      : op(def), inputs(given), params(parameters), state(threadState()) {}
};

TenonTensorView absentView() {
  TenonTensorView view{};
  view.ndim = -1;
  return view;
}

/// A dense tensor of that shape and type which does not exist yet.
void writeMetaView(const TensorMeta& meta, DType dtype, TenonTensorView& view) {
  view.data = nullptr;
  view.ndim = meta.shape.ndim();
  int64_t step = 1;
  for (int i = view.ndim - 1; i >= 0; --i) {
    view.sizes[i] = meta.shape[i];
    view.strides[i] = step;
    step *= std::max<int64_t>(meta.shape[i], 1);
  }
  view.dtype = static_cast<int32_t>(dtype);
  view.layout = TENON_STRIDED;
  view.blockAxis = view.blockSize = 0;
  view.paddedSize = 0;
}

bool present(const Tensor* tensor) { return tensor != nullptr && tensor->defined(); }

void findDeviceAndTypes(Passage& p) {
  bool found = false;
  for (const Tensor* input : p.inputs) {
    if (!present(input)) continue;
    if (found && input->device() != p.device)
      throw Error(Code::Device,
                  fmt::format("[{}] inputs are on {} and {}: move one with to()", p.op.id,
                              toString(p.device), toString(input->device())));
    p.device = input->device();
    p.types |= dtypeBit(input->dtype());
    found = true;
  }
}

bool takesType(const TenonKernel& kernel, const Passage& p) {
  for (const Tensor* input : p.used)
    if (present(input)) return (kernel.dtypes & dtypeBit(input->dtype())) != 0;
  return true;
}

[[noreturn]] void refuse(const Passage& p, const backend::KernelRow* row) {
  std::string text = fmt::format("[{}] no kernel on {} takes", p.op.id, toString(p.device));
  for (const Tensor* input : p.inputs)
    text += " " + (present(input) ? describe(*input) : std::string("none")) + ",";
  text.back() = ':';
  if (!row) throw Error(Code::Device, text + " the device has no kernel for this operator");
  for (const TenonKernel* kernel : row->kernels) {
    TenonKernelQuery answer{};
    answer.supported = 1;
    const char* reason = "element type";
    if (takesType(*kernel, p) && kernel->query) {
      kernel->query(&p.args, &answer);
      reason = answer.reason ? answer.reason : "not supported";
    }
    text += fmt::format(" {} ({});", kernel->name, reason);
  }
  text.pop_back();
  throw Error(Code::Type, text);
}

/// The first kernel that takes the call, with its wishes.
const TenonKernel& choose(Passage& p, TenonKernelQuery& wishes) {
  const backend::KernelRow* row = kernelRowOf(p.op, p.device.kind);
  if (row) {
    for (const TenonKernel* kernel : row->kernels) {
      if (!takesType(*kernel, p)) continue;
      wishes = TenonKernelQuery{};
      wishes.supported = 1;
      if (!kernel->query) {
        for (uint8_t& wish : wishes.inputs) wish = TENON_WISH_CONTIGUOUS;
        return *kernel;
      }
      kernel->query(&p.args, &wishes);
      if (wishes.supported) return *kernel;
    }
  }
  refuse(p, row);
}

void grantInputs(Passage& p, const TenonKernelQuery& wishes) {
  for (size_t i = 0; i < p.used.size(); ++i) {
    if (!present(p.used[i])) continue;
    const Tensor& tensor = *p.used[i];
    const int wish = i < TENON_MAX_WISHES ? int{wishes.inputs[i]} : int{TENON_WISH_CONTIGUOUS};
    const bool fits =
        wish == TENON_WISH_AS_IS ||
        (wish == TENON_WISH_BLOCKED ? tensor.layout() == kBlocked8 : tensor.isContiguous());
    if (fits) continue;
    if (p.op.mutatesInput(i))
      throw Error(Code::Shape,
                  fmt::format("[{}] writes in place only to dense tensors, got strides {} for {}",
                              p.op.id, toString(tensor.strides()), describe(tensor)));
    p.converted.reserve(p.used.size());  // so that nothing moves
    p.converted.push_back(reordered(tensor, wish == TENON_WISH_BLOCKED ? kBlocked8 : Layout{}));
    p.used[i] = &p.converted.back();
    p.used[i]->writeView(p.inputViews[i]);
  }
}

/// The type in which the kernel sees what the shape rule and the caller see as `type`.
DType inside(const Passage& p, DType type) { return p.edge ? p.edge->inside(type) : type; }

void makeOutputs(Passage& p, const TenonKernelQuery& wishes, Outputs& outputs) {
  for (int i = 0; i < p.op.outputs; ++i) {
    const auto k = static_cast<size_t>(i);
    const DType dtype = inside(p, p.metas[k].dtype);
    if ((p.op.mutates >> k) & 1u) {
      outputs.push_back(*p.inputs[k]);
      p.used[k]->writeView(p.outputViews[k]);
      continue;
    }
    if (k < TENON_MAX_WISHES && wishes.outputs[k] == TENON_WISH_BLOCKED) {
      outputs.push_back(Tensor::emptyBlocked(p.metas[k].shape, dtype, p.device));
    } else {
      outputs.push_back(Tensor::empty(p.metas[k].shape, dtype, p.device));
      p.outputViews[k].data = outputs.back().rawData();  // the rest is as writeMetaView said
      continue;
    }
    outputs.back().writeView(p.outputViews[k]);
  }
}

bool writes(const OpDef& op) { return (op.mutates | op.groupMutates) != 0; }

[[noreturn, gnu::noinline]] void failLaunch(const Passage& p, const TenonKernel& kernel,
                                            int32_t status) {
  if (p.op.random != philox::Purpose::None) --p.state.generator->calls;  // it drew nothing
  if (status == TENON_BAD_VALUE)
    throw Error(Code::Input, fmt::format("[{}] {}", p.op.id, p.message));
  if (status == TENON_OUT_OF_MEMORY) {
    std::string why = takeWorkspaceRefusal();
    if (why.empty()) why = p.message[0] ? p.message : "no memory for one of its threads";
    throw Error(Code::Memory,
                fmt::format("[{}] kernel '{}' has no workspace: {}", p.op.id, kernel.name, why));
  }
  throw Error(Code::Internal,
              fmt::format("[{}] kernel '{}' failed: {}", p.op.id, kernel.name, p.message));
}

void launch(Passage& p, const TenonKernel& kernel) {
  if (p.op.random != philox::Purpose::None) {
    Generator& generator = *p.state.generator;
    const philox::Key key = philox::makeKey(generator.seed, p.op.random, generator.rank);
    p.args.randomKey = (uint64_t{key.k1} << 32) | key.k0;
    p.args.randomCall = generator.calls++;
  }
  ++p.state.counters.launches;
  const int32_t status = kernel.run(&p.args);
  if (status != TENON_OK) [[unlikely]]
    failLaunch(p, kernel, status);
}

bool wantsGradient(const Passage& p) {
  if (!p.state.gradMode) return false;
  for (const Tensor* input : p.inputs)
    if (present(input) && input->requiresGrad()) return true;
  return false;
}

[[gnu::noinline]] void note(const Passage& p, const TenonKernel& kernel, int64_t start) {
  p.launches->push_back({&kernel, start, monotonicNs()});
}

[[gnu::noinline]] void tell(Passage& p, std::span<const Tensor> outputs, const TenonKernel* kernel,
                            const void* node, int64_t start) {
  const std::span<const Launch> launches =
      p.launches ? std::span<const Launch>(p.launches->data(), p.launches->size())
                 : std::span<const Launch>();
  const CallInfo info{p.op,     p.inputs, outputs, p.params,     kernel,
                      launches, node,     start,   monotonicNs()};
  for (Listener* listener : p.state.listeners) listener->onCall(info);
}

/// Tensors made in inference mode count no changes, so that nobody could notice one outside.
[[gnu::noinline]] void refuseToEditInference(const Passage& p) {
  if (threadInfers) return;
  for (size_t i = 0; i < p.inputs.size(); ++i)
    if (p.op.mutatesInput(i) && present(p.inputs[i]) && p.inputs[i]->inference())
      throw Error(Code::Usage,
                  fmt::format("[{}] changes in place a tensor that was made in inference mode, "
                              "outside of it: {}; clone it first",
                              p.op.id, describe(*p.inputs[i])));
}

[[gnu::noinline]] void bumpVersions(const Passage& p) {
  for (size_t i = 0; i < p.inputs.size(); ++i)
    if (p.op.mutatesInput(i) && present(p.inputs[i])) p.inputs[i]->impl()->storage->bumpVersion();
}

/// Memory for what the kernel makes in the types of the shape rule. Operators that change tensors
/// or the generator have it before the kernel runs: where there is none, nothing has happened.
[[gnu::noinline]] void makeRoom(const Passage& p, const Outputs& outputs, Outputs& room) {
  for (size_t i = 0; i < outputs.size(); ++i)
    room.push_back(outputs[i].dtype() == p.metas[i].dtype ? Tensor()
                                                          : roomLike(outputs[i], p.metas[i].dtype));
}

/// Rounds what the kernel made to the types of the shape rule, and what it wrote in place to the
/// types of the caller.
void leaveEdge(const Passage& p, Outputs& outputs, Outputs& room) {
  for (size_t i = 0; i < p.inputs.size(); ++i)
    if (p.op.mutatesInput(i) && p.used[i] != p.inputs[i])
      convertInto(*p.inputs[i], *p.used[i], p.launches);
  if (room.empty()) makeRoom(p, outputs, room);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!room[i]) continue;
    convertInto(room[i], outputs[i], p.launches);
    outputs[i] = std::move(room[i]);
  }
}

/// Whether the operator is about to change input i, itself or as memory of another input.
bool willChange(const Passage& p, size_t i) {
  for (size_t j = 0; j < p.inputs.size(); ++j)
    if (p.op.mutatesInput(j) && present(p.inputs[j]) &&
        p.inputs[j]->impl()->storage == p.inputs[i]->impl()->storage)
      return true;
  return false;
}

/// Inputs as the gradient needs them: what the operator is about to change as it was, in a copy.
struct Kept {
  SmallVector<Tensor, 2> copies;
  SmallVector<const Tensor*, 8> inputs;  // empty: nothing to keep
};

[[gnu::noinline]] void keepOld(const Passage& p, Kept& kept) {
  kept.copies.reserve(p.inputs.size());  // so that nothing moves
  for (size_t i = 0; i < p.inputs.size(); ++i) {
    kept.inputs.push_back(p.edge ? p.inputs[i] : p.used[i]);
    if (!((p.op.savesInputs >> i) & 1u) || !present(p.inputs[i]) || !willChange(p, i)) continue;
    kept.copies.push_back(convertedCopy(*p.inputs[i], p.inputs[i]->dtype(), p.launches));
    kept.inputs.back() = &kept.copies.back();
  }
}

const void* recordCall(const Passage& p, const Kept& kept, Outputs& outputs) {
  TensorList used;
  if (!kept.inputs.empty()) {
    used = {kept.inputs.data(), kept.inputs.size()};
  } else if (!p.edge) {
    used = {p.used.data(), p.used.size()};
  }
  return gRecorder.record({p.op, p.inputs, used, {outputs.data(), outputs.size()}, p.params});
}

/// launch() between the conversions of its inputs, which are there, and its results.
[[gnu::noinline]] void launchAtEdge(Passage& p, const TenonKernel& kernel, Outputs& outputs,
                                    int64_t start) {
  Outputs room;
  if (writes(p.op) || p.op.random != philox::Purpose::None) makeRoom(p, outputs, room);
  launch(p, kernel);
  if (p.launches) note(p, kernel, start);
  leaveEdge(p, outputs, room);
}

void callView(Passage& p, Outputs& outputs) {
  const int64_t start = p.state.listeners.empty() ? 0 : monotonicNs();
  outputs.push_back(p.op.view({p.op, p.inputs, p.params}));
  const void* node = nullptr;
  if (wantsGradient(p))
    node = gRecorder.record({p.op, p.inputs, {}, {outputs.data(), 1}, p.params});
  if (!p.state.listeners.empty()) tell(p, {outputs.data(), 1}, nullptr, node, start);
}

/// One body for calls that are heard and those that are not, so that all it uses is inlined once.
[[gnu::noinline]] void passKernel(Passage& p, Outputs& outputs) {
  const bool heard = p.launches != nullptr;
  const int64_t start = heard ? monotonicNs() : 0;
  p.metas.resize(static_cast<size_t>(p.op.outputs));
  p.op.meta({p.op, p.inputs, p.params}, {p.metas.data(), p.metas.size()});
  for (const TensorMeta& meta : p.metas)
    writeMetaView(meta, inside(p, meta.dtype), p.outputViews.appendRaw());
  for (const Tensor* input : p.inputs) {
    p.used.push_back(p.edge && present(input) ? p.edge->enter(*input, p.launches) : input);
    if (present(input)) {
      p.used.back()->writeView(p.inputViews.appendRaw());
    } else {
      p.inputViews.push_back(absentView());
    }
  }
  p.args.inputs = p.inputViews.data();
  p.args.outputs = p.outputViews.data();
  p.args.inputCount = static_cast<int32_t>(p.inputViews.size());
  p.args.outputCount = p.op.outputs;
  p.args.params = p.params;
  p.args.stream = nullptr;
  p.args.randomKey = p.args.randomCall = 0;
  p.args.host = &engineHost();
  p.args.deterministic = p.state.deterministic;
  p.message[0] = '\0';
  p.args.message = p.message;
  p.args.messageBytes = sizeof(p.message);
  const bool gradient = wantsGradient(p);
  const bool writing = writes(p.op);
  if (writing) [[unlikely]] {
    refuseToEditInference(p);
    refuseOverlap(p.op, p.inputs);
  }
  if (gradient && p.op.mutates) gRecorder.checkInPlace({p.op, p.inputs, {}, {}, p.params});
  TenonKernelQuery wishes;
  const TenonKernel& kernel = choose(p, wishes);
  grantInputs(p, wishes);
  const int64_t launchNs = heard ? monotonicNs() : 0;
  makeOutputs(p, wishes, outputs);
  Kept kept;
  if (gradient && p.op.mutates && p.op.savesInputs) [[unlikely]]
    keepOld(p, kept);
  if (p.edge) [[unlikely]] {
    launchAtEdge(p, kernel, outputs, launchNs);
  } else {
    launch(p, kernel);
    if (heard) [[unlikely]]
      note(p, kernel, launchNs);
  }
  if (writing) [[unlikely]]
    bumpVersions(p);
  const void* node = gradient && p.op.grad ? recordCall(p, kept, outputs) : nullptr;
  if (heard) [[unlikely]]
    tell(p, {outputs.data(), outputs.size()}, &kernel, node, start);
}

[[gnu::noinline]] void callHeard(Passage& p, Outputs& outputs) {
  Launches launches;
  p.launches = &launches;
  passKernel(p, outputs);
}

void callKernel(Passage& p, Outputs& outputs) {
  if (p.state.listeners.empty()) [[likely]]
    return passKernel(p, outputs);
  callHeard(p, outputs);
}

/// Calls whose inputs differ in type, or have another type than f32 and f64.
[[gnu::noinline]] void callMixed(Passage& p, Outputs& outputs) {
  const Promotion promotion(p.op, p.inputs);
  p.inputs = promotion.inputs();
  if (p.op.view) return callView(p, outputs);
  Edge edge(p.op, p.inputs, p.device.kind, promotion.written());
  if (edge.needed()) p.edge = &edge;
  callKernel(p, outputs);
}

}  // namespace

void installRecorder(const Recorder& recorder) { gRecorder = recorder; }

memory::NameId opName(const OpDef& op) {
  uint32_t id = op.cache[0].name.load(std::memory_order_relaxed);
  if (id == 0) {
    id = memory::internName(op.id);
    op.cache[0].name.store(id, std::memory_order_relaxed);
  }
  return id;
}

Outputs call(const OpDef& op, TensorList inputs, const void* params) {
  if (activeAutocast != nullptr) [[unlikely]]
    return callAutocast(op, inputs, params);
  Passage p(op, inputs, params);
  memory::Scope& scope = memory::currentScope();
  const memory::NameId outer = scope.op;
  scope.op = opName(op);
  Outputs outputs;
  try {
    findDeviceAndTypes(p);
    if ((p.types & (p.types - 1)) | (p.types & ~kPlainTypes)) [[unlikely]] {
      callMixed(p, outputs);
    } else if (op.view) {
      callView(p, outputs);
    } else {
      callKernel(p, outputs);
    }
  } catch (...) {
    scope.op = outer;
    throw;
  }
  scope.op = outer;
  return outputs;
}

Tensor call1(const OpDef& op, TensorList inputs, const void* params) {
  Outputs outputs = call(op, inputs, params);
  return std::move(outputs[0]);
}

constinit thread_local ThreadState* ownState = nullptr;

ThreadState& makeThreadState() {
  thread_local ThreadState state;
  ownState = &state;
  return state;
}

ListenerGuard::ListenerGuard(Listener& listener) : listener_(&listener) {
  threadState().listeners.push_back(listener_);
}

ListenerGuard::~ListenerGuard() {
  auto& all = threadState().listeners;
  for (size_t i = all.size(); i-- > 0;) {
    if (all[i] != listener_) continue;
    all.erase(all.begin() + static_cast<ptrdiff_t>(i));
    return;
  }
}

}  // namespace tenon::gate
