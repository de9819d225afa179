// SPDX-License-Identifier: Apache-2.0
// Weight gradient of a convolution that reads few channels (a first layer), which oneDNN lacks.
//
// x lies dense row-major, dy blocked by 8. Each image is copied once into a zero-padded frame; then
// a vector of 8 output channels times one broadcast pixel gives 8 weights of a tap. Sums are kept
// per image, added per shard of the batch (at most 16, whatever the thread count), shards in order.
#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/simd.h"
#include "engine/ops/conv2d/conv2d.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using V = Vec<float>;
constexpr int64_t kLanes = 8;
constexpr int64_t kMostShards = 16;

struct Problem {
  int64_t n, c, h, w, o, oh, ow, kh, kw;
  const Conv2dParams* params;
  const float* x;
  const float* dy;
  bool bias;

  int64_t taps() const { return c * kh * kw; }
  int64_t paddedHeight() const { return h + 2 * params->padding[0]; }
  int64_t paddedWidth() const { return w + 2 * params->padding[1]; }
  int64_t frame() const { return c * paddedHeight() * paddedWidth(); }
  /// Floats of one shard's sums: for each block of 8 outputs the taps, then the bias.
  int64_t sums() const { return o * (taps() + 1); }
  int64_t perShard() const { return (n + kMostShards - 1) / kMostShards; }
  int64_t shards() const { return (n + perShard() - 1) / perShard(); }
};

Problem problemOf(const TenonKernelArgs* args) {
  const auto* p = static_cast<const Conv2dGradParams*>(args->params);
  const TenonTensorView& dy = args->inputs[0];
  const TenonTensorView& x = args->inputs[1];
  return {x.sizes[0],
          x.sizes[1],
          x.sizes[2],
          x.sizes[3],
          dy.sizes[1],
          dy.sizes[2],
          dy.sizes[3],
          p->size[0],
          p->size[1],
          &p->conv,
          static_cast<const float*>(x.data),
          static_cast<const float*>(dy.data),
          p->bias != 0};
}

void query(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  const Problem p = problemOf(args);
  answer->inputs[0] = TENON_WISH_BLOCKED;
  answer->inputs[1] = TENON_WISH_CONTIGUOUS;
  if (p.c <= 4 && p.params->groups == 1 && p.o % kLanes == 0 && p.n * p.oh * p.ow > 0) return;
  answer->supported = 0;
  answer->reason = "wants at most 4 input channels, one group, output channels in eights";
}

void fillFrame(const Problem& p, int64_t n, float* frame) {
  const int64_t width = p.paddedWidth();
  for (int64_t i = 0; i < p.frame(); ++i) frame[i] = 0;
  for (int64_t row = 0; row < p.c * p.h; ++row) {
    const float* from = p.x + (n * p.c * p.h + row) * p.w;
    const int64_t at = row / p.h * p.paddedHeight() + row % p.h + p.params->padding[0];
    __builtin_memcpy(frame + at * width + p.params->padding[1], from,
                     static_cast<size_t>(p.w) * sizeof(float));
  }
}

/// sums[t] += sum over the pixels of dy times the frame shifted by offsets[t], for kTaps taps.
template <int kTaps>
void addTaps(const Problem& p, const float* dy, const float* frame, const int64_t* offsets,
             float* sums) {
  V acc[kTaps];
  for (V& a : acc) a = V(0.0);
  const int64_t step = p.params->stride[1];
  for (int64_t i = 0; i < p.oh; ++i) {
    const float* row = frame + i * p.params->stride[0] * p.paddedWidth();
    for (int64_t j = 0; j < p.ow; ++j, dy += kLanes) {
      const V grad = V::load(dy);
      const float* at = row + j * step;
#pragma GCC unroll 9
      for (int t = 0; t < kTaps; ++t)
        acc[t] = mulAdd(V(static_cast<double>(at[offsets[t]])), grad, acc[t]);
    }
  }
  for (int t = 0; t < kTaps; ++t) (V::load(sums + t * kLanes) + acc[t]).store(sums + t * kLanes);
}

