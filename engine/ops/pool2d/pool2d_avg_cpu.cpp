// SPDX-License-Identifier: Apache-2.0
// Average and adaptive average pooling kernels: SIMD over the 8 channels of a blocked pixel, plain
// loops for dense tensors.
//
// Each window is summed in row-major order in the type of the elements and divided once. An image
// pooled to 1x1 has the same bytes dense and blocked, so it is given and taken dense.
#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/simd.h"
#include "engine/ops/pool2d/pool2d.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

/// Pixels [begin, end) of an axis that an output reads, and how many count for the mean.
struct Span {
  int64_t begin, end, counted;
};

/// Windows of a fixed size.
struct Fixed {
  const Pool2dParams* p;
  Span span(int axis, int64_t i, int64_t in, int64_t) const {
    const int64_t begin = i * p->stride[axis] - p->padding[axis];
    const int64_t end = begin + p->kernel[axis];
    const int64_t far = in + p->padding[axis];
    const Span clipped = {begin > 0 ? begin : 0, end < in ? end : in, 0};
    const int64_t padded = (end < far ? end : far) - begin;
    return {clipped.begin, clipped.end,
            p->countIncludesPadding ? padded : clipped.end - clipped.begin};
  }
};

/// As many bins as outputs.
struct Bins {
  Span span(int, int64_t i, int64_t in, int64_t out) const {
    const int64_t begin = i * in / out;
    const int64_t end = ((i + 1) * in + out - 1) / out;
    return {begin, end, end - begin};
  }
};

/// One pixel of a dense plane.
template <class T>
struct Dense {
  using Element = T;
  static constexpr int64_t kLanes = 1;
  T value;
  explicit Dense(double v) : value(static_cast<T>(v)) {}
  static Dense load(const T* from) { return Dense(static_cast<double>(*from)); }
  void store(T* to) const { *to = value; }
  Dense operator+(Dense other) const { return Dense(static_cast<double>(value + other.value)); }
  Dense operator/(Dense other) const { return Dense(static_cast<double>(value / other.value)); }
};

/// One pixel of 8 channels.
struct Blocked : Vec<float> {
  using Element = float;
  static constexpr int64_t kLanes = 8;
  explicit Blocked(double v) : Vec<float>(v) {}
  Blocked(Vec<float> v) : Vec<float>(v) {}  // NOLINT: the operators give Vec
  static Blocked load(const float* from) { return Vec<float>::load(from); }
};

struct Sizes {
  int64_t planes, h, w, oh, ow;
};

template <class Pixel, class Windows>
void forwardPlane(const Sizes& s, const Windows& windows, const typename Pixel::Element* x,
                  typename Pixel::Element* y) {
  for (int64_t i = 0; i < s.oh; ++i) {
    const Span rows = windows.span(0, i, s.h, s.oh);
    for (int64_t j = 0; j < s.ow; ++j, y += Pixel::kLanes) {
      const Span cols = windows.span(1, j, s.w, s.ow);
      Pixel sum(0.0);
      for (int64_t r = rows.begin; r < rows.end; ++r)
        for (int64_t c = cols.begin; c < cols.end; ++c)
          sum = sum + Pixel::load(x + (r * s.w + c) * Pixel::kLanes);
      Pixel(sum / Pixel(static_cast<double>(rows.counted * cols.counted))).store(y);
    }
  }
}

template <class Pixel, class Windows>
void backwardPlane(const Sizes& s, const Windows& windows, const typename Pixel::Element* dy,
                   typename Pixel::Element* dx) {
  for (int64_t k = 0; k < s.h * s.w; ++k) Pixel(0.0).store(dx + k * Pixel::kLanes);
  for (int64_t i = 0; i < s.oh; ++i) {
    const Span rows = windows.span(0, i, s.h, s.oh);
    for (int64_t j = 0; j < s.ow; ++j, dy += Pixel::kLanes) {
      const Span cols = windows.span(1, j, s.w, s.ow);
      const Pixel share = Pixel::load(dy) / Pixel(static_cast<double>(rows.counted * cols.counted));
      for (int64_t r = rows.begin; r < rows.end; ++r)
        for (int64_t c = cols.begin; c < cols.end; ++c) {
          typename Pixel::Element* to = dx + (r * s.w + c) * Pixel::kLanes;
          Pixel(Pixel::load(to) + share).store(to);
        }
    }
  }
}

/// Calls body(plane) for all planes; small tensors stay on the calling thread.
template <class Body>
void forPlanes(const Sizes& s, int64_t lanes, Body&& body) {
  parallelFor(s.planes, 1 + 16384 / (s.h * s.w * lanes + 1), [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) body(plane);
  });
}

