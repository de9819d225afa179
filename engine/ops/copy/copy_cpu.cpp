// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "copy", "copy_" and "cast".
//
// Copies take any layout on both sides. Casts run over memory of equal layout, or over strides;
// f16 and bf16 are not converted yet.
#include "engine/ops/copy/copy.h"

#include "engine/backend/cpu/copy_elements.h"
#include "engine/backend/cpu/pointwise.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

void askCopy(const TenonKernelArgs*, TenonKernelQuery*) {}  // any layout in, dense out

void askCopyInto(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  const TenonTensorView& dst = args->inputs[0];
  const TenonTensorView& src = args->inputs[1];
  if (blocked(src) && !sameShape(dst, src)) answer->inputs[1] = TENON_WISH_CONTIGUOUS;
}

int32_t runCopy(const TenonKernelArgs* args) {
  copyElements(args->outputs[0], args->inputs[0], widthOf(args->inputs[0].dtype));
  return TENON_OK;
}

int32_t runCopyInto(const TenonKernelArgs* args) {
  const TenonTensorView& dst = args->outputs[0];
  const TenonTensorView& src = args->inputs[1];
  copyElements(dst, sameShape(dst, src) ? src : broadcastView(src, dst), widthOf(dst.dtype));
  return TENON_OK;
}

template <class From, class To>
void castElements(const TenonKernelArgs* args) {
  mapMixed([](From x) { return static_cast<To>(x); }, Operand<To>{args->outputs[0]},
           Operand<From>{args->inputs[0]});
}

template <class From>
int32_t runCast(const TenonKernelArgs* args) {
  switch (static_cast<const CastParams*>(args->params)->dtype) {
    case TENON_F32:
      castElements<From, float>(args);
      break;
    case TENON_F64:
      castElements<From, double>(args);
      break;
    case TENON_I64:
      castElements<From, int64_t>(args);
      break;
    case TENON_I32:
      castElements<From, int32_t>(args);
      break;
    case TENON_I8:
      castElements<From, int8_t>(args);
      break;
    case TENON_U8:
      castElements<From, uint8_t>(args);
      break;
    default:
      castElements<From, bool>(args);
  }
  return TENON_OK;
}

void askCast(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  const int32_t to = args->outputs[0].dtype;
  if (to == TENON_F16 || to == TENON_BF16) {
    answer->supported = 0;
    answer->reason = "no conversion to 16-bit floating types";
  }
  pointwiseWishes(args, answer, true);
}

#define TENON_CAST(type, number) \
  { "cast", "reference", 0, TENON_DTYPE_BIT(number), &askCast, &runCast<type> }
constexpr TenonKernel kKernels[] = {
    {"copy", "tiled", 10, kAnyType, &askCopy, &runCopy},
    {"copy_", "tiled", 10, kAnyType, &askCopyInto, &runCopyInto},
    TENON_CAST(float, TENON_F32),
    TENON_CAST(double, TENON_F64),
    TENON_CAST(int64_t, TENON_I64),
    TENON_CAST(int32_t, TENON_I32),
    TENON_CAST(int8_t, TENON_I8),
    TENON_CAST(uint8_t, TENON_U8),
    TENON_CAST(bool, TENON_BOOL),
};

}  // namespace

KernelList cpuKernels_copy();
KernelList cpuKernels_copy() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
