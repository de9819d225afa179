// SPDX-License-Identifier: Apache-2.0
// CPU kernels of cross-entropy. N rows (batch x inner positions), C classes on axis 1.
//
// Each row's loss is computed by itself; the losses are added as f64 in the order of the rows.
// Dense in and out.
#include "engine/ops/cross_entropy/cross_entropy.h"

#include "engine/backend/cpu/axis.h"
#include "engine/backend/cpu/message.h"
#include "engine/backend/cpu/rows.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

const CrossEntropyParams& paramsOf(const TenonKernelArgs* args) {
  return *static_cast<const CrossEntropyParams*>(args->params);
}

/// Fails if a target is neither ignored nor a class.
int32_t checkTargets(const TenonKernelArgs* args, const int64_t* targets, const AxisShape& shape) {
  const int64_t ignored = paramsOf(args).ignoreIndex;
  for (int64_t row = 0; row < shape.rows(); ++row) {
    const int64_t t = targets[row];
    if (t != ignored && (t < 0 || t >= shape.size))
      return fail(args, TENON_BAD_VALUE, "target %lld of row %lld is outside the classes 0 .. %lld",
                  static_cast<long long>(t), static_cast<long long>(row),
                  static_cast<long long>(shape.size - 1));
  }
  return TENON_OK;
}

int64_t countedRows(const int64_t* targets, int64_t rows, int64_t ignored) {
  int64_t counted = 0;
  for (int64_t row = 0; row < rows; ++row) counted += targets[row] != ignored ? 1 : 0;
  return counted;
}

/// Loss of a row; `logSum` becomes log sum exp x.
template <class T>
T rowLoss(RowOf<const T> x, int64_t classes, int64_t target, double smoothing, T* logSum) {
  using V = typename RowLanes<T>::Type;
  const T most = rowMax(x, classes);
  const V shift(most);
  Ahead<T> nextRow{x.at + classes};
  const T sum = rowSum(
      classes,
      [=](V v) mutable {
        nextRow.next();
        return math::expOrZero(v - shift);
      },
      x);
  const T logOfSum = math::log(sum);
  *logSum = most + logOfSum;
  const T loss = logOfSum - (x.at[target * x.stride] - most);
  if (smoothing == 0) return loss;
  const T others = rowSum(
      classes, [=](V v) { return v - shift; }, x);
  const T mean = logOfSum - others / static_cast<T>(classes);
  return static_cast<T>(1 - smoothing) * loss + static_cast<T>(smoothing) * mean;
}

template <class T>
int32_t finish(const TenonKernelArgs* args, const T* losses, const int64_t* targets,
               const AxisShape& shape) {
  const CrossEntropyParams& params = paramsOf(args);
  if (params.reduction == Reduction::None) return TENON_OK;
  double total = 0;
  for (int64_t row = 0; row < shape.rows(); ++row) total += losses[row];
  if (params.reduction == Reduction::Mean)
    total /= static_cast<double>(countedRows(targets, shape.rows(), params.ignoreIndex));
  *dataOf<T>(args->outputs[0]) = static_cast<T>(total);
  return TENON_OK;
}

template <class T>
int32_t runForward(const TenonKernelArgs* args) {
  const CrossEntropyParams& params = paramsOf(args);
  const AxisShape shape(args->inputs[0], 1);
  const T* x = dataOf<T>(args->inputs[0]);
  const auto* targets = dataOf<int64_t>(args->inputs[1]);
  const int32_t status = checkTargets(args, targets, shape);
  if (status != TENON_OK) return status;
  void* handle = nullptr;
  T* losses = dataOf<T>(args->outputs[0]);
  if (params.reduction != Reduction::None) {
    const auto bytes = static_cast<size_t>(shape.rows() + 1) * sizeof(T);
    losses = static_cast<T*>(args->host->takeWorkspace(bytes, &handle));
    if (!losses) return TENON_OUT_OF_MEMORY;
  }
  T* logSums = dataOf<T>(args->outputs[1]);
  forEachAxisRow(shape, [&](int64_t row, int64_t start) {
    const bool counts = targets[row] != params.ignoreIndex;
    const T loss = rowLoss<T>({x + start, shape.inner}, shape.size, counts ? targets[row] : 0,
                              params.labelSmoothing, logSums + row);
    losses[row] = counts ? loss : T(0);
  });
  const int32_t done = finish(args, losses, targets, shape);
  if (handle) args->host->releaseWorkspace(handle);
  return done;
}

