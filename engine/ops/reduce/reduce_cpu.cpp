// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "sum" and "mean".
//
// Axes: K kept, R reduced. Elements are added in stretches of a fixed length, f32 stretches in SIMD
// lanes and their sums as f64; a long reduction with few results is cut into shards whose sums are
// added in order. Stretches and shards depend on the shape alone. Any strides in, and blocks
// without padding if each channel becomes one number; dense out.
#include "engine/backend/cpu/simd.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/reduce/split_cpu.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

constexpr int64_t kStretch = 1024;    // elements added as f32 before they go to f64
constexpr int64_t kRowsAtOnce = 128;  // the same along columns
constexpr int64_t kColumns = 256;     // columns added at once
constexpr int64_t kShard = 32768;     // elements of a shard
constexpr int64_t kMostShards = 64;
constexpr int64_t kGrain = 16384;

/// What sums of elements of a type are kept in, and short stretches of a sum.
template <class T>
struct Wide {
  using Type = int64_t;
  using Short = int64_t;
};
template <>
struct Wide<float> {
  using Type = double;
  using Short = float;
};
template <>
struct Wide<double> {
  using Type = double;
  using Short = double;
};

template <class T>
typename Wide<T>::Type sumStretch(const T* x, int64_t stride, int64_t n) {
  typename Wide<T>::Type sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i * stride];
  return sum;
}
template <>
double sumStretch(const float* x, int64_t stride, int64_t n) {
  using V = Vec<float>;
  V lanes[4] = {V(0), V(0), V(0), V(0)};
  int64_t i = 0;
  if (stride == 1)
    for (; i + 4 * V::kLanes <= n; i += 4 * V::kLanes)
      for (int k = 0; k < 4; ++k) lanes[k] = lanes[k] + V::load(x + i + k * V::kLanes);
  for (; i < n; i += V::kLanes) {
    const int64_t m = n - i < V::kLanes ? n - i : V::kLanes;
    lanes[0] = lanes[0] + V::gather(x + i * stride, stride, m);
  }
  return sumLanes((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]));
}

/// Sum of the elements [begin, end) of the reduced nest, from one kept place.
template <class T>
typename Wide<T>::Type sumOne(const T* x, const LoopNest<1>& reduced, int64_t begin, int64_t end) {
  typename Wide<T>::Type sum = 0;
  NestPosition<1> at(reduced, begin);
  while (begin < end) {
    int64_t n = at.rest() < end - begin ? at.rest() : end - begin;
    n = n < kStretch ? n : kStretch;
    sum += sumStretch(x + at.offset[0], reduced.rowStride(0), n);
    at.advance(n);
    begin += n;
  }
  return sum;
}

/// Adds `width` neighbouring columns over [begin, end) of the reduced nest.
template <class T, class W>
void sumColumns(const T* x, const LoopNest<1>& reduced, int64_t begin, int64_t end, W* sums,
                int64_t width) {
  typename Wide<T>::Short part[kColumns];
  for (int64_t c = 0; c < width; ++c) sums[c] = 0;
  NestPosition<1> at(reduced, begin);
  while (begin < end) {
    const int64_t stop = begin + kRowsAtOnce < end ? begin + kRowsAtOnce : end;
    for (int64_t c = 0; c < width; ++c) part[c] = 0;
    for (; begin < stop; ++begin) {
      const T* row = x + at.offset[0];
      for (int64_t c = 0; c < width; ++c) part[c] += row[c];
      at.advance(1);
    }
    for (int64_t c = 0; c < width; ++c) sums[c] += part[c];
  }
}

template <class T, class Out>
struct Reduction {
  using W = typename Wide<T>::Type;
  const TenonTensorView& x;
  const TenonTensorView& out;
  Split split;
  double scale;  // of the result

  int64_t results() const { return split.kept.total; }
  int64_t shards() const {
    if (results() >= kMostShards) return 1;
    const int64_t wanted = split.reduced.total / kShard;
    return wanted < 1 ? 1 : wanted < kMostShards ? wanted : kMostShards;
  }
  Out finish(W sum) const {
    return scale == 1 ? static_cast<Out>(sum) : static_cast<Out>(static_cast<double>(sum) * scale);
  }
  /// Sums of results [first, last) over one shard; they lie in one row of the kept nest if by
  /// columns.
  void shard(int64_t first, int64_t last, int64_t shard, int64_t count, W* sums) const {
    const int64_t n = split.reduced.total;
    const int64_t begin = n * shard / count;
    const int64_t end = n * (shard + 1) / count;
    NestPosition<1> at(split.kept, first);
    const T* data = dataOf<T>(x);
    while (first < last) {
      int64_t width = 1;
      if (split.byColumns()) {
        width = at.rest() < kColumns ? at.rest() : kColumns;
        width = width < last - first ? width : last - first;
      }
      if (width > 1) {
        sumColumns(data + at.offset[0], split.reduced, begin, end, sums, width);
      } else {
        *sums = sumOne(data + at.offset[0], split.reduced, begin, end);
      }
      at.advance(width);
      first += width;
      sums += width;
    }
  }
};

