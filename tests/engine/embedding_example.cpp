// SPDX-License-Identifier: Apache-2.0
// Trains a network through the engine alone: which points lie within a circle?
#include <cstdio>

#include "engine/autograd/autograd.h"
#include "engine/autograd/inference_mode.h"
#include "engine/modules/initializers.h"
#include "engine/modules/layers.h"
#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/reduce/reduce.h"

using namespace tenon;

int main() {
  Generator generator{.seed = 1};
  const gate::GeneratorGuard seeded(generator);
  const Tensor points = Tensor::empty({512, 2});
  nn::init::uniform(points, -1, 1);
  const Tensor within = less(sum(square(points), {1}), Tensor::full({1}, 0.5));
  const Tensor classes = cast(within, DType::I64);

  nn::Sequential net{nn::linear(2, 32), nn::relu(), nn::linear(32, 32), nn::layer("gelu"),
                     nn::linear(32, 2)};
  const OptimizerDef& adam = *findOptimizer("adam");
  const auto optimizer = adam.make(adam.schema.defaults(), net.parameters());
  float loss = 0;
  for (int step = 0; step < 300; ++step) {
    const Tensor error = crossEntropy(net(points), classes);
    net.zeroGrad();
    autograd::backward(error);
    optimizer->step(0.01);
    loss = error.toVector<float>()[0];
    if (step % 100 == 0) std::printf("step %d: loss %.3f\n", step, loss);
  }
  net.eval();
  const autograd::InferenceModeGuard inference;
  const auto correct = countCorrect(net(points), classes).toVector<int64_t>()[0];
  std::printf("loss %.3f, %d of 512 points right\n", loss, static_cast<int>(correct));
  return loss < 0.05F ? 0 : 1;
}