/// dx = weight (exp(x - logSum) - (1 - s) [c = target] - s / C)
template <class T>
int32_t runBackward(const TenonKernelArgs* args) {
  using V = typename RowLanes<T>::Type;
  const CrossEntropyParams& params = paramsOf(args);
  const AxisShape shape(args->inputs[1], 1);
  const T* dy = dataOf<T>(args->inputs[0]);
  const T* x = dataOf<T>(args->inputs[1]);
  const auto* targets = dataOf<int64_t>(args->inputs[2]);
  const T* logSums = dataOf<T>(args->inputs[3]);
  T* dx = dataOf<T>(args->outputs[0]);
  const int32_t status = checkTargets(args, targets, shape);
  if (status != TENON_OK) return status;
  const bool each = params.reduction == Reduction::None;
  const int64_t counted = params.reduction == Reduction::Mean
                              ? countedRows(targets, shape.rows(), params.ignoreIndex)
                              : 1;
  const V spread(static_cast<T>(params.labelSmoothing / static_cast<double>(shape.size)));
  const auto sure = static_cast<T>(1 - params.labelSmoothing);
  forEachAxisRow(shape, [&](int64_t row, int64_t start) {
    const RowOf<T> out{dx + start, shape.inner};
    const bool counts = targets[row] != params.ignoreIndex;
    const T weight = counts ? dy[each ? row : 0] / static_cast<T>(counted) : T(0);
    const V logSum(logSums[row]);
    const V factor(weight);
    rowMap(
        shape.size, [=](V v) { return factor * (math::expOrZero(v - logSum) - spread); }, out,
        RowOf<const T>{x + start, shape.inner});
    if (counts) out.at[targets[row] * out.stride] -= weight * sure;
  });
  return TENON_OK;
}

template <class T>
int32_t runSmoothed(const TenonKernelArgs* args) {
  const CrossEntropyParams& params = paramsOf(args);
  const AxisShape shape(args->inputs[0], 1);
  const auto* targets = dataOf<int64_t>(args->inputs[1]);
  const int32_t status = checkTargets(args, targets, shape);
  if (status != TENON_OK) return status;
  T* out = dataOf<T>(args->outputs[0]);
  const auto spread = static_cast<T>(params.labelSmoothing / static_cast<double>(shape.size));
  const auto sure = static_cast<T>(1 - params.labelSmoothing);
  forEachAxisRow(shape, [&](int64_t row, int64_t start) {
    const bool counts = targets[row] != params.ignoreIndex;
    for (int64_t c = 0; c < shape.size; ++c)
      out[start + c * shape.inner] = counts ? spread + (c == targets[row] ? sure : T(0)) : T(0);
  });
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);
constexpr TenonKernel kKernels[] = {
    {"cross_entropy", "simd", 10, kF32, nullptr, &runForward<float>},
    {"cross_entropy", "reference", 0, kF64, nullptr, &runForward<double>},
    {"cross_entropy_backward", "simd", 10, kF32, nullptr, &runBackward<float>},
    {"cross_entropy_backward", "reference", 0, kF64, nullptr, &runBackward<double>},
    {"smoothed_targets", "rows", 10, kF32, nullptr, &runSmoothed<float>},
    {"smoothed_targets", "reference", 0, kF64, nullptr, &runSmoothed<double>},
};

}  // namespace

KernelList cpuKernels_cross_entropy();
KernelList cpuKernels_cross_entropy() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
