// SPDX-License-Identifier: Apache-2.0
// Convolution kernels: oneDNN where it has an optimized implementation, plain loops otherwise.
//
// oneDNN gets x and y blocked where their channels are a multiple of 8, x dense where its channels
// are few and only y blocked, and everything dense as the last choice. The plain loops (reference)
// take dense tensors and add in the type of the elements, each sum on one thread.
#include "engine/ops/conv2d/conv2d.h"

#include "engine/backend/cpu/onednn.h"
#include "engine/backend/cpu/parallel.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using onednn::ConvKind;
using onednn::ConvProblem;

/// The three tensors of a convolution (or their gradients), whatever the operator.
struct Roles {
  const TenonTensorView* x;
  const TenonTensorView* w;
  const TenonTensorView* y;
  const TenonTensorView* bias;  // null if there is none
  const Conv2dParams* params;
};

Roles forwardRoles(const TenonKernelArgs* a) {
  const bool bias = a->inputCount > 2 && a->inputs[2].ndim >= 0;
  return {&a->inputs[0], &a->inputs[1], &a->outputs[0], bias ? &a->inputs[2] : nullptr,
          static_cast<const Conv2dParams*>(a->params)};
}
Roles dataRoles(const TenonKernelArgs* a) {
  return {&a->outputs[0], &a->inputs[1], &a->inputs[0], nullptr,
          &static_cast<const Conv2dGradParams*>(a->params)->conv};
}
Roles weightRoles(const TenonKernelArgs* a) {
  const auto* p = static_cast<const Conv2dGradParams*>(a->params);
  return {&a->inputs[1], &a->outputs[0], &a->inputs[0], p->bias ? &a->outputs[1] : nullptr,
          &p->conv};
}

ConvProblem problemOf(ConvKind kind, const Roles& r) {
  ConvProblem p;
  p.kind = kind;
  p.n = r.x->sizes[0], p.c = r.x->sizes[1], p.h = r.x->sizes[2], p.w = r.x->sizes[3];
  p.o = r.y->sizes[1], p.oh = r.y->sizes[2], p.ow = r.y->sizes[3];
  p.kh = r.w->sizes[2], p.kw = r.w->sizes[3];
  for (int a = 0; a < 2; ++a) {
    p.stride[a] = r.params->stride[a];
    p.padding[a] = r.params->padding[a];
    p.dilation[a] = r.params->dilation[a];
  }
  p.groups = r.params->groups;
  p.bias = r.bias != nullptr;
  p.xBlocked = r.x->layout == TENON_BLOCKED;
  p.yBlocked = r.y->layout == TENON_BLOCKED;
  return p;
}

/// Finds the best layouts that oneDNN has an implementation for. @return false if there are none.
bool planLayouts(ConvProblem& p) {
  if (p.n * p.c * p.h * p.w == 0 || p.o * p.oh * p.ow == 0) return false;
  const int64_t xFits = p.c % 8 == 0;
  const int64_t yFits = p.o % 8 == 0;
  const int64_t plans[3][2] = {{xFits, yFits}, {0, yFits}, {0, 0}};
  for (const auto& plan : plans) {
    p.xBlocked = plan[0];
    p.yBlocked = plan[1];
    if (onednn::convolutionSupported(p)) return true;
  }
  return false;
}

uint8_t wishFor(int64_t blocked) {
  return static_cast<uint8_t>(blocked ? TENON_WISH_BLOCKED : TENON_WISH_CONTIGUOUS);
}

void refuseQuery(TenonKernelQuery* answer) {
  answer->supported = 0;
  answer->reason = "oneDNN has no optimized implementation for this convolution";
}

void queryForward(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  ConvProblem p = problemOf(ConvKind::Forward, forwardRoles(args));
  if (!planLayouts(p)) return refuseQuery(answer);
  answer->inputs[0] = wishFor(p.xBlocked);
  answer->inputs[1] = answer->inputs[2] = TENON_WISH_CONTIGUOUS;
  answer->outputs[0] = wishFor(p.yBlocked);
}

void queryData(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  ConvProblem p = problemOf(ConvKind::BackwardData, dataRoles(args));
  if (!planLayouts(p)) return refuseQuery(answer);
  answer->inputs[0] = wishFor(p.yBlocked);
  answer->inputs[1] = TENON_WISH_CONTIGUOUS;
  answer->outputs[0] = wishFor(p.xBlocked);
}

