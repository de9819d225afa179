// SPDX-License-Identifier: Apache-2.0
// Max pooling kernels: SIMD over the 8 channels of a blocked pixel, plain loops for dense tensors.
//
// "which" numbers the positions of the whole window row by row, clipped ones included. Windows are
// walked in that order and a later value must be larger, so the first of equals wins; a NaN wins
// over every number. Gradients of overlapping windows are added in the order of the windows.
#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/simd.h"
#include "engine/ops/pool2d/pool2d.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using V = Vec<float>;
using B = Bits<float>;

struct Sizes {
  int64_t planes;  // images times channels (or blocks of channels)
  int64_t h, w, oh, ow;
  Pool2dParams p;
};

/// The part of a window that lies in the image.
struct Window {
  int64_t top, left;       // of the whole window
  int64_t i0, i1, j0, j1;  // rows and columns within the image
};

inline Window windowAt(const Sizes& s, int64_t i, int64_t j) {
  Window win;
  win.top = i * s.p.stride[0] - s.p.padding[0];
  win.left = j * s.p.stride[1] - s.p.padding[1];
  win.i0 = win.top > 0 ? win.top : 0;
  win.j0 = win.left > 0 ? win.left : 0;
  const int64_t bottom = win.top + s.p.kernel[0], right = win.left + s.p.kernel[1];
  win.i1 = bottom < s.h ? bottom : s.h;
  win.j1 = right < s.w ? right : s.w;
  return win;
}

/// Calls body(pixel index, position number) for the window's pixels in the image, row by row.
template <class Body>
inline void forPixels(const Sizes& s, const Window& win, Body&& body) {
  for (int64_t i = win.i0; i < win.i1; ++i)
    for (int64_t j = win.j0; j < win.j1; ++j)
      body(i * s.w + j, (i - win.top) * s.p.kernel[1] + j - win.left);
}

typedef uint8_t Bytes8 __attribute__((vector_size(8)));
typedef int32_t Ints8 __attribute__((vector_size(32)));

inline B loadWhich(const uint8_t* from) {
  Bytes8 bytes;
  __builtin_memcpy(&bytes, from, sizeof bytes);
  const Ints8 wide = __builtin_convertvector(bytes, Ints8);
  B which;
  __builtin_memcpy(&which, &wide, sizeof which);
  return which;
}
inline void storeWhich(B which, uint8_t* to) {
  Ints8 wide;
  __builtin_memcpy(&wide, &which, sizeof wide);
  const Bytes8 bytes = __builtin_convertvector(wide, Bytes8);
  __builtin_memcpy(to, &bytes, sizeof bytes);
}
inline B loadWhich(const int32_t* from) {
  B which;
  __builtin_memcpy(&which, from, sizeof which);
  return which;
}
inline void storeWhich(B which, int32_t* to) { __builtin_memcpy(to, &which, sizeof which); }

inline B choose(B mask, B a, B b) { return (mask & a) | ((mask ^ bitsOf<float>(-1)) & b); }

/// The running maximum of a blocked pixel's channels, and where it was.
struct Best {
  V value;
  B which;
  inline void see(V candidate, int32_t position) {
    const B better = (candidate > value) | (candidate != candidate);
    value = select(better, candidate, value);
    which = choose(better, bitsOf<float>(position), which);
  }
};

template <class Which>
inline void blockedWindow(const Sizes& s, const float* x, int64_t i, int64_t j, float* y,
                          Which* which) {
  const Window win = windowAt(s, i, j);
  const auto first = (win.i0 - win.top) * s.p.kernel[1] + win.j0 - win.left;
  Best best = {V::load(x + (win.i0 * s.w + win.j0) * 8),
               bitsOf<float>(static_cast<int32_t>(first))};
  forPixels(s, win, [&](int64_t pixel, int64_t position) {
    best.see(V::load(x + pixel * 8), static_cast<int32_t>(position));
  });
  best.value.store(y);
  storeWhich(best.which, which);
}

template <class Which>
inline void blockedPlane(const Sizes& s, const float* x, float* y, Which* which) {
  for (int64_t i = 0; i < s.oh; ++i)
    for (int64_t j = 0; j < s.ow; ++j, y += 8, which += 8) blockedWindow(s, x, i, j, y, which);
}

