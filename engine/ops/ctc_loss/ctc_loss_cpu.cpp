// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "ctc_loss" by the forward-backward algorithm, in f64 logarithms; samples run side
// by side. Dense in and out.
#include "engine/ops/ctc_loss/ctc_loss.h"

#include "engine/backend/cpu/message.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/views.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

constexpr double kNever = -__builtin_inf();

double sumOf(double a, double b) {
  const double most = a > b ? a : b;
  return most == kNever ? kNever
                        : most + __builtin_log(__builtin_exp(a - most) + __builtin_exp(b - most));
}
double sumOf(double a, double b, double c) {
  const double larger = a > b ? a : b;
  const double most = larger > c ? larger : c;
  return most == kNever ? kNever
                        : most + __builtin_log(__builtin_exp(a - most) + __builtin_exp(b - most) +
                                               __builtin_exp(c - most));
}

/// The inputs of a call. Labels with blanks between them are counted 0 .. places - 1.
template <class T>
struct Batch {
  int64_t frames, samples, classes, width;
  const T* x;
  const int64_t* targets;
  const int64_t* inputLengths;   // null: all frames
  const int64_t* targetLengths;  // null: the whole width
  int64_t blank;

  /// `inputs` from the log-probabilities on.
  Batch(const TenonTensorView* inputs, const CtcLossParams& params)
      : frames(inputs[0].sizes[0]),
        samples(inputs[0].sizes[1]),
        classes(inputs[0].sizes[2]),
        width(inputs[1].sizes[1]),
        x(dataOf<T>(inputs[0])),
        targets(dataOf<int64_t>(inputs[1])),
        inputLengths(present(inputs[2]) ? dataOf<int64_t>(inputs[2]) : nullptr),
        targetLengths(present(inputs[3]) ? dataOf<int64_t>(inputs[3]) : nullptr),
        blank(params.blank) {}

  int64_t most() const { return 2 * width + 1; }
  int64_t framesOf(int64_t n) const { return inputLengths ? inputLengths[n] : frames; }
  int64_t labelsOf(int64_t n) const { return targetLengths ? targetLengths[n] : width; }
  int64_t classOf(int64_t n, int64_t place) const {
    return place % 2 == 0 ? blank : targets[n * width + place / 2];
  }
  /// Whether a place may follow on the one two before: another label, not the same again.
  bool skips(int64_t n, int64_t place) const {
    return place % 2 == 1 && place >= 3 && classOf(n, place) != classOf(n, place - 2);
  }
  double emission(int64_t n, int64_t frame, int64_t place) const {
    return static_cast<double>(x[(frame * samples + n) * classes + classOf(n, place)]);
  }
};

template <class T>
int32_t checkLabels(const TenonKernelArgs* args, const Batch<T>& batch, int64_t n) {
  for (int64_t k = 0; k < batch.labelsOf(n); ++k) {
    const int64_t label = batch.targets[n * batch.width + k];
    if (label < 0 || label >= batch.classes)
      return fail(args, TENON_BAD_VALUE,
                  "label %lld of sample %lld (place %lld) is outside the classes 0 .. %lld",
                  static_cast<long long>(label), static_cast<long long>(n),
                  static_cast<long long>(k), static_cast<long long>(batch.classes - 1));
    if (label == batch.blank)
      return fail(args, TENON_BAD_VALUE, "label %lld of sample %lld (place %lld) is the blank",
                  static_cast<long long>(label), static_cast<long long>(n),
                  static_cast<long long>(k));
  }
  return TENON_OK;
}

template <class T>
int32_t check(const TenonKernelArgs* args, const Batch<T>& batch) {
  const auto outside = [&](int64_t n, const char* what, int64_t length, int64_t most) {
    return fail(args, TENON_BAD_VALUE, "sample %lld has %lld %s, wanted 0 .. %lld",
                static_cast<long long>(n), static_cast<long long>(length), what,
                static_cast<long long>(most));
  };
  for (int64_t n = 0; n < batch.samples; ++n) {
    if (batch.framesOf(n) < 0 || batch.framesOf(n) > batch.frames)
      return outside(n, "frames", batch.framesOf(n), batch.frames);
    if (batch.labelsOf(n) < 0 || batch.labelsOf(n) > batch.width)
      return outside(n, "labels", batch.labelsOf(n), batch.width);
    const int32_t status = checkLabels(args, batch, n);
    if (status != TENON_OK) return status;
  }
  return TENON_OK;
}

/// Logarithm of the chance of all alignments, from the last frame's alphas.
template <class T>
double totalOf(const Batch<T>& batch, int64_t n, const double* alpha) {
  const int64_t frames = batch.framesOf(n);
  const int64_t labels = batch.labelsOf(n);
  if (frames == 0) return labels == 0 ? 0 : kNever;
  const double* last = alpha + (frames - 1) * batch.most();
  return labels == 0 ? last[0] : sumOf(last[2 * labels], last[2 * labels - 1]);
}

