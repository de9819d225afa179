// SPDX-License-Identifier: Apache-2.0
// Batch norm by plain f64 loops over dense tensors: what the other kernels are compared with.
#include <math.h>

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/views.h"
#include "engine/ops/batch_norm/batch_norm.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

struct Sizes {
  int64_t images, channels, pixels;
  double count() const { return static_cast<double>(images * pixels); }
};

Sizes sizesOf(const TenonTensorView& x) {
  Sizes s = {x.sizes[0], x.sizes[1], 1};
  for (int i = 2; i < x.ndim; ++i) s.pixels *= x.sizes[i];
  return s;
}

/// Calls body(index) for every value of a channel.
template <class Body>
void forValues(const Sizes& s, int64_t channel, Body&& body) {
  for (int64_t n = 0; n < s.images; ++n)
    for (int64_t i = 0; i < s.pixels; ++i) body((n * s.channels + channel) * s.pixels + i);
}

void normalize(const Sizes& s, int64_t c, const TenonKernelArgs* args, double mean, double var,
               bool relu) {
  const double* x = valuesOf<double>(args->inputs[0]);
  const double* gamma = valuesOf<double>(args->inputs[1]);
  const double* beta = valuesOf<double>(args->inputs[2]);
  double* y = dataOf<double>(args->outputs[0]);
  const double rstd = 1.0 / sqrt(var + static_cast<const BatchNormParams*>(args->params)->eps);
  const double scale = (gamma ? gamma[c] : 1.0) * rstd;
  forValues(s, c, [&](int64_t i) {
    const double value = (x[i] - mean) * scale + (beta ? beta[c] : 0.0);
    y[i] = relu && value < 0 ? 0.0 : value;
  });
}

template <bool kRelu>
int32_t training(const TenonKernelArgs* args) {
  const Sizes s = sizesOf(args->inputs[0]);
  const double* x = valuesOf<double>(args->inputs[0]);
  parallelFor(s.channels, 1 + 16384 / (s.images * s.pixels + 1), [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      double sum = 0, squares = 0;
      forValues(s, c, [&](int64_t i) { sum += x[i]; });
      const double mean = sum / s.count();
      forValues(s, c, [&](int64_t i) { squares += (x[i] - mean) * (x[i] - mean); });
      const double var = squares / s.count();
      dataOf<double>(args->outputs[1])[c] = mean;
      dataOf<double>(args->outputs[2])[c] = var;
      normalize(s, c, args, mean, var, kRelu);
    }
  });
  return TENON_OK;
}

template <bool kRelu>
int32_t eval(const TenonKernelArgs* args) {
  const Sizes s = sizesOf(args->inputs[0]);
  for (int64_t c = 0; c < s.channels; ++c)
    normalize(s, c, args, valuesOf<double>(args->inputs[3])[c],
              valuesOf<double>(args->inputs[4])[c], kRelu);
  return TENON_OK;
}

int32_t backward(const TenonKernelArgs* args) {
  const auto* p = static_cast<const BatchNormGradParams*>(args->params);
  const Sizes s = sizesOf(args->inputs[1]);
  const double* dy = valuesOf<double>(args->inputs[0]);
  const double* x = valuesOf<double>(args->inputs[1]);
  const double* gamma = valuesOf<double>(args->inputs[2]);
  const double* beta = valuesOf<double>(args->inputs[3]);
  double* dx = dataOf<double>(args->outputs[0]);
  parallelFor(s.channels, 1 + 16384 / (s.images * s.pixels + 1), [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      const double mean = valuesOf<double>(args->inputs[4])[c];
      const double rstd = 1.0 / sqrt(valuesOf<double>(args->inputs[5])[c] + p->eps);
      const double scale = (gamma ? gamma[c] : 1.0) * rstd;
      const auto passed = [&](int64_t i) {
        const double y = (x[i] - mean) * scale + (beta ? beta[c] : 0.0);
        return p->relu && !(y > 0) ? 0.0 : dy[i];
      };
      double sum = 0, products = 0;
      forValues(s, c, [&](int64_t i) {
        sum += passed(i);
        products += passed(i) * (x[i] - mean) * rstd;
      });
      dataOf<double>(args->outputs[1])[c] = products;
      dataOf<double>(args->outputs[2])[c] = sum;
      const double shift = p->fixed ? 0.0 : sum / s.count();
      const double slope = p->fixed ? 0.0 : products / s.count();
      forValues(s, c, [&](int64_t i) {
        dx[i] = scale * (passed(i) - shift - (x[i] - mean) * rstd * slope);
      });
    }
  });
  return TENON_OK;
}

constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);

const TenonKernel kKernels[] = {
    {"batch_norm", "reference", 0, kF64, nullptr, &training<false>},
    {"batch_norm_relu", "reference", 0, kF64, nullptr, &training<true>},
    {"batch_norm_eval", "reference", 0, kF64, nullptr, &eval<false>},
    {"batch_norm_eval_relu", "reference", 0, kF64, nullptr, &eval<true>},
    {"batch_norm_backward", "reference", 0, kF64, nullptr, &backward},
};

}  // namespace

KernelList cpuKernels_batch_norm_reference();
KernelList cpuKernels_batch_norm_reference() {
  return {kKernels, sizeof kKernels / sizeof kKernels[0]};
}

}  // namespace tenon::cpu::TENON_CPU_LEVEL
