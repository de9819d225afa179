// SPDX-License-Identifier: Apache-2.0
// The workloads as graphs of layers, built like any project's model.
#include "app/cli/workloads.h"

#include <fmt/format.h>

#include "engine/autograd/autograd.h"
#include "engine/backend/registry/devices.h"
#include "engine/base/error.h"
#include "engine/base/philox.h"
#include "engine/graph/model.h"
#include "engine/memory/allocator.h"
#include "engine/train/optimizer_plan.h"
#include "engine/train/run_setup.h"

namespace tenon::cli {
namespace {

/// Nodes one after the other.
class Chain {
 public:
  Chain() { add("input", {}); }
  Chain& add(const std::string& type, const ParamMap& params) {
    const std::string id = fmt::format("{}{}", type, graph_.nodes.size());
    if (!graph_.nodes.empty()) graph_.edges.push_back({graph_.nodes.back()->id, "", id, ""});
    graph_.nodes.push_back(std::make_shared<NodeSpec>(NodeSpec{id, type, params}));
    return *this;
  }
  Chain& linear(int64_t out) { return add("linear", {{"out_features", out}}); }
  Chain& relu() { return add("relu", {}); }
  Chain& convBlock(int64_t out) {
    add("conv2d", {{"out_channels", out}, {"padding", std::vector<int64_t>{1, 1}}});
    return add("batch_norm2d", {}).relu();
  }
  GraphSpec end() {
    add("output", {});
    return graph_;
  }

 private:
  GraphSpec graph_;
};

struct Recipe {
  const char* name;
  GraphSpec (*graph)();
  Shape sample;
  int64_t batch;
  int64_t classes;
  PartSpec optimizer;
};

GraphSpec mlp() { return Chain().linear(512).relu().linear(512).relu().linear(10).end(); }
GraphSpec tinyMlp() { return Chain().linear(32).relu().linear(32).relu().linear(2).end(); }
GraphSpec cnn() {
  Chain chain;
  chain.convBlock(32).convBlock(32).add("max_pool2d", {});
  chain.convBlock(64).convBlock(64).add("max_pool2d", {});
  return chain.add("flatten", {}).linear(128).relu().linear(10).end();
}

const std::vector<Recipe>& recipes() {
  static const PartSpec kSgd{"sgd", {{"lr", 0.01}, {"momentum", 0.9}, {"weight_decay", 5e-4}}};
  static const PartSpec kAdamW{"adamw", {{"lr", 3e-4}, {"weight_decay", 0.01}}};
  static const std::vector<Recipe> kAll = {{"mlp", &mlp, {784}, 128, 10, kSgd},
                                           {"tiny-mlp", &tinyMlp, {16}, 16, 2, kSgd},
                                           {"cnn", &cnn, {1, 28, 28}, 128, 10, kAdamW}};
  return kAll;
}

const Recipe& findRecipe(const std::string& name) {
  std::string known;
  for (const Recipe& recipe : recipes()) {
    if (name == recipe.name) return recipe;
    known += (known.empty() ? "" : ", ") + std::string(recipe.name);
  }
  throw Error(Code::Usage, fmt::format("unknown workload '{}': known are {}", name, known));
}

Tensor normalValues(const Shape& shape) {
  Tensor out = Tensor::empty(shape, DType::F32, {}, memory::Category::Input);
  const philox::Key key = philox::makeKey(0, philox::Purpose::Test);
  for (int64_t i = 0; i < out.numel(); ++i)
    out.data<float>()[i] = philox::normal(key, 0, static_cast<uint64_t>(i));
  return out;
}

Tensor classNumbers(int64_t count, int64_t classes) {
  Tensor out = Tensor::empty({count}, DType::I64, {}, memory::Category::Input);
  const philox::Key key = philox::makeKey(0, philox::Purpose::Test);
  for (int64_t i = 0; i < count; ++i)
    out.data<int64_t>()[i] = static_cast<int64_t>(
        philox::boundedInt(key, 1, static_cast<uint64_t>(i), static_cast<uint64_t>(classes)));
  return out;
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
  std::unique_ptr<Model> model;
  std::vector<OptimizedParameter> parameters;
  std::unique_ptr<Optimizer> optimizer;
  Loss loss;
  Tensor x;
  Tensor y;
  double rate = 0;
  std::array<double, 2> losses{};
};

Workload::Workload(const std::string& name) : impl_(std::make_unique<Impl>()) {
  const Recipe& recipe = findRecipe(name);
  Impl& m = *impl_;
  backend::allocatorOf(0, 0).resetPeaks();  // what came before is not this workload's
  m.name = name;
  m.count = recipe.batch;
  GraphContext context;
  context.sample.sizes = {kFreeSize};
  for (int64_t size : recipe.sample.span()) context.sample.sizes.push_back(size);
  context.classes = recipe.classes;
  m.model = std::make_unique<Model>(checkGraph(recipe.graph(), context), 0);
  m.parameters = optimizedParameters(*m.model);
  TrainSpec train;
  train.optimizer = recipe.optimizer;
  m.optimizer = makeOptimizer(optimizerPlan(train, 1), m.parameters);
  m.rate = recipe.optimizer.params.getFloat("lr");
  m.loss = makeLoss(train);
  Shape shape{recipe.batch};
  for (int64_t size : recipe.sample.span()) shape.push(size);
  m.x = normalValues(shape);
  m.y = classNumbers(recipe.batch, recipe.classes);
  m.losses[0] = step();
  for (int i = 0; i < 18; ++i) step();
  m.losses[1] = step();
}

Workload::~Workload() = default;

double Workload::step() {
  Impl& m = *impl_;
  zeroGrad(m.parameters);
  const Tensor loss = m.loss(m.model->forward(m.x, true), m.y);
  autograd::backward(loss);
  m.optimizer->step(m.rate);
  return static_cast<double>(loss.data<float>()[0]);
}

const std::string& Workload::name() const { return impl_->name; }
int64_t Workload::count() const { return impl_->count; }
const std::array<double, 2>& Workload::losses() const { return impl_->losses; }
int64_t Workload::peakBytes() const {
  return backend::allocatorOf(0, 0).statistics().allocatedBytes[0].peak;
}

}  // namespace tenon::cli
