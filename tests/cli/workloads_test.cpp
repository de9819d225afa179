// SPDX-License-Identifier: Apache-2.0
// The benchmark's networks are the peer's: with weights and inputs by one formula, loss and joint
// norm of all gradients are those that PyTorch gives in f64 for the classes of the peer's script
// (tests/bench/workload_values.py).
#include <gtest/gtest.h>

#include <cmath>

#include "app/cli/workload_graphs.h"
#include "app/cli/workload_modules.h"
#include "engine/autograd/autograd.h"
#include "engine/graph/model.h"
#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/ops/view/view.h"
#include "engine/train/optimizer_plan.h"

namespace tenon::cli {
namespace {

uint64_t mixed(uint64_t index) {
  constexpr uint64_t kMask = 0xFFFFFFFF;
  uint64_t h = (index * 0x9E3779B1) & kMask;
  h = ((h ^ (h >> 15)) * 0x2C1B3C6D) & kMask;
  return h ^ (h >> 13);
}

double number(int64_t index) {
  return static_cast<double>(mixed(static_cast<uint64_t>(index))) / 2147483648.0 - 1.0;
}

void fill(const OptimizedParameter& parameter) {
  const Tensor& t = parameter.tensor;
  const bool bias = parameter.name.find("bias") != std::string::npos;
  const bool scale = !bias && t.ndim() == 1;
  double size = 0.1;
  if (!bias && !scale)
    size = std::sqrt(3 * static_cast<double>(t.size(0)) / static_cast<double>(t.numel()));
  for (int64_t i = 0; i < t.numel(); ++i)
    t.data<float>()[i] = static_cast<float>((scale ? 1 : 0) + size * number(i));
}

Tensor numbers(const Shape& shape) {
  std::vector<float> values;
  for (int64_t i = 0; i < shape.numel(); ++i) values.push_back(static_cast<float>(number(i)));
  return Tensor::fromValues(values, shape);
}

Tensor classes(int64_t count, uint64_t start, uint64_t below) {
  std::vector<int64_t> values;
  for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i)
    values.push_back(static_cast<int64_t>(mixed(start + i) % below));
  return Tensor::fromValues(values, {count});
}

struct Wanted {
  int64_t parameters = 0;
  double loss = 0;
  double gradNorm = 0;
};

template <class Forward>
void expectStep(const std::vector<OptimizedParameter>& parameters, const Forward& forward,
                const Tensor& targets, const Wanted& wanted) {
  int64_t count = 0;
  for (const OptimizedParameter& parameter : parameters) {
    fill(parameter);
    count += parameter.tensor.numel();
  }
  EXPECT_EQ(count, wanted.parameters);
  const Tensor loss = crossEntropy(forward(), targets);
  autograd::backward(loss);
  EXPECT_NEAR(loss.data<float>()[0], wanted.loss, 1e-4 * wanted.loss);
  EXPECT_NEAR(gradNorm(parameters), wanted.gradNorm, 2e-3 * wanted.gradNorm);
}

void expectGraph(const GraphSpec& graph, const Shape& batch, uint64_t classCount,
                 const Wanted& wanted) {
  GraphContext context;
  context.sample.sizes = {batch.begin(), batch.end()};
  context.sample.sizes[0] = kFreeSize;
  context.classes = static_cast<int64_t>(classCount);
  const Model model(checkGraph(graph, context), 0);
  expectStep(
      optimizedParameters(model), [&] { return model.forward(numbers(batch), true); },
      classes(batch[0], 1000, classCount), wanted);
}

void expectModule(nn::Module& module, const Shape& batch, uint64_t tokens, const Wanted& wanted) {
  const Tensor x = reshape(classes(batch.numel(), 2000, tokens), batch);
  expectStep(
      module.parameters(), [&] { return module(x); }, classes(batch.numel(), 1000, tokens), wanted);
}

TEST(Workloads, PerceptronsAreThePeers) {
  expectGraph(mlpGraph(), {4, 784}, 10, {669'706, 2.511713779, 9.832575779});
  expectGraph(tinyMlpGraph(), {4, 16}, 2, {1'666, 0.8793483203, 1.256660644});
}

TEST(Workloads, ConvolutionalNetIsThePeers) {
  expectGraph(cnnGraph(), {4, 1, 28, 28}, 10, {468'202, 1.891647086, 22.69519294});
}

TEST(Workloads, ResidualNetsAreThePeers) {
  expectGraph(resnet18CifarGraph(), {4, 3, 32, 32}, 10, {11'173'962, 3.17396689, 39.22219306});
  expectGraph(resnet50Graph(), {4, 3, 64, 64}, 1000, {25'557'032, 8.773977457, 716.6003596});
}

TEST(Workloads, GptIsThePeersAndBothUsesOfItsTableTrainIt) {
  const nn::ModulePtr gpt = gptModule({});
  expectModule(*gpt, {2, 128}, 512, {4'902'912, 6.91996732, 3.390377285});
}

TEST(Workloads, LstmIsThePeers) {
  const nn::ModulePtr lstm = lstmModule({});
  expectModule(*lstm, {2, 64}, 256, {1'184'000, 5.551926627, 0.199190492});
}

}  // namespace
}  // namespace tenon::cli