/// Writes the alphas of a sample: [frame][place], kNever where nothing leads.
template <class T>
void fillAlpha(const Batch<T>& batch, int64_t n, double* alpha) {
  const int64_t places = 2 * batch.labelsOf(n) + 1;
  for (int64_t t = 0; t < batch.frames; ++t) {
    double* now = alpha + t * batch.most();
    for (int64_t s = 0; s < batch.most(); ++s) now[s] = kNever;
    if (t >= batch.framesOf(n)) continue;
    const double* last = now - batch.most();
    for (int64_t s = 0; s < places; ++s) {
      double reached = 0;
      if (t == 0) {
        if (s > 1) break;
      } else {
        reached =
            sumOf(last[s], s > 0 ? last[s - 1] : kNever, batch.skips(n, s) ? last[s - 2] : kNever);
      }
      now[s] = reached + batch.emission(n, t, s);
    }
  }
}

template <class T>
int32_t runForward(const TenonKernelArgs* args) {
  const auto& params = *static_cast<const CtcLossParams*>(args->params);
  const Batch<T> batch(args->inputs, params);
  const int32_t status = check(args, batch);
  if (status != TENON_OK) return status;
  T* losses = dataOf<T>(args->outputs[0]);
  auto* alphas = dataOf<double>(args->outputs[1]);
  parallelFor(batch.samples, 1, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      double* alpha = alphas + n * batch.frames * batch.most();
      fillAlpha(batch, n, alpha);
      const double total = totalOf(batch, n, alpha);
      losses[n] = total == kNever && params.zeroInfinity ? T(0) : static_cast<T>(-total);
    }
  });
  return TENON_OK;
}

/// The betas (without their own frame's emission) of the frame before the one that `after` holds.
template <class T>
void stepBack(const Batch<T>& batch, int64_t n, int64_t frame, const double* after, double* now) {
  const int64_t places = 2 * batch.labelsOf(n) + 1;
  const auto via = [&](int64_t s) {
    return s < places ? after[s] + batch.emission(n, frame + 1, s) : kNever;
  };
  for (int64_t s = 0; s < places; ++s) {
    const bool skip = s + 2 < places && batch.skips(n, s + 2);
    now[s] = sumOf(via(s), via(s + 1), skip ? via(s + 2) : kNever);
  }
}

/// dx of one sample; `room` holds two frames of betas.
template <class T>
void backwardOf(const Batch<T>& batch, int64_t n, const double* alpha, double dy, double none,
                double* room, T* dx) {
  const int64_t step = batch.samples * batch.classes;
  const int64_t places = 2 * batch.labelsOf(n) + 1;
  const double total = totalOf(batch, n, alpha);
  dx += n * batch.classes;
  for (int64_t t = 0; t < batch.frames; ++t) {
    const bool lost = total == kNever && t < batch.framesOf(n);
    for (int64_t c = 0; c < batch.classes; ++c)
      dx[t * step + c] = lost ? static_cast<T>(none) : T(0);
  }
  if (total == kNever) return;
  double* beta = room;
  double* other = room + batch.most();
  for (int64_t t = batch.framesOf(n) - 1; t >= 0; --t) {
    if (t == batch.framesOf(n) - 1) {
      for (int64_t s = 0; s < places; ++s) beta[s] = s + 2 >= places ? 0 : kNever;
    } else {
      stepBack(batch, n, t, beta, other);
      double* const swapped = beta;
      beta = other;
      other = swapped;
    }
    const double* now = alpha + t * batch.most();
    for (int64_t s = 0; s < places; ++s)
      dx[t * step + batch.classOf(n, s)] -=
          static_cast<T>(dy * __builtin_exp(now[s] + beta[s] - total));
  }
}

template <class T>
int32_t runBackward(const TenonKernelArgs* args) {
  const auto& params = *static_cast<const CtcLossParams*>(args->params);
  const Batch<T> batch(args->inputs + 1, params);
  const int32_t status = check(args, batch);
  if (status != TENON_OK || batch.samples == 0) return status;
  const T* dy = dataOf<T>(args->inputs[0]);
  const auto* alphas = dataOf<double>(args->inputs[5]);
  T* dx = dataOf<T>(args->outputs[0]);
  void* handle = nullptr;
  const auto bytes = static_cast<size_t>(batch.samples * 2 * batch.most()) * sizeof(double);
  auto* room = static_cast<double*>(args->host->takeWorkspace(bytes, &handle));
  if (!room) return TENON_OUT_OF_MEMORY;
  const double none = params.zeroInfinity ? 0 : __builtin_nan("");
  parallelFor(batch.samples, 1, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n)
      backwardOf(batch, n, alphas + n * batch.frames * batch.most(), static_cast<double>(dy[n]),
                 none, room + n * 2 * batch.most(), dx);
  });
  args->host->releaseWorkspace(handle);
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);
constexpr TenonKernel kKernels[] = {
    {"ctc_loss", "in f64", 10, kF32, nullptr, &runForward<float>},
    {"ctc_loss", "reference", 0, kF64, nullptr, &runForward<double>},
    {"ctc_loss_backward", "in f64", 10, kF32, nullptr, &runBackward<float>},
    {"ctc_loss_backward", "reference", 0, kF64, nullptr, &runBackward<double>},
};

}  // namespace

KernelList cpuKernels_ctc_loss();
KernelList cpuKernels_ctc_loss() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
