// SPDX-License-Identifier: Apache-2.0
// Shapes, optimizers and losses are those of the peer's script, workload by workload.
#include "app/cli/workloads.h"

#include <fmt/format.h>

#include <functional>

#include "app/cli/workload_graphs.h"
#include "app/cli/workload_modules.h"
#include "engine/autograd/autograd.h"
#include "engine/backend/registry/devices.h"
#include "engine/base/error.h"
#include "engine/base/philox.h"
#include "engine/graph/model.h"
#include "engine/memory/allocator.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/view/view.h"
#include "engine/train/optimizer_plan.h"
#include "engine/train/run_setup.h"

namespace tenon::cli {
namespace {

/// A net to train.
struct Net {
  std::function<Tensor(const Tensor& x)> forward;
  std::vector<OptimizedParameter> parameters;
};

/// Samples of a shape with a class each, or (empty) sequences of tokens with a class a token.
struct Batch {
  Shape sample;
  int64_t size = 0;
  int64_t classes = 0;
  int64_t steps = 0;  ///< above 0: of each sequence
  int64_t count() const { return steps > 0 ? size * steps : size; }
};

template <GraphSpec (*kGraph)()>
Net graphNet(const Batch& batch) {
  GraphContext context;
  context.sample.sizes = {kFreeSize};
  for (int64_t size : batch.sample.span()) context.sample.sizes.push_back(size);
  context.classes = batch.classes;
  const auto model = std::make_shared<Model>(checkGraph(kGraph(), context), 0);
  return {[model](const Tensor& x) { return model->forward(x, true); },
          optimizedParameters(*model)};
}

Net moduleNet(nn::ModulePtr (*make)(const Batch& batch), const Batch& batch) {
  Generator generator;
  const gate::GeneratorGuard seeded(generator);
  const nn::ModulePtr module = make(batch);
  return {[module](const Tensor& x) { return (*module)(x); }, module->parameters()};
}

Net gptNet(const Batch& batch) {
  return moduleNet(
      [](const Batch& b) { return gptModule({.tokens = b.classes, .steps = b.steps}); }, batch);
}
Net lstmNet(const Batch& batch) {
  return moduleNet(
      [](const Batch& b) { return lstmModule({.tokens = b.classes, .steps = b.steps}); }, batch);
}

struct Recipe {
  const char* name;
  Net (*net)(const Batch& batch);
  Batch batch;
  PartSpec optimizer;
};

const std::vector<Recipe>& recipes() {
  static const PartSpec kSgd{"sgd", {{"lr", 0.01}, {"momentum", 0.9}, {"weight_decay", 5e-4}}};
  static const PartSpec kAdamW{"adamw", {{"lr", 3e-4}, {"weight_decay", 0.01}}};
  static const std::vector<Recipe> kAll = {
      {"mlp", &graphNet<&mlpGraph>, {{784}, 128, 10}, kSgd},
      {"tiny-mlp", &graphNet<&tinyMlpGraph>, {{16}, 16, 2}, kSgd},
      {"cnn", &graphNet<&cnnGraph>, {{1, 28, 28}, 128, 10}, kAdamW},
      {"resnet18-cifar", &graphNet<&resnet18CifarGraph>, {{3, 32, 32}, 64, 10}, kSgd},
      {"resnet50", &graphNet<&resnet50Graph>, {{3, 224, 224}, 8, 1000}, kSgd},
      {"gpt-mini", &gptNet, {{}, 16, 512, 128}, kAdamW},
      {"lstm", &lstmNet, {{}, 32, 256, 64}, kAdamW}};
  return kAll;
}

const Recipe& findRecipe(const std::string& name) {
  for (const Recipe& recipe : recipes())
    if (name == recipe.name) return recipe;
  throw Error(Code::Usage, fmt::format("unknown workload '{}': known are {}", name,
                                       fmt::join(workloadNames(), ", ")));
}

philox::Key dataKey() { return philox::makeKey(0, philox::Purpose::Test); }

Tensor normalValues(const Shape& shape) {
  Tensor out = Tensor::empty(shape, DType::F32, {}, memory::Category::Input);
  float* values = out.data<float>();
  for (int64_t i = 0; i < out.numel(); ++i)
    values[i] = philox::normal(dataKey(), 0, static_cast<uint64_t>(i));
  return out;
}

/// Numbers below `classes`. @param call tells two such tensors apart
Tensor classNumbers(int64_t count, int64_t classes, uint64_t call) {
  Tensor out = Tensor::empty({count}, DType::I64, {}, memory::Category::Input);
  int64_t* values = out.data<int64_t>();
  for (int64_t i = 0; i < count; ++i)
    values[i] = static_cast<int64_t>(philox::boundedInt(dataKey(), call, static_cast<uint64_t>(i),
                                                        static_cast<uint64_t>(classes)));
  return out;
}

Tensor inputOf(const Batch& batch) {
  if (batch.steps > 0)
    return reshape(classNumbers(batch.count(), batch.classes, 2), {batch.size, batch.steps});
  Shape shape{batch.size};
  for (int64_t size : batch.sample.span()) shape.push(size);
  return normalValues(shape);
}

}  // namespace

std::vector<std::string> workloadNames() {
  std::vector<std::string> names;
  for (const Recipe& recipe : recipes()) names.emplace_back(recipe.name);
  return names;
}

struct Workload::Impl {
  std::string name;
  int64_t count = 0;
  Net net;
  std::unique_ptr<Optimizer> optimizer;
  Loss loss;
  Tensor x;
  Tensor y;
  double rate = 0;
  std::array<double, 2> losses{};
  uint64_t reorders = 0;
};

Workload::Workload(const std::string& name) : impl_(std::make_unique<Impl>()) {
  const Recipe& recipe = findRecipe(name);
  Impl& m = *impl_;
  backend::allocatorOf(0, 0).resetPeaks();  // what came before is not this workload's
  m.name = name;
  m.count = recipe.batch.count();
  m.net = recipe.net(recipe.batch);
  TrainSpec train;
  train.optimizer = recipe.optimizer;
  m.optimizer = makeOptimizer(optimizerPlan(train, 1), m.net.parameters);
  m.rate = recipe.optimizer.params.getFloat("lr");
  m.loss = makeLoss(train);
  m.x = inputOf(recipe.batch);
  m.y = classNumbers(m.count, recipe.batch.classes, 1);
}

Workload::~Workload() = default;

void Workload::warmUp() {
  impl_->losses[0] = step();
  for (int i = 0; i < 18; ++i) step();
  impl_->losses[1] = step();
}

double Workload::step() {
  Impl& m = *impl_;
  const uint64_t before = gate::threadState().counters.reorders;
  zeroGrad(m.net.parameters);
  const Tensor loss = m.loss(m.net.forward(m.x), m.y);
  autograd::backward(loss);
  m.optimizer->step(m.rate);
  m.reorders = gate::threadState().counters.reorders - before;
  return static_cast<double>(loss.data<float>()[0]);
}

const std::string& Workload::name() const { return impl_->name; }
int64_t Workload::count() const { return impl_->count; }
int64_t Workload::parameters() const {
  int64_t count = 0;
  for (const OptimizedParameter& parameter : impl_->net.parameters)
    count += parameter.tensor.numel();
  return count;
}
const std::array<double, 2>& Workload::losses() const { return impl_->losses; }
int64_t Workload::reorders() const { return static_cast<int64_t>(impl_->reorders); }
int64_t Workload::peakBytes() const {
  return backend::allocatorOf(0, 0).statistics().allocatedBytes[0].peak;
}

}  // namespace tenon::cli