/// Windows of 2x2, side by side, all within the image.
inline void pairsPlane(const Sizes& s, const float* x, float* y, uint8_t* which) {
  for (int64_t i = 0; i < s.oh; ++i) {
    const float* top = x + 2 * i * s.w * 8;
    const float* low = top + s.w * 8;
    for (int64_t j = 0; j < s.ow; ++j, top += 16, low += 16, y += 8, which += 8) {
      Best best = {V::load(top), bitsOf<float>(0)};
      best.see(V::load(top + 8), 1);
      best.see(V::load(low), 2);
      best.see(V::load(low + 8), 3);
      best.value.store(y);
      storeWhich(best.which, which);
    }
  }
}

bool inPairs(const Sizes& s) {
  return s.p.kernel[0] == 2 && s.p.kernel[1] == 2 && s.p.stride[0] == 2 && s.p.stride[1] == 2 &&
         s.p.padding[0] == 0 && s.p.padding[1] == 0 && 2 * s.oh <= s.h && 2 * s.ow <= s.w;
}

template <class Which>
inline void blockedBackwardPlane(const Sizes& s, const float* dy, const Which* which, float* dx) {
  for (int64_t k = 0; k < s.h * s.w; ++k) V(0.0).store(dx + k * 8);
  for (int64_t i = 0; i < s.oh; ++i)
    for (int64_t j = 0; j < s.ow; ++j, dy += 8, which += 8) {
      const V grad = V::load(dy);
      const B from = loadWhich(which);
      forPixels(s, windowAt(s, i, j), [&](int64_t pixel, int64_t position) {
        const B here = equalBits(from, bitsOf<float>(static_cast<int32_t>(position)));
        (V::load(dx + pixel * 8) + select(here, grad, V(0.0))).store(dx + pixel * 8);
      });
    }
}

inline void pairsBackwardPlane(const Sizes& s, const float* dy, const uint8_t* which, float* dx) {
  if (s.h != 2 * s.oh || s.w != 2 * s.ow)
    for (int64_t k = 0; k < s.h * s.w; ++k) V(0.0).store(dx + k * 8);
  const auto put = [](B from, int32_t position, V grad, float* to) {
    select(equalBits(from, bitsOf<float>(position)), grad, V(0.0)).store(to);
  };
  for (int64_t i = 0; i < s.oh; ++i) {
    float* top = dx + 2 * i * s.w * 8;
    float* low = top + s.w * 8;
    for (int64_t j = 0; j < s.ow; ++j, top += 16, low += 16, dy += 8, which += 8) {
      const V grad = V::load(dy);
      const B from = loadWhich(which);
      put(from, 0, grad, top);
      put(from, 1, grad, top + 8);
      put(from, 2, grad, low);
      put(from, 3, grad, low + 8);
    }
  }
}

// Small windows have a fast form.
void bestPlane(const Sizes& s, const float* x, float* y, uint8_t* which) {
  inPairs(s) ? pairsPlane(s, x, y, which) : blockedPlane(s, x, y, which);
}
void bestPlane(const Sizes& s, const float* x, float* y, int32_t* which) {
  blockedPlane(s, x, y, which);
}
void bestBackwardPlane(const Sizes& s, const float* dy, const uint8_t* which, float* dx) {
  inPairs(s) ? pairsBackwardPlane(s, dy, which, dx) : blockedBackwardPlane(s, dy, which, dx);
}
void bestBackwardPlane(const Sizes& s, const float* dy, const int32_t* which, float* dx) {
  blockedBackwardPlane(s, dy, which, dx);
}

template <class T, class Which>
void densePlane(const Sizes& s, const T* x, T* y, Which* which) {
  for (int64_t i = 0; i < s.oh; ++i)
    for (int64_t j = 0; j < s.ow; ++j, ++y, ++which) {
      const Window win = windowAt(s, i, j);
      *y = x[win.i0 * s.w + win.j0];
      *which = static_cast<Which>((win.i0 - win.top) * s.p.kernel[1] + win.j0 - win.left);
      forPixels(s, win, [&](int64_t pixel, int64_t position) {
        const T value = x[pixel];
        if (!(value > *y || value != value)) return;
        *y = value;
        *which = static_cast<Which>(position);
      });
    }
}

