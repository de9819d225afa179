// SPDX-License-Identifier: Apache-2.0
// CPU kernels of binary functions, comparisons and `where`, and of what works in place.
//
// f32 runs over SIMD vectors, other types over scalars; integers wrap around, bools add as "or" and
// multiply as "and". Layout and aliasing as in engine/backend/cpu/pointwise.h; an in-place output
// is input 0.
#include "engine/backend/cpu/channelwise.h"
#include "engine/ops/elementwise/unary_cpu.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

using namespace functions;  // NOLINT: the functors of the table rows

/// Functions that stay among blocks beside one number a channel.
template <class F>
constexpr bool kByChannels = false;
template <>
constexpr bool kByChannels<Add> = true;
template <>
constexpr bool kByChannels<Sub> = true;
template <>
constexpr bool kByChannels<Mul> = true;

template <class F, class V>
int32_t runFloating(const TenonKernelArgs* args) {
  const auto f = [](V a, V b) { return F::forward(a, b); };
  if constexpr (kByChannels<F>) {
    const TenonTensorView& out = args->outputs[0];
    if (blocked(out) && !(sameShape(args->inputs[0], out) && sameShape(args->inputs[1], out))) {
      mapChannelwise<V>(args, f);
      return TENON_OK;
    }
  }
  mapBinary<V>(args->outputs[0], args->inputs[0], args->inputs[1], f);
  return TENON_OK;
}

template <class F, class V>
int32_t runBinary(const TenonKernelArgs* args) {
  mapBinary<V>(args->outputs[0], args->inputs[0], args->inputs[1],
               [](V a, V b) { return F::forward(a, b); });
  return TENON_OK;
}

template <class F, class S>
int32_t runComparison(const TenonKernelArgs* args) {
  mapMixed([](S a, S b) -> uint8_t { return F::forward(a, b) ? 1 : 0; },
           Operand<uint8_t>{args->outputs[0]}, Operand<S>{args->inputs[0]},
           Operand<S>{args->inputs[1]});
  return TENON_OK;
}

/// Elements are only moved, so an unsigned integer of their width stands for any type.
template <class S>
void selectElements(const TenonKernelArgs* args) {
  mapMixed([](uint8_t condition, S a, S b) { return condition ? a : b; },
           Operand<S>{args->outputs[0]}, Operand<uint8_t>{args->inputs[0]},
           Operand<S>{args->inputs[1]}, Operand<S>{args->inputs[2]});
}

int32_t runWhere(const TenonKernelArgs* args) {
  switch (args->inputs[1].dtype) {
    case TENON_F64:
    case TENON_I64:
      selectElements<uint64_t>(args);
      break;
    case TENON_F32:
    case TENON_I32:
      selectElements<uint32_t>(args);
      break;
    case TENON_F16:
    case TENON_BF16:
      selectElements<uint16_t>(args);
      break;
    default:
      selectElements<uint8_t>(args);
  }
  return TENON_OK;
}

/// y += alpha x
template <class V>
int32_t runAxpy(const TenonKernelArgs* args) {
  const V alpha(static_cast<const ScalarParams*>(args->params)->value);
  mapBinary<V>(args->outputs[0], args->inputs[0], args->inputs[1],
               [alpha](V y, V x) { return y + alpha * x; });
  return TENON_OK;
}

using Table = KernelTable<256>;
using Ask = void (*)(const TenonKernelArgs*, TenonKernelQuery*);

template <class F>
void addBinaryIntegers(Table& table, const char* id, Ask ask) {
  if constexpr (F::kWraps) {  // the same bits, with a sign or without
    table.add({id, "reference", 0, kI64, ask, &runBinary<F, uint64_t>});
    table.add({id, "reference", 0, kI32, ask, &runBinary<F, uint32_t>});
    table.add({id, "reference", 0, kI8 | kU8, ask, &runBinary<F, uint8_t>});
  } else {
    table.add({id, "reference", 0, kI64, ask, &runBinary<F, int64_t>});
    table.add({id, "reference", 0, kI32, ask, &runBinary<F, int32_t>});
    table.add({id, "reference", 0, kI8, ask, &runBinary<F, int8_t>});
    table.add({id, "reference", 0, kU8 | kBool, ask, &runBinary<F, uint8_t>});
  }
}

template <class F>
void addBinary(Table& table, const char* id, Ask ask) {
  Ask floating = ask;
  if (kByChannels<F>) floating = ask == askInPlace ? &askChannelwise<true> : &askChannelwise<false>;
  table.add({id, "simd", 10, kF32, floating, &runFloating<F, Vec<float>>});
  table.add({id, "reference", 0, kF64, floating, &runFloating<F, double>});
  if constexpr (F::kIntegers) addBinaryIntegers<F>(table, id, ask);
}

/// Sums and products of bools, which are bytes 0 and 1. There is no difference of bools.
void addBools(Table& table) {
  table.add({"add", "reference", 0, kBool, &askPointwise<true>, &runBinary<Maximum, uint8_t>});
  table.add({"mul", "reference", 0, kBool, &askPointwise<true>, &runBinary<Mul, uint8_t>});
  table.add({"add_", "reference", 0, kBool, askInPlace, &runBinary<Maximum, uint8_t>});
  table.add({"mul_", "reference", 0, kBool, askInPlace, &runBinary<Mul, uint8_t>});
}

template <class F>
void addComparison(Table& table, const char* id) {
  constexpr auto kAsk = &askPointwise<false>;
  table.add({id, "simd", 10, kF32, kAsk, &runComparison<F, float>});
  table.add({id, "reference", 0, kF64, kAsk, &runComparison<F, double>});
  table.add({id, "reference", 0, kI64, kAsk, &runComparison<F, int64_t>});
  table.add({id, "reference", 0, kI32, kAsk, &runComparison<F, int32_t>});
  table.add({id, "reference", 0, kI8, kAsk, &runComparison<F, int8_t>});
  table.add({id, "reference", 0, kU8 | kBool, kAsk, &runComparison<F, uint8_t>});
}

}  // namespace

KernelList cpuKernels_binary();
KernelList cpuKernels_binary() {
  static const Table kTable = [] {
    Table table;
#define TENON_ADD(name, functor, id, help) \
  addBinary<functor>(table, id, &askPointwise<functor::kKeepsZero>);
    TENON_BINARY_FUNCTIONS(TENON_ADD)
#undef TENON_ADD
#define TENON_ADD(name, functor, id, help) addComparison<functor>(table, id);
    TENON_COMPARISONS(TENON_ADD)
#undef TENON_ADD
#define TENON_ADD(name, functor, id, help) \
  addBinary<functor>(table, id, &askInPlaceAs<functor::kKeepsZero>);
    TENON_BINARY_IN_PLACE(TENON_ADD)
#undef TENON_ADD
    addBinary<Add>(table, "add_", askInPlace);
    addBinary<Sub>(table, "sub_", askInPlace);
    addBinary<Mul>(table, "mul_", askInPlace);
    table.add({"axpy_", "simd", 10, kF32, askInPlace, &runAxpy<Vec<float>>});
    table.add({"axpy_", "reference", 0, kF64, askInPlace, &runAxpy<double>});
    table.add({"where", "reference", 0, kBool | kHalves, &askPointwise<true>, &runWhere});
    addBools(table);
    return table;
  }();
  return kTable.list();
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
