// SPDX-License-Identifier: Apache-2.0
// CPU kernels of the fused optimizer steps: one pass over parameter, gradient and state of all
// tensors of the list at once, the same for every rule (LAMB alone needs two: lamb_cpu.cpp).
//
// Dense tensors, changed in place.
#include "engine/ops/optimizer/optimizer.h"

#include "engine/ops/optimizer/step_rules_cpu.h"
#include "engine/ops/optimizer/tensor_chunks_cpu.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

/// The state tensors that a rule uses, one vector of lanes at a time.
template <class V, int Uses>
struct States {
  Slice<V> slices[3];

  States(const TenonKernelArgs* args, int first) {
    for (int k = 0; k < 3; ++k)
      if ((Uses >> k) & 1) slices[k] = sliceOf<V>(args, first + k);
  }
  TENON_INLINE void load(int64_t i, int64_t n, V* state) const {
    if constexpr (Uses & 0b001) state[0] = slices[0].load(i, n);
    if constexpr (Uses & 0b010) state[1] = slices[1].load(i, n);
    if constexpr (Uses & 0b100) state[2] = slices[2].load(i, n);
  }
  TENON_INLINE void store(int64_t i, int64_t n, const V* state) const {
    if constexpr (Uses & 0b001) slices[0].store(i, n, state[0]);
    if constexpr (Uses & 0b010) slices[1].store(i, n, state[1]);
    if constexpr (Uses & 0b100) slices[2].store(i, n, state[2]);
  }
};

template <class V, class Rule, bool Decoupled>
int32_t stepChunks(const TenonKernelArgs* args) {
  const auto& flags = *static_cast<const StepFlags*>(args->params);
  const Scalars<V> scalars{args};
  const Rule rule(scalars, flags);
  const V scale = scalars[Rule::kScale] * V(flags.maximize ? -1.0 : 1.0);
  const V decay = scalars[Rule::kDecay];
  forEachChunk(args, Rule::kGroup, [&](int group, int64_t, int64_t begin, int64_t end) {
    const Slice<V> p = sliceOf<V>(args, group);
    const Slice<V> g = sliceOf<V>(args, group + 1);
    const States<V, Rule::kUses> states(args, group + 2);
    forEachLanes<V>(begin, end, [&](int64_t i, int64_t n) {
      V value = p.load(i, n);
      V grad = g.load(i, n) * scale;
      if constexpr (Decoupled) {
        value = value * decay;
      } else {
        grad = grad + decay * value;
      }
      V state[3];
      states.load(i, n, state);
      p.store(i, n, rule(value, grad, state));
      states.store(i, n, state);
    });
  });
  return TENON_OK;
}

template <class V, class Rule>
int32_t runStep(const TenonKernelArgs* args) {
  return static_cast<const StepFlags*>(args->params)->decoupled ? stepChunks<V, Rule, true>(args)
                                                                : stepChunks<V, Rule, false>(args);
}

template <class V>
int32_t runSgd(const TenonKernelArgs* args) {
  return static_cast<const StepFlags*>(args->params)->momentum
             ? stepChunks<V, SgdRule<V, true>, false>(args)
             : stepChunks<V, SgdRule<V, false>, false>(args);
}

template <class V>
int32_t runRmsProp(const TenonKernelArgs* args) {
  const auto& flags = *static_cast<const StepFlags*>(args->params);
  if (flags.centered)
    return flags.momentum ? runStep<V, RmsPropRule<V, true, true>>(args)
                          : runStep<V, RmsPropRule<V, true, false>>(args);
  return flags.momentum ? runStep<V, RmsPropRule<V, false, true>>(args)
                        : runStep<V, RmsPropRule<V, false, false>>(args);
}

using F = Vec<float>;
constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);
constexpr TenonKernel kKernels[] = {
    {"sgd_step", "simd", 10, kF32, nullptr, &runSgd<F>},
    {"sgd_step", "reference", 0, kF64, nullptr, &runSgd<double>},
    {"adam_step", "simd", 10, kF32, nullptr, &runStep<F, AdamRule<F, false>>},
    {"adam_step", "reference", 0, kF64, nullptr, &runStep<double, AdamRule<double, false>>},
    {"amsgrad_step", "simd", 10, kF32, nullptr, &runStep<F, AdamRule<F, true>>},
    {"amsgrad_step", "reference", 0, kF64, nullptr, &runStep<double, AdamRule<double, true>>},
    {"adamax_step", "simd", 10, kF32, nullptr, &runStep<F, AdamaxRule<F>>},
    {"adamax_step", "reference", 0, kF64, nullptr, &runStep<double, AdamaxRule<double>>},
    {"nadam_step", "simd", 10, kF32, nullptr, &runStep<F, NAdamRule<F>>},
    {"nadam_step", "reference", 0, kF64, nullptr, &runStep<double, NAdamRule<double>>},
    {"radam_step", "simd", 10, kF32, nullptr, &runStep<F, RAdamRule<F>>},
    {"radam_step", "reference", 0, kF64, nullptr, &runStep<double, RAdamRule<double>>},
    {"rmsprop_step", "simd", 10, kF32, nullptr, &runRmsProp<F>},
    {"rmsprop_step", "reference", 0, kF64, nullptr, &runRmsProp<double>},
    {"adagrad_step", "simd", 10, kF32, nullptr, &runStep<F, AdagradRule<F>>},
    {"adagrad_step", "reference", 0, kF64, nullptr, &runStep<double, AdagradRule<double>>},
    {"adadelta_step", "simd", 10, kF32, nullptr, &runStep<F, AdadeltaRule<F>>},
    {"adadelta_step", "reference", 0, kF64, nullptr, &runStep<double, AdadeltaRule<double>>},
    {"lion_step", "simd", 10, kF32, nullptr, &runStep<F, LionRule<F>>},
    {"lion_step", "reference", 0, kF64, nullptr, &runStep<double, LionRule<double>>},
};

}  // namespace

KernelList cpuKernels_optimizer();
KernelList cpuKernels_optimizer() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