/// The pixel that a position of a window stands for.
inline int64_t pixelOf(const Sizes& s, int64_t i, int64_t j, int64_t position) {
  const int64_t row = i * s.p.stride[0] - s.p.padding[0] + position / s.p.kernel[1];
  const int64_t col = j * s.p.stride[1] - s.p.padding[1] + position % s.p.kernel[1];
  return row * s.w + col;
}

template <class T, class Which>
void denseBackwardPlane(const Sizes& s, const T* dy, const Which* which, T* dx) {
  for (int64_t k = 0; k < s.h * s.w; ++k) dx[k] = T(0);
  for (int64_t i = 0; i < s.oh; ++i)
    for (int64_t j = 0; j < s.ow; ++j, ++dy, ++which) dx[pixelOf(s, i, j, *which)] += *dy;
}

/// kLanes channels a pixel: 8 blocked, 1 dense. Those from `used` on are padding, whose positions
/// may lie outside.
template <int kLanes, class T, class Which>
void gatherPlane(const Sizes& s, const T* x, const Which* which, T* y, int64_t used) {
  for (int64_t i = 0; i < s.oh; ++i)
    for (int64_t j = 0; j < s.ow; ++j)
      for (int64_t lane = 0; lane < kLanes; ++lane, ++which, ++y)
        *y = lane < used ? x[pixelOf(s, i, j, *which) * kLanes + lane] : T(0);
}

bool isBlocked(const TenonTensorView& v) { return v.layout == TENON_BLOCKED; }

Sizes sizesOf(const TenonTensorView& x, const TenonTensorView& y, const Pool2dParams& p) {
  const int64_t channels = isBlocked(x) ? x.paddedSize / 8 : x.sizes[1];
  return {x.sizes[0] * channels, x.sizes[2], x.sizes[3], y.sizes[2], y.sizes[3], p};
}

/// Runs body(plane) over all planes; small tensors stay on the calling thread.
template <class Body>
void forPlanes(const Sizes& s, int64_t lanes, Body&& body) {
  const int64_t each = s.h * s.w * lanes + 1;
  parallelFor(s.planes, 1 + 16384 / each, [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) body(plane);
  });
}

/// Layouts of all tensors follow input `lead`.
void followInput(const TenonKernelArgs* args, TenonKernelQuery* answer, int lead) {
  const bool blocked = isBlocked(args->inputs[lead]) && args->inputs[lead].blockAxis == 1 &&
                       args->inputs[lead].blockSize == 8;
  const uint8_t wish = blocked ? TENON_WISH_BLOCKED : TENON_WISH_CONTIGUOUS;
  for (int i = 0; i < args->inputCount; ++i) answer->inputs[i] = wish;
  for (int i = 0; i < args->outputCount; ++i) answer->outputs[i] = wish;
}
void queryForward(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  followInput(args, answer, 0);
}
void queryWhich(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  followInput(args, answer, 1);
}

/// Channels in a plane of 8: fewer in each image's last block.
int64_t usedLanes(const TenonTensorView& view, int64_t plane) {
  const int64_t blocks = view.paddedSize / 8, rest = view.sizes[1] % 8;
  return rest == 0 || plane % blocks != blocks - 1 ? 8 : rest;
}

/// Zeroes the positions of the padding channels.
template <class Which>
void clearPadding(const TenonTensorView& view, int64_t plane, Which* which, int64_t pixels) {
  const int64_t used = usedLanes(view, plane);
  if (used == 8) return;
  for (int64_t i = 0; i < pixels; ++i)
    for (int64_t lane = used; lane < 8; ++lane) which[i * 8 + lane] = 0;
}