void addBias(const Problem& p, const float* dy, float* sums) {
  V acc(0.0);
  for (int64_t i = 0; i < p.oh * p.ow; ++i) acc = acc + V::load(dy + i * kLanes);
  (V::load(sums) + acc).store(sums);
}

void addImage(const Problem& p, int64_t n, const float* frame, const int64_t* offsets,
              float* sums) {
  const int64_t pixels = p.oh * p.ow;
  const int64_t taps = p.taps();
  for (int64_t block = 0; block < p.o / kLanes; ++block) {
    const float* dy = p.dy + (n * (p.o / kLanes) + block) * pixels * kLanes;
    float* own = sums + block * (taps + 1) * kLanes;
    int64_t t = 0;
    for (; t + 9 <= taps; t += 9) addTaps<9>(p, dy, frame, offsets + t, own + t * kLanes);
    for (; t + 3 <= taps; t += 3) addTaps<3>(p, dy, frame, offsets + t, own + t * kLanes);
    for (; t < taps; ++t) addTaps<1>(p, dy, frame, offsets + t, own + t * kLanes);
    if (p.bias) addBias(p, dy, own + taps * kLanes);
  }
}

/// Where each tap reads in the frame, relative to the output pixel's first input pixel.
void fillOffsets(const Problem& p, int64_t* offsets) {
  for (int64_t t = 0; t < p.taps(); ++t) {
    const int64_t c = t / (p.kh * p.kw), row = t / p.kw % p.kh, col = t % p.kw;
    offsets[t] = (c * p.paddedHeight() + row * p.params->dilation[0]) * p.paddedWidth() +
                 col * p.params->dilation[1];
  }
}

/// Adds the shards in order and brings [block][tap][8] into [o][tap].
void finish(const Problem& p, const float* sums, float* dw, float* db) {
  const int64_t taps = p.taps();
  for (int64_t o = 0; o < p.o; ++o) {
    for (int64_t t = 0; t < taps + (p.bias ? 1 : 0); ++t) {
      const float* from = sums + (o / kLanes * (taps + 1) + t) * kLanes + o % kLanes;
      float sum = 0;
      for (int64_t s = 0; s < p.shards(); ++s) sum += from[s * p.sums()];
      (t < taps ? dw[o * taps + t] : db[o]) = sum;
    }
  }
}

int32_t run(const TenonKernelArgs* args) {
  const Problem p = problemOf(args);
  const auto shards = static_cast<size_t>(p.shards());
  const size_t each = static_cast<size_t>(p.sums() + p.frame()) * sizeof(float);
  const size_t offsetBytes = static_cast<size_t>(p.taps()) * sizeof(int64_t);
  void* handle = nullptr;
  void* workspace = args->host->takeWorkspace(offsetBytes + shards * each, &handle);
  if (!workspace) return TENON_OUT_OF_MEMORY;
  auto* offsets = static_cast<int64_t*>(workspace);
  auto* sums = reinterpret_cast<float*>(offsets + p.taps());
  float* frames = sums + p.shards() * p.sums();
  fillOffsets(p, offsets);
  parallelFor(p.shards(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s) {
      float* own = sums + s * p.sums();
      float* frame = frames + s * p.frame();
      for (int64_t i = 0; i < p.sums(); ++i) own[i] = 0;
      const int64_t last = (s + 1) * p.perShard();
      for (int64_t n = s * p.perShard(); n < (last < p.n ? last : p.n); ++n) {
        fillFrame(p, n, frame);
        addImage(p, n, frame, offsets, own);
      }
    }
  });
  finish(p, sums, static_cast<float*>(args->outputs[0].data),
         static_cast<float*>(args->outputs[1].data));
  args->host->releaseWorkspace(handle);
  return TENON_OK;
}

const TenonKernel kKernels[] = {
    {"conv2d_backward_weight", "few_channels", 30, TENON_DTYPE_BIT(TENON_F32), &query, &run}};

}  // namespace

KernelList cpuKernels_conv2d_few_channels();
KernelList cpuKernels_conv2d_few_channels() { return {kKernels, 1}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