void queryWeight(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  ConvProblem p = problemOf(ConvKind::BackwardWeight, weightRoles(args));
  if (!planLayouts(p)) return refuseQuery(answer);
  answer->inputs[0] = wishFor(p.yBlocked);
  answer->inputs[1] = wishFor(p.xBlocked);
}

int32_t runOneDnn(const TenonKernelArgs* args, ConvKind kind, const Roles& r) {
  return onednn::convolve(*args, problemOf(kind, r),
                          {r.x->data, r.w->data, r.bias ? r.bias->data : nullptr, r.y->data});
}
int32_t oneDnnForward(const TenonKernelArgs* args) {
  return runOneDnn(args, ConvKind::Forward, forwardRoles(args));
}
int32_t oneDnnData(const TenonKernelArgs* args) {
  return runOneDnn(args, ConvKind::BackwardData, dataRoles(args));
}
int32_t oneDnnWeight(const TenonKernelArgs* args) {
  return runOneDnn(args, ConvKind::BackwardWeight, weightRoles(args));
}

/// Walks the pairs (output pixel, input pixel) that a kernel tap joins along one axis.
struct Tap {
  int64_t first, last;  // output positions [first, last) whose input lies inside
  int64_t shift;        // input = output * stride + shift
};
Tap tapOf(int64_t tap, int64_t stride, int64_t padding, int64_t dilation, int64_t in, int64_t out) {
  const int64_t shift = tap * dilation - padding;
  const int64_t first = shift >= 0 ? 0 : (-shift + stride - 1) / stride;
  const int64_t end = in - shift <= 0 ? 0 : (in - shift + stride - 1) / stride;
  return {first, end < out ? end : out, shift};
}

/// Calls body(x offset, y offset, count) for every run of pixels that tap (p, q) joins in a plane;
/// the x pixels of a run are stride[1] apart.
template <class Body>
void forRuns(const ConvProblem& c, int64_t p, int64_t q, Body&& body) {
  const Tap rows = tapOf(p, c.stride[0], c.padding[0], c.dilation[0], c.h, c.oh);
  const Tap cols = tapOf(q, c.stride[1], c.padding[1], c.dilation[1], c.w, c.ow);
  if (cols.first >= cols.last) return;
  for (int64_t i = rows.first; i < rows.last; ++i)
    body((i * c.stride[0] + rows.shift) * c.w + cols.first * c.stride[1] + cols.shift,
         i * c.ow + cols.first, cols.last - cols.first);
}

/// Calls body(o, c, w offset, p, q) for every weight of group output o.
template <class Body>
void forWeights(const ConvProblem& c, int64_t o, Body&& body) {
  const int64_t perGroup = c.c / c.groups;
  const int64_t firstChannel = o / (c.o / c.groups) * perGroup;
  for (int64_t k = 0; k < perGroup; ++k)
    for (int64_t p = 0; p < c.kh; ++p)
      for (int64_t q = 0; q < c.kw; ++q)
        body(firstChannel + k, ((o * perGroup + k) * c.kh + p) * c.kw + q, p, q);
}

/// Items of an outermost loop that are worth a thread, out of `items`.
int64_t grainOf(const ConvProblem& c, int64_t items) {
  const int64_t all = c.n * c.o * c.oh * c.ow * (c.c / c.groups) * c.kh * c.kw;
  return 1 + 65536 / (all / (items + 1) + 1);
}

template <class T>
int32_t referenceForward(const TenonKernelArgs* args) {
  const Roles r = forwardRoles(args);
  const ConvProblem c = problemOf(ConvKind::Forward, r);
  const T* x = static_cast<const T*>(r.x->data);
  const T* w = static_cast<const T*>(r.w->data);
  const T* bias = r.bias ? static_cast<const T*>(r.bias->data) : nullptr;
  T* y = static_cast<T*>(r.y->data);
  parallelFor(c.n * c.o, grainOf(c, c.n * c.o), [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      const int64_t n = plane / c.o, o = plane % c.o;
      T* to = y + plane * c.oh * c.ow;
      for (int64_t i = 0; i < c.oh * c.ow; ++i) to[i] = bias ? bias[o] : T(0);
      forWeights(c, o, [&](int64_t channel, int64_t at, int64_t p, int64_t q) {
        const T* from = x + (n * c.c + channel) * c.h * c.w;
        forRuns(c, p, q, [&](int64_t xAt, int64_t yAt, int64_t count) {
          for (int64_t j = 0; j < count; ++j) to[yAt + j] += w[at] * from[xAt + j * c.stride[1]];
        });
      });
    }
  });
  return TENON_OK;
}

