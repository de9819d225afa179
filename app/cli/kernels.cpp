// SPDX-License-Identifier: Apache-2.0
// Operands lie as they do in the steady state of a training: images blocked, as convolutions make
// them.
#include "app/cli/kernels.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "engine/autograd/autograd.h"
#include "engine/ops/batch_norm/batch_norm.h"
#include "engine/ops/conv2d/conv2d.h"
#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/layer_norm/layer_norm.h"
#include "engine/ops/matmul/matmul.h"
#include "engine/ops/random/random.h"
#include "engine/ops/softmax/softmax.h"
#include "engine/optim/optimizer_def.h"
#include "engine/schema/validate.h"

namespace tenon::cli {
namespace {

using Call = std::function<void()>;

constexpr int64_t kRows = 8192;
constexpr int64_t kWide = 1024;
constexpr int64_t kClasses = 2048;
constexpr int64_t kImages = 8;        // of convolutions
constexpr int64_t kNormed = 32;       // images of batch norm, [64, 56, 56] each
constexpr int64_t kAdamTensors = 32;  // of [1024, 1024]

double bytesOf(const Shape& shape) { return sizeof(float) * static_cast<double>(shape.numel()); }

Tensor image(const Shape& shape) {
  Tensor out = Tensor::emptyBlocked(shape, DType::F32);
  normalInPlace(out);
  return out;
}

Call matrixProduct(int64_t n) {
  return [a = normal({n, n}), b = normal({n, n})] {
    const gate::NoGradGuard noGrad;
    matmul(a, b);
  };
}

/// y = f(x) and the gradients of x and the parameters for a dy that is given.
Call forwardAndBackward(const Tensor& x, const Tensor& dy, std::vector<Tensor> parameters,
                        Tensor (*f)(const Tensor& x, const std::vector<Tensor>& parameters)) {
  parameters.push_back(x);
  for (const Tensor& leaf : parameters) autograd::setRequiresGrad(leaf);
  return [x, dy, leaves = std::move(parameters), f] {
    for (const Tensor& leaf : leaves) autograd::setGrad(leaf, {});
    autograd::backward(f(x, leaves), dy);
  };
}

/// gamma and beta of a norm.
std::vector<Tensor> affine(int64_t size) {
  return {Tensor::full({size}, 1), Tensor::zeros({size})};
}

Call layerNormCall() {
  return forwardAndBackward(
      normal({kRows, kWide}), normal({kRows, kWide}), affine(kWide),
      [](const Tensor& x, const std::vector<Tensor>& p) { return layerNorm(x, p[0], p[1]); });
}

Call softmaxCall() {
  return forwardAndBackward(
      normal({kRows, kWide}), normal({kRows, kWide}), {},
      [](const Tensor& x, const std::vector<Tensor>&) { return softmax(x, -1); });
}

Call geluCall() {
  return forwardAndBackward(normal({kRows, kWide}), normal({kRows, kWide}), {},
                            [](const Tensor& x, const std::vector<Tensor>&) { return gelu(x); });
}

Call crossEntropyCall() {
  const Tensor logits = normal({kRows, kClasses});
  autograd::setRequiresGrad(logits);
  return [logits, targets = randint({kRows}, 0, kClasses)] {
    autograd::setGrad(logits, {});
    autograd::backward(crossEntropy(logits, targets));
  };
}

Shape normedShape() { return {kNormed, 64, 56, 56}; }

Call batchNormCall() {
  const Tensor mean = Tensor::zeros({64}), var = Tensor::full({64}, 1);
  const Tensor x = image(normedShape()), dy = image(normedShape());
  const std::vector<Tensor> leaves = {x, Tensor::full({64}, 1), Tensor::zeros({64})};
  for (const Tensor& leaf : leaves) autograd::setRequiresGrad(leaf);
  return [=] {
    for (const Tensor& leaf : leaves) autograd::setGrad(leaf, {});
    const BatchNormResult batch = batchNormTraining(x, leaves[1], leaves[2], 1e-5);
    batchNormUpdateStats(mean, var, batch, 0.1, x.numel() / x.size(1));
    autograd::backward(batch.y, dy);
  };
}

Call adamWCall() {
  std::vector<OptimizedParameter> parameters;
  for (int64_t i = 0; i < kAdamTensors; ++i) {
    const Tensor weight = normal({kWide, kWide});
    autograd::setRequiresGrad(weight);
    autograd::setGrad(weight, normal({kWide, kWide}, 0, 1e-3));
    parameters.push_back({std::to_string(i), weight});
  }
  const OptimizerDef& def = *findOptimizer("adamw");
  std::shared_ptr<Optimizer> optimizer =
      def.make(completeParams(def.schema, {{"lr", 3e-4}, {"weight_decay", 0.01}}), parameters);
  return [optimizer] { optimizer->step(3e-4); };
}

/// A convolution of 3x3 on square images that changes neither size nor channels.
struct Convolution {
  int64_t channels = 0;
  int64_t side = 0;
  Shape images() const { return {kImages, channels, side, side}; }
  Shape filters() const { return {channels, channels, 3, 3}; }
  double operations() const { return 2.0 * 9 * static_cast<double>(channels * images().numel()); }
};

constexpr Conv2dParams kSame{.padding = {1, 1}};

Call convForward(const Convolution& c) {
  return [x = image(c.images()), w = normal(c.filters())] {
    const gate::NoGradGuard noGrad;
    conv2d(x, w, {}, kSame);
  };
}

Call convBackwardData(const Convolution& c) {
  return [dy = image(c.images()), w = normal(c.filters()), side = c.side] {
    const gate::NoGradGuard noGrad;
    conv2dBackwardData(dy, w, kSame, side, side);
  };
}

Call convBackwardWeight(const Convolution& c) {
  return [x = image(c.images()), dy = image(c.images())] {
    const gate::NoGradGuard noGrad;
    conv2dBackwardWeight(dy, x, {.conv = kSame, .size = {3, 3}});
  };
}

void addConvolutions(std::vector<Kernel>& all) {
  constexpr Convolution kShapes[] = {{64, 56}, {128, 28}, {256, 14}, {512, 7}};
  constexpr struct {
    const char* name;
    Call (*make)(const Convolution& shape);
  } kDirections[] = {{"forward", &convForward},
                     {"backward-data", &convBackwardData},
                     {"backward-weight", &convBackwardWeight}};
  for (const auto& direction : kDirections)
    for (const Convolution& c : kShapes)
      all.push_back({fmt::format("conv3x3-{}-{}x{}", direction.name, c.channels, c.side),
                     Roof::Arithmetic, c.operations(),
                     [c, make = direction.make] { return make(c); }});
}

std::vector<Kernel> makeKernels() {
  std::vector<Kernel> all;
  for (const int64_t n : {256, 512, 1024, 2048})
    all.push_back({fmt::format("matmul-{}", n), Roof::Arithmetic,
                   2.0 * static_cast<double>(n * n * n), [n] { return matrixProduct(n); }});
  addConvolutions(all);
  const double rows = bytesOf({kRows, kWide});
  all.push_back({"layer-norm", Roof::Memory, 5 * rows, &layerNormCall});
  all.push_back({"softmax", Roof::Memory, 5 * rows, &softmaxCall});
  all.push_back({"gelu", Roof::Memory, 5 * rows, &geluCall});
  // Logits in each pass, and their gradient.
  all.push_back({"cross-entropy", Roof::Memory, 3 * bytesOf({kRows, kClasses}), &crossEntropyCall});
  all.push_back({"batch-norm", Roof::Memory, 5 * bytesOf(normedShape()), &batchNormCall});
  // Weight, gradient and both moments are read, all but the gradient written.
  all.push_back({"adamw-33m", Roof::Memory, 7 * bytesOf({kAdamTensors, kWide, kWide}), &adamWCall});
  return all;
}

}  // namespace

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> kAll = makeKernels();
  return kAll;
}

}  // namespace tenon::cli