/// `large` is the image, `small` the pooled one; `Planes` says which way.
template <class Pixel, class Windows>
void runPlanes(const Windows& windows, const TenonTensorView& in, const TenonTensorView& out,
               bool forward) {
  using T = typename Pixel::Element;
  const TenonTensorView& large = forward ? in : out;
  const TenonTensorView& small = forward ? out : in;
  const int64_t channels = (large.sizes[1] + Pixel::kLanes - 1) / Pixel::kLanes;
  const Sizes s = {large.sizes[0] * channels, large.sizes[2], large.sizes[3], small.sizes[2],
                   small.sizes[3]};
  const int64_t largeStep = s.h * s.w * Pixel::kLanes, smallStep = s.oh * s.ow * Pixel::kLanes;
  const T* from = static_cast<const T*>(in.data);
  T* to = static_cast<T*>(out.data);
  forPlanes(s, Pixel::kLanes, [&](int64_t k) {
    if (forward) {
      forwardPlane<Pixel>(s, windows, from + k * largeStep, to + k * smallStep);
    } else {
      backwardPlane<Pixel>(s, windows, from + k * smallStep, to + k * largeStep);
    }
  });
}

template <class T, class Windows>
int32_t run(const TenonKernelArgs* args, const Windows& windows, bool forward) {
  const TenonTensorView& in = args->inputs[0];
  const TenonTensorView& out = args->outputs[0];
  if constexpr (sizeof(T) == 4) {
    // The pooled side may be dense 1x1; the image's layout tells.
    if ((forward ? in : out).layout == TENON_BLOCKED) {
      runPlanes<Blocked>(windows, in, out, forward);
      return TENON_OK;
    }
  }
  runPlanes<Dense<T>>(windows, in, out, forward);
  return TENON_OK;
}

bool isBlocked(const TenonTensorView& v) {
  return v.layout == TENON_BLOCKED && v.blockAxis == 1 && v.blockSize == 8;
}

bool sameBytesDense(const TenonTensorView& v) {
  return v.sizes[1] % 8 == 0 && v.sizes[2] * v.sizes[3] == 1;
}

void queryForward(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  const bool blocked = isBlocked(args->inputs[0]);
  answer->inputs[0] = blocked ? TENON_WISH_BLOCKED : TENON_WISH_CONTIGUOUS;
  answer->outputs[0] =
      blocked && !sameBytesDense(args->outputs[0]) ? TENON_WISH_BLOCKED : TENON_WISH_CONTIGUOUS;
}

/// The gradient of an image that can be blocked is given blocked: the pooled gradient is the
/// smaller one to reorder.
void queryBackward(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  const TenonTensorView& dy = args->inputs[0];
  const bool blocked = isBlocked(dy) || dy.sizes[1] % 8 == 0;
  answer->outputs[0] = blocked ? TENON_WISH_BLOCKED : TENON_WISH_CONTIGUOUS;
  answer->inputs[0] = blocked ? TENON_WISH_BLOCKED : TENON_WISH_CONTIGUOUS;
  if (blocked && !isBlocked(dy) && sameBytesDense(dy)) answer->inputs[0] = TENON_WISH_CONTIGUOUS;
}

Fixed fixedForward(const TenonKernelArgs* args) {
  return {static_cast<const Pool2dParams*>(args->params)};
}
Fixed fixedBackward(const TenonKernelArgs* args) {
  return {&static_cast<const Pool2dGradParams*>(args->params)->pool};
}

template <class T>
int32_t avgForward(const TenonKernelArgs* args) {
  return run<T>(args, fixedForward(args), true);
}
template <class T>
int32_t avgBackward(const TenonKernelArgs* args) {
  return run<T>(args, fixedBackward(args), false);
}
template <class T>
int32_t adaptiveForward(const TenonKernelArgs* args) {
  return run<T>(args, Bins{}, true);
}
template <class T>
int32_t adaptiveBackward(const TenonKernelArgs* args) {
  return run<T>(args, Bins{}, false);
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);

const TenonKernel kKernels[] = {
    {"avg_pool2d", "simd", 10, kF32, &queryForward, &avgForward<float>},
    {"avg_pool2d", "reference", 0, kF64, nullptr, &avgForward<double>},
    {"avg_pool2d_backward", "simd", 10, kF32, &queryBackward, &avgBackward<float>},
    {"avg_pool2d_backward", "reference", 0, kF64, nullptr, &avgBackward<double>},
    {"adaptive_avg_pool2d", "simd", 10, kF32, &queryForward, &adaptiveForward<float>},
    {"adaptive_avg_pool2d", "reference", 0, kF64, nullptr, &adaptiveForward<double>},
    {"adaptive_avg_pool2d_backward", "simd", 10, kF32, &queryBackward, &adaptiveBackward<float>},
    {"adaptive_avg_pool2d_backward", "reference", 0, kF64, nullptr, &adaptiveBackward<double>},
};

}  // namespace

KernelList cpuKernels_pool2d_avg();
KernelList cpuKernels_pool2d_avg() { return {kKernels, sizeof kKernels / sizeof kKernels[0]}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