template <class T, class Which>
void forwardPlanes(const TenonKernelArgs* args) {
  const Sizes s =
      sizesOf(args->inputs[0], args->outputs[0], *static_cast<const Pool2dParams*>(args->params));
  const T* x = static_cast<const T*>(args->inputs[0].data);
  T* y = static_cast<T*>(args->outputs[0].data);
  auto* which = static_cast<Which*>(args->outputs[1].data);
  const int64_t in = s.h * s.w, out = s.oh * s.ow;
  if constexpr (sizeof(T) == 4) {
    if (isBlocked(args->inputs[0])) {
      forPlanes(s, 8, [&](int64_t k) {
        bestPlane(s, x + k * in * 8, y + k * out * 8, which + k * out * 8);
        clearPadding(args->inputs[0], k, which + k * out * 8, out);
      });
      return;
    }
  }
  forPlanes(s, 1, [&](int64_t k) { densePlane(s, x + k * in, y + k * out, which + k * out); });
}

template <class T, class Which>
void backwardPlanes(const TenonKernelArgs* args) {
  const auto* params = static_cast<const Pool2dGradParams*>(args->params);
  const Sizes s = sizesOf(args->outputs[0], args->inputs[0], params->pool);
  const T* dy = static_cast<const T*>(args->inputs[0].data);
  const auto* which = static_cast<const Which*>(args->inputs[1].data);
  T* dx = static_cast<T*>(args->outputs[0].data);
  const int64_t in = s.h * s.w, out = s.oh * s.ow;
  if constexpr (sizeof(T) == 4) {
    if (isBlocked(args->inputs[0])) {
      forPlanes(s, 8, [&](int64_t k) {
        bestBackwardPlane(s, dy + k * out * 8, which + k * out * 8, dx + k * in * 8);
      });
      return;
    }
  }
  forPlanes(s, 1,
            [&](int64_t k) { denseBackwardPlane(s, dy + k * out, which + k * out, dx + k * in); });
}

template <class T, class Which>
void gatherPlanes(const TenonKernelArgs* args) {
  const Sizes s =
      sizesOf(args->inputs[0], args->outputs[0], *static_cast<const Pool2dParams*>(args->params));
  const T* x = static_cast<const T*>(args->inputs[0].data);
  const auto* which = static_cast<const Which*>(args->inputs[1].data);
  T* y = static_cast<T*>(args->outputs[0].data);
  const bool blocked = isBlocked(args->inputs[0]);
  const int64_t lanes = blocked ? 8 : 1;
  const int64_t in = s.h * s.w * lanes, out = s.oh * s.ow * lanes;
  forPlanes(s, lanes, [&](int64_t k) {
    if (blocked) {
      gatherPlane<8>(s, x + k * in, which + k * out, y + k * out, usedLanes(args->inputs[0], k));
    } else {
      gatherPlane<1>(s, x + k * in, which + k * out, y + k * out, 1);
    }
  });
}

bool narrow(const TenonTensorView& which) { return which.dtype == TENON_U8; }

template <class T>
int32_t forward(const TenonKernelArgs* args) {
  narrow(args->outputs[1]) ? forwardPlanes<T, uint8_t>(args) : forwardPlanes<T, int32_t>(args);
  return TENON_OK;
}
template <class T>
int32_t backward(const TenonKernelArgs* args) {
  narrow(args->inputs[1]) ? backwardPlanes<T, uint8_t>(args) : backwardPlanes<T, int32_t>(args);
  return TENON_OK;
}
template <class T>
int32_t gather(const TenonKernelArgs* args) {
  narrow(args->inputs[1]) ? gatherPlanes<T, uint8_t>(args) : gatherPlanes<T, int32_t>(args);
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);

const TenonKernel kKernels[] = {
    {"max_pool2d", "simd", 10, kF32, &queryForward, &forward<float>},
    {"max_pool2d", "reference", 0, kF64, nullptr, &forward<double>},
    {"max_pool2d_backward", "simd", 10, kF32, &queryWhich, &backward<float>},
    {"max_pool2d_backward", "reference", 0, kF64, nullptr, &backward<double>},
    {"max_pool2d_gather", "simd", 10, kF32, &queryWhich, &gather<float>},
    {"max_pool2d_gather", "reference", 0, kF64, nullptr, &gather<double>},
};

}  // namespace

KernelList cpuKernels_pool2d_max();
KernelList cpuKernels_pool2d_max() { return {kKernels, sizeof kKernels / sizeof kKernels[0]}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