template <class T>
int32_t referenceData(const TenonKernelArgs* args) {
  const Roles r = dataRoles(args);
  const ConvProblem c = problemOf(ConvKind::BackwardData, r);
  T* dx = static_cast<T*>(r.x->data);
  const T* w = static_cast<const T*>(r.w->data);
  const T* dy = static_cast<const T*>(r.y->data);
  parallelFor(c.n, grainOf(c, c.n), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * c.c * c.h * c.w; i < end * c.c * c.h * c.w; ++i) dx[i] = T(0);
    for (int64_t plane = begin * c.o; plane < end * c.o; ++plane) {
      const int64_t n = plane / c.o, o = plane % c.o;
      const T* from = dy + plane * c.oh * c.ow;
      forWeights(c, o, [&](int64_t channel, int64_t at, int64_t p, int64_t q) {
        T* to = dx + (n * c.c + channel) * c.h * c.w;
        forRuns(c, p, q, [&](int64_t xAt, int64_t yAt, int64_t count) {
          for (int64_t j = 0; j < count; ++j) to[xAt + j * c.stride[1]] += w[at] * from[yAt + j];
        });
      });
    }
  });
  return TENON_OK;
}

template <class T>
void biasGradient(const ConvProblem& c, const T* dy, int64_t o, T* db) {
  T sum = 0;
  for (int64_t n = 0; n < c.n; ++n) {
    const T* from = dy + (n * c.o + o) * c.oh * c.ow;
    for (int64_t i = 0; i < c.oh * c.ow; ++i) sum += from[i];
  }
  db[o] = sum;
}

template <class T>
int32_t referenceWeight(const TenonKernelArgs* args) {
  const Roles r = weightRoles(args);
  const ConvProblem c = problemOf(ConvKind::BackwardWeight, r);
  const T* x = static_cast<const T*>(r.x->data);
  T* dw = static_cast<T*>(r.w->data);
  const T* dy = static_cast<const T*>(r.y->data);
  parallelFor(c.o, grainOf(c, c.o), [&](int64_t begin, int64_t end) {
    for (int64_t o = begin; o < end; ++o) {
      if (r.bias) biasGradient(c, dy, o, static_cast<T*>(r.bias->data));
      forWeights(c, o, [&](int64_t channel, int64_t at, int64_t p, int64_t q) {
        T sum = 0;
        for (int64_t n = 0; n < c.n; ++n) {
          const T* from = x + (n * c.c + channel) * c.h * c.w;
          const T* grad = dy + (n * c.o + o) * c.oh * c.ow;
          forRuns(c, p, q, [&](int64_t xAt, int64_t yAt, int64_t count) {
            for (int64_t j = 0; j < count; ++j) sum += grad[yAt + j] * from[xAt + j * c.stride[1]];
          });
        }
        dw[at] = sum;
      });
    }
  });
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);

const TenonKernel kKernels[] = {
    {"conv2d", "onednn", 20, kF32, &queryForward, &oneDnnForward},
    {"conv2d", "reference", 0, kF32, nullptr, &referenceForward<float>},
    {"conv2d", "reference", 0, kF64, nullptr, &referenceForward<double>},
    {"conv2d_backward_data", "onednn", 20, kF32, &queryData, &oneDnnData},
    {"conv2d_backward_data", "reference", 0, kF32, nullptr, &referenceData<float>},
    {"conv2d_backward_data", "reference", 0, kF64, nullptr, &referenceData<double>},
    {"conv2d_backward_weight", "onednn", 20, kF32, &queryWeight, &oneDnnWeight},
    {"conv2d_backward_weight", "reference", 0, kF32, nullptr, &referenceWeight<float>},
    {"conv2d_backward_weight", "reference", 0, kF64, nullptr, &referenceWeight<double>},
};

}  // namespace

KernelList cpuKernels_conv2d();
KernelList cpuKernels_conv2d() { return {kKernels, sizeof kKernels / sizeof kKernels[0]}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
