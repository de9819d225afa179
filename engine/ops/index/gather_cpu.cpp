// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "gather", "scatter" and "scatter_add".
//
// Lines along the axis run in parallel; each is followed from its first to its last index, so that
// additions to one place come in the same order for any number of threads. Dense index; other
// inputs of any strides; dense out. Gather and scatter only move elements and take every type.
#include "engine/backend/cpu/copy_elements.h"
#include "engine/backend/cpu/indices.h"
#include "engine/ops/index/index.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

constexpr int64_t kGrain = 8192;

/// Where a line begins in index, elements (src or y) and table (x or out), and its steps.
struct Line {
  const int64_t* index;
  int64_t elements;
  int64_t table;
};

struct Lines {
  const TenonTensorView& index;
  const TenonTensorView& elements;
  const TenonTensorView& table;
  int axis;

  int64_t length() const { return index.sizes[axis]; }

  /// Calls body(line) for every line along the axis. The table is walked over the index's shape.
  template <class Body>
  void each(Body&& body) const {
    TenonTensorView shape = index;
    shape.sizes[axis] = 1;
    TenonTensorView views[3] = {shape, elements, table};
    for (TenonTensorView& view : views)
      for (int i = 0; i < shape.ndim; ++i) view.sizes[i] = shape.sizes[i];
    const auto nest = makeNest<3>(shape, {&views[0], &views[1], &views[2]});
    const auto* at = dataOf<int64_t>(index);
    forEachRow(nest, 1 + kGrain / (length() + 1), [&](const int64_t(&o)[3], int64_t n) {
      for (int64_t i = 0; i < n; ++i)
        body(Line{at + o[0] + i * nest.rowStride(0), o[1] + i * nest.rowStride(1),
                  o[2] + i * nest.rowStride(2)});
    });
  }
};

int axisOf(const TenonKernelArgs* args) {
  return static_cast<const GatherParams*>(args->params)->axis;
}

void ask(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  for (int i = 0; i < args->inputCount; ++i)
    if (i == 1 || blocked(args->inputs[i])) answer->inputs[i] = TENON_WISH_CONTIGUOUS;
}

template <class S>
void gatherElements(const TenonKernelArgs* args) {
  const TenonTensorView& x = args->inputs[0];
  const TenonTensorView& out = args->outputs[0];
  const Lines lines{args->inputs[1], out, x, axisOf(args)};
  const int64_t indexStep = args->inputs[1].strides[lines.axis];
  const int64_t outStep = out.strides[lines.axis];
  const int64_t xStep = x.strides[lines.axis];
  const S* from = dataOf<S>(x);
  S* to = dataOf<S>(out);
  lines.each([&](const Line& line) {
    for (int64_t k = 0; k < lines.length(); ++k)
      to[line.elements + k * outStep] = from[line.table + line.index[k * indexStep] * xStep];
  });
}

template <class S, bool Add>
void scatterElements(const TenonKernelArgs* args) {
  const TenonTensorView& src = args->inputs[2];
  const TenonTensorView& out = args->outputs[0];
  const Lines lines{args->inputs[1], src, out, axisOf(args)};
  const int64_t indexStep = args->inputs[1].strides[lines.axis];
  const int64_t srcStep = src.strides[lines.axis];
  const int64_t outStep = out.strides[lines.axis];
  const S* from = dataOf<S>(src);
  S* to = dataOf<S>(out);
  lines.each([&](const Line& line) {
    for (int64_t k = 0; k < lines.length(); ++k) {
      S& place = to[line.table + line.index[k * indexStep] * outStep];
      const S value = from[line.elements + k * srcStep];
      place = Add ? static_cast<S>(place + value) : value;
    }
  });
}

/// Runs Move<unsigned integer of the elements' width>.
#define TENON_BY_WIDTH(call, ...)           \
  switch (widthOf(args->inputs[0].dtype)) { \
    case 8:                                 \
      call<uint64_t __VA_ARGS__>(args);     \
      break;                                \
    case 4:                                 \
      call<uint32_t __VA_ARGS__>(args);     \
      break;                                \
    case 2:                                 \
      call<uint16_t __VA_ARGS__>(args);     \
      break;                                \
    default:                                \
      call<uint8_t __VA_ARGS__>(args);      \
  }

int32_t runGather(const TenonKernelArgs* args) {
  const int32_t status = checkIndices(args, args->inputs[1], args->inputs[0].sizes[axisOf(args)]);
  if (status != TENON_OK) return status;
  if (countOf(args->inputs[1]) == 0) return TENON_OK;
  TENON_BY_WIDTH(gatherElements)
  return TENON_OK;
}

/// Checks, and fills the output with x. False in `writes` if nothing is to be written.
int32_t beginScatter(const TenonKernelArgs* args, bool& writes) {
  const TenonTensorView& x = args->inputs[0];
  const int32_t status = checkIndices(args, args->inputs[1], x.sizes[axisOf(args)]);
  if (status != TENON_OK) return status;
  if (countOf(x) > 0) copyElements(args->outputs[0], x, widthOf(x.dtype));
  writes = countOf(args->inputs[1]) > 0;
  return TENON_OK;
}

int32_t runScatter(const TenonKernelArgs* args) {
  bool writes = false;
  const int32_t status = beginScatter(args, writes);
  if (status != TENON_OK || !writes) return status;
  TENON_BY_WIDTH(scatterElements, , false)
  return TENON_OK;
}

template <class T>
int32_t runScatterAdd(const TenonKernelArgs* args) {
  bool writes = false;
  const int32_t status = beginScatter(args, writes);
  if (status == TENON_OK && writes) scatterElements<T, true>(args);
  return status;
}

constexpr TenonKernel kKernels[] = {
    {"gather", "lines", 10, kAnyType, &ask, &runGather},
    {"scatter", "lines", 10, kAnyType, &ask, &runScatter},
    {"scatter_add", "lines", 10, TENON_DTYPE_BIT(TENON_F32), &ask, &runScatterAdd<float>},
    {"scatter_add", "reference", 0, TENON_DTYPE_BIT(TENON_F64), &ask, &runScatterAdd<double>},
    {"scatter_add", "reference", 0, TENON_DTYPE_BIT(TENON_I64), &ask, &runScatterAdd<uint64_t>},
    {"scatter_add", "reference", 0, TENON_DTYPE_BIT(TENON_I32), &ask, &runScatterAdd<uint32_t>},
};

}  // namespace

KernelList cpuKernels_gather();
KernelList cpuKernels_gather() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