template <class T, class Out>
void reduceWhole(const Reduction<T, Out>& r) {
  using W = typename Wide<T>::Type;
  const int64_t grain = 1 + kGrain / (r.split.reduced.total + 1);
  const int64_t step = r.split.byColumns() && grain < kColumns ? kColumns : grain;
  Out* out = dataOf<Out>(r.out);
  parallelFor(r.results(), step, [&](int64_t begin, int64_t end) {
    W sums[kColumns];
    for (; begin < end; begin += kColumns) {
      const int64_t last = begin + kColumns < end ? begin + kColumns : end;
      r.shard(begin, last, 0, 1, sums);
      for (int64_t i = begin; i < last; ++i) out[i] = r.finish(sums[i - begin]);
    }
  });
}

template <class T, class Out>
int32_t reduceInShards(const Reduction<T, Out>& r, const TenonHost* host, int64_t shards) {
  using W = typename Wide<T>::Type;
  const int64_t results = r.results();
  void* handle = nullptr;
  auto* sums = static_cast<W*>(
      host->takeWorkspace(static_cast<size_t>(shards * results) * sizeof(W), &handle));
  if (!sums) return TENON_OUT_OF_MEMORY;
  parallelFor(shards, 1, [&](int64_t begin, int64_t end) {
    for (; begin < end; ++begin) r.shard(0, results, begin, shards, sums + begin * results);
  });
  Out* out = dataOf<Out>(r.out);
  for (int64_t i = 0; i < results; ++i) {
    W sum = 0;
    for (int64_t s = 0; s < shards; ++s) sum += sums[s * results + i];
    out[i] = r.finish(sum);
  }
  host->releaseWorkspace(handle);
  return TENON_OK;
}

/// Whether all axes behind the channels are reduced of blocks without padding.
bool reducesPixels(const TenonTensorView& x, uint32_t axes) {
  return x.ndim > 2 && axes == (((1U << x.ndim) - 1) & ~3U) && x.sizes[1] % 8 == 0;
}

/// Such blocks as a strided tensor [N, C / 8, pixels, 8], whose axis 2 is reduced.
TenonTensorView columnsOf(const TenonTensorView& x) {
  TenonTensorView view = x;
  int64_t pixels = 1;
  for (int i = 2; i < x.ndim; ++i) pixels *= x.sizes[i];
  const int64_t sizes[4] = {x.sizes[0], x.sizes[1] / 8, pixels, 8};
  view.layout = TENON_STRIDED;
  view.ndim = 4;
  int64_t step = 1;
  for (int i = 3; i >= 0; --i) {
    view.sizes[i] = sizes[i];
    view.strides[i] = step;
    step *= sizes[i];
  }
  return view;
}

template <class T, class Out>
int32_t reduce(const TenonKernelArgs* args, bool mean) {
  uint32_t axes = static_cast<const ReduceParams*>(args->params)->axes;
  TenonTensorView x = args->inputs[0];
  if (blocked(x)) {
    x = columnsOf(x);
    axes = 1U << 2;
  }
  Reduction<T, Out> r{x, args->outputs[0], {x, axes}, 1};
  if (mean) r.scale = 1.0 / static_cast<double>(r.split.reduced.total);
  const int64_t shards = r.shards();
  if (shards > 1) return reduceInShards(r, args->host, shards);
  reduceWhole(r);
  return TENON_OK;
}

template <class T, class Out>
int32_t runSum(const TenonKernelArgs* args) {
  return reduce<T, Out>(args, false);
}
template <class T>
int32_t runMean(const TenonKernelArgs* args) {
  return reduce<T, T>(args, true);
}

/// Any strides; blocks as they are where reducesPixels() says so.
void askSum(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  const TenonTensorView& x = args->inputs[0];
  if (blocked(x) && reducesPixels(x, static_cast<const ReduceParams*>(args->params)->axes)) return;
  askStrided(args, answer);
}

constexpr TenonKernel kKernels[] = {
    {"sum", "simd", 10, TENON_DTYPE_BIT(TENON_F32), &askSum, &runSum<float, float>},
    {"sum", "reference", 0, TENON_DTYPE_BIT(TENON_F64), &askSum, &runSum<double, double>},
    {"sum", "reference", 0, TENON_DTYPE_BIT(TENON_I64), &askSum, &runSum<int64_t, int64_t>},
    {"sum", "reference", 0, TENON_DTYPE_BIT(TENON_I32), &askSum, &runSum<int32_t, int64_t>},
    {"sum", "reference", 0, TENON_DTYPE_BIT(TENON_I8), &askSum, &runSum<int8_t, int64_t>},
    {"sum", "reference", 0, TENON_DTYPE_BIT(TENON_U8) | TENON_DTYPE_BIT(TENON_BOOL), &askSum,
     &runSum<uint8_t, int64_t>},
    {"mean", "simd", 10, TENON_DTYPE_BIT(TENON_F32), &askSum, &runMean<float>},
    {"mean", "reference", 0, TENON_DTYPE_BIT(TENON_F64), &askSum, &runMean<double>},
};

}  // namespace

KernelList cpuKernels_reduce();
KernelList cpuKernels_reduce() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
