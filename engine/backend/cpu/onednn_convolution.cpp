// SPDX-License-Identifier: Apache-2.0
// Convolutions by oneDNN: primitives are made once for a problem and kept, a thread at a time.
//
// Layouts: x and y as the problem says; weights come and go dense row-major and are reordered in
// workspace. Deterministic weight gradients are sums over fixed shards of the batch.
#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/backend/cpu/onednn.h"
#include "engine/backend/cpu/onednn_internal.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/workspace.h"

namespace tenon::cpu::onednn {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;
constexpr auto kF32 = memory::data_type::f32;

struct ConvKey {
  ConvProblem problem;
  int64_t threads;
};

/// A primitive with the memory objects it runs on. No primitive: not supported.
struct Convolution {
  dnnl::primitive run;
  dnnl::primitive reorder;  // of the weights; empty if they are used as they lie
  memory x, plainWeight, weight, bias, y, scratch;
  std::vector<dnnl_exec_arg_t> runArgs, reorderArgs;
  size_t weightBytes = 0;  // workspace for reordered weights
  size_t scratchBytes = 0;
  bool supported() const { return static_cast<bool>(run); }
};

struct Descriptions {
  memory::desc x, weight, anyWeight, bias, y;
  memory::dims stride, dilation, padding;
};

Descriptions describe(const ConvProblem& p) {
  const auto activation = [](const memory::dims& dims, int64_t blocked) {
    return memory::desc(dims, kF32, blocked ? Tag::nChw8c : Tag::nchw);
  };
  const memory::dims weight =
      p.groups == 1 ? memory::dims{p.o, p.c, p.kh, p.kw}
                    : memory::dims{p.groups, p.o / p.groups, p.c / p.groups, p.kh, p.kw};
  Descriptions d;
  d.x = activation({p.n, p.c, p.h, p.w}, p.xBlocked);
  d.y = activation({p.n, p.o, p.oh, p.ow}, p.yBlocked);
  d.weight = memory::desc(weight, kF32, p.groups == 1 ? Tag::oihw : Tag::goihw);
  d.anyWeight = memory::desc(weight, kF32, Tag::any);
  d.bias = p.bias ? memory::desc({p.o}, kF32, Tag::a) : memory::desc();
  d.stride = {p.stride[0], p.stride[1]};
  d.dilation = {p.dilation[0] - 1, p.dilation[1] - 1};
  d.padding = {p.padding[0], p.padding[1]};
  return d;
}

constexpr auto kDirect = dnnl::algorithm::convolution_direct;
using dnnl::convolution_backward_data;
using dnnl::convolution_backward_weights;
using dnnl::convolution_forward;

dnnl::primitive_attr scratchFromUs() {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

convolution_forward::primitive_desc forwardPrimitive(const Descriptions& d, bool bias) {
  constexpr auto kTraining = dnnl::prop_kind::forward_training;
  const auto desc = bias
                        ? convolution_forward::desc(kTraining, kDirect, d.x, d.anyWeight, d.bias,
                                                    d.y, d.stride, d.dilation, d.padding, d.padding)
                        : convolution_forward::desc(kTraining, kDirect, d.x, d.anyWeight, d.y,
                                                    d.stride, d.dilation, d.padding, d.padding);
  return {desc, scratchFromUs(), cpuEngine(), true};
}

convolution_backward_data::primitive_desc dataPrimitive(const Descriptions& d) {
  const convolution_backward_data::desc desc(kDirect, d.x, d.anyWeight, d.y, d.stride, d.dilation,
                                             d.padding, d.padding);
  return {desc, scratchFromUs(), cpuEngine(), forwardPrimitive(d, false), true};
}

convolution_backward_weights::primitive_desc weightPrimitive(const Descriptions& d, bool bias) {
  const auto desc =
      bias ? convolution_backward_weights::desc(kDirect, d.x, d.anyWeight, d.bias, d.y, d.stride,
                                                d.dilation, d.padding, d.padding)
           : convolution_backward_weights::desc(kDirect, d.x, d.anyWeight, d.y, d.stride,
                                                d.dilation, d.padding, d.padding);
  return {desc, scratchFromUs(), cpuEngine(), forwardPrimitive(d, bias), true};
}

memory unbound(const memory::desc& desc) { return {desc, cpuEngine(), DNNL_MEMORY_NONE}; }

/// Makes the primitive and everything it runs on; `weight` is the order it wants weights in.
template <class Primitive>
Convolution assemble(const typename Primitive::primitive_desc& chosen, const Descriptions& d,
                     const memory::desc& weight, std::array<int, 4> roles, bool weightIsWritten) {
  Convolution made;
  if (!chosen || std::string_view(chosen.impl_info_str()).starts_with("ref")) return made;
  made.run = Primitive(chosen);
  made.x = unbound(d.x);
  made.y = unbound(d.y);
  made.plainWeight = unbound(d.weight);
  made.weight = unbound(weight);
  made.scratch = unbound(chosen.scratchpad_desc());
  made.scratchBytes = chosen.scratchpad_desc().get_size();
  made.runArgs = {{roles[0], made.x.get()},
                  {roles[1], made.weight.get()},
                  {roles[2], made.y.get()},
                  {DNNL_ARG_SCRATCHPAD, made.scratch.get()}};
  if (!d.bias.is_zero()) {
    made.bias = unbound(d.bias);
    made.runArgs.push_back({roles[3], made.bias.get()});
  }
  if (weight != d.weight) {
    made.weightBytes = weight.get_size();
    const memory& from = weightIsWritten ? made.weight : made.plainWeight;
    const memory& to = weightIsWritten ? made.plainWeight : made.weight;
    made.reorder = dnnl::reorder(
        dnnl::reorder::primitive_desc(cpuEngine(), from.get_desc(), cpuEngine(), to.get_desc()));
    made.reorderArgs = {{DNNL_ARG_FROM, from.get()}, {DNNL_ARG_TO, to.get()}};
  }
  return made;
}

Convolution prepare(const ConvProblem& p) {
  const Descriptions d = describe(p);
  switch (p.kind) {
    case ConvKind::Forward: {
      const auto chosen = forwardPrimitive(d, p.bias);
      if (!chosen) return {};
      return assemble<convolution_forward>(
          chosen, d, chosen.weights_desc(),
          {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST, DNNL_ARG_BIAS}, false);
    }
    case ConvKind::BackwardData: {
      const auto chosen = dataPrimitive(d);
      if (!chosen) return {};
      return assemble<convolution_backward_data>(
          chosen, d, chosen.weights_desc(),
          {DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST, 0}, false);
    }
    case ConvKind::BackwardWeight: {
      const auto chosen = weightPrimitive(d, p.bias);
      if (!chosen) return {};
      return assemble<convolution_backward_weights>(
          chosen, d, chosen.diff_weights_desc(),
          {DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_BIAS}, true);
    }
  }
  return {};
}

std::atomic<int64_t> preparations{0};

/// The calling thread's primitive for the problem and the team in use.
Convolution& prepared(const ConvProblem& p) {
  constexpr size_t kMostKept = 256;
  thread_local RecentCache<ConvKey, Convolution> cache(kMostKept);
  return cache.get({p, useTeam()}, [&] {
    ++preparations;
    return prepare(p);
  });
}

void bind(const memory& target, void* data) {
  dnnl::error::wrap_c_api(dnnl_memory_set_data_handle(target.get(), data), "binding memory");
}

void execute(const dnnl::primitive& primitive, const std::vector<dnnl_exec_arg_t>& args) {
  dnnl::error::wrap_c_api(dnnl_primitive_execute(primitive.get(), threadStream().get(),
                                                 static_cast<int>(args.size()), args.data()),
                          "execution");
}

int32_t runWhole(const TenonKernelArgs& args, const ConvProblem& p, const ConvData& data) noexcept {
  try {
    Convolution& conv = prepared(p);
    if (!conv.supported()) return failed(args, "no implementation for this convolution");
    const size_t weightRoom = (conv.weightBytes + 63) / 64 * 64;
    const Workspace workspace(*args.host, weightRoom + conv.scratchBytes);
    if (weightRoom + conv.scratchBytes && !workspace.as<char>()) return TENON_OUT_OF_MEMORY;
    bind(conv.x, data.x);
    bind(conv.y, data.y);
    bind(conv.weight, conv.reorder ? workspace.as<char>() : data.weight);
    if (conv.scratchBytes) bind(conv.scratch, workspace.as<char>() + weightRoom);
    if (conv.bias) bind(conv.bias, data.bias);
    const bool weightIsWritten = p.kind == ConvKind::BackwardWeight;
    if (conv.reorder) bind(conv.plainWeight, data.weight);
    if (conv.reorder && !weightIsWritten) execute(conv.reorder, conv.reorderArgs);
    execute(conv.run, conv.runArgs);
    if (conv.reorder && weightIsWritten) execute(conv.reorder, conv.reorderArgs);
    return TENON_OK;
  } catch (const std::exception& error) {
    return failed(args, error.what());
  }
}

/// How a batch is cut where the thread count must not show: at most 8 parts, each one thread's
/// work.
struct Shards {
  int64_t each;
  int64_t count;
  explicit Shards(const ConvProblem& p)
      : each(std::max<int64_t>(1, (p.n + 7) / 8)), count((p.n + each - 1) / each) {}
  ConvProblem part(const ConvProblem& p, int64_t s) const {
    ConvProblem part = p;
    part.n = std::min(each, p.n - s * each);
    return part;
  }
  float* x(const ConvProblem& p, const ConvData& data, int64_t s) const {
    return static_cast<float*>(data.x) + s * each * p.c * p.h * p.w;
  }
  float* y(const ConvProblem& p, const ConvData& data, int64_t s) const {
    return static_cast<float*>(data.y) + s * each * p.o * p.oh * p.ow;
  }
};

/// For threads side by side, which must not write one text.
TenonKernelArgs withoutMessage(const TenonKernelArgs& args) {
  TenonKernelArgs quiet = args;
  quiet.message = nullptr;
  quiet.messageBytes = 0;
  return quiet;
}
int32_t told(const TenonKernelArgs& args, int32_t status) {
  return status == TENON_FAILED ? failed(args, "a part of the batch failed") : status;
}

/// Outputs, or gradients of inputs: images do not depend on each other, but how oneDNN blocks the
/// channels it adds up depends on the team.
int32_t runInShards(const TenonKernelArgs& args, const ConvProblem& p, const ConvData& data) {
  const Shards shards(p);
  const TenonKernelArgs quiet = withoutMessage(args);
  std::atomic<int32_t> worst{TENON_OK};
  parallelFor(shards.count, 1, [&](int64_t begin, int64_t end) {
    const OneThread guard;
    for (int64_t s = begin; s < end; ++s) {
      const ConvData its = {shards.x(p, data, s), data.weight, data.bias, shards.y(p, data, s)};
      if (const int32_t status = runWhole(quiet, shards.part(p, s), its)) worst = status;
    }
  });
  return told(args, worst);
}

/// Weight gradients as the sum over at most 8 shards of the batch, added in order.
int32_t sumOfShards(const TenonKernelArgs& args, const ConvProblem& p, const ConvData& data) {
  const Shards cut(p);
  const int64_t shards = cut.count;
  const int64_t weights = p.o * (p.c / p.groups) * p.kh * p.kw;
  const int64_t each = weights + (p.bias ? p.o : 0);
  const Workspace workspace(*args.host, bytesFor<float>(shards * each));
  auto* sums = workspace.as<float>();
  if (!sums) return TENON_OUT_OF_MEMORY;
  const TenonKernelArgs quiet = withoutMessage(args);
  std::atomic<int32_t> worst{TENON_OK};
  parallelFor(shards, 1, [&](int64_t begin, int64_t end) {
    const OneThread guard;
    for (int64_t s = begin; s < end; ++s) {
      float* own = sums + s * each;
      const ConvData its = {cut.x(p, data, s), own, own + weights, cut.y(p, data, s)};
      if (const int32_t status = runWhole(quiet, cut.part(p, s), its)) worst = status;
    }
  });
  if (worst != TENON_OK) return told(args, worst);
  auto* weight = static_cast<float*>(data.weight);
  auto* bias = static_cast<float*>(data.bias);
  for (int64_t i = 0; i < each; ++i) {
    float sum = sums[i];
    for (int64_t s = 1; s < shards; ++s) sum += sums[s * each + i];
    (i < weights ? weight[i] : bias[i - weights]) = sum;
  }
  return TENON_OK;
}

}  // namespace

bool convolutionSupported(const ConvProblem& problem) noexcept {
  try {
    return prepared(problem).supported();
  } catch (const std::exception&) {
    return false;
  }
}

int32_t convolve(const TenonKernelArgs& args, const ConvProblem& problem,
                 const ConvData& data) noexcept {
  if (args.deterministic)
    return problem.kind == ConvKind::BackwardWeight ? sumOfShards(args, problem, data)
                                                    : runInShards(args, problem, data);
  return runWhole(args, problem, data);
}

int64_t convolutionsPrepared() noexcept { return preparations; }

}  // namespace tenon::cpu::onednn
