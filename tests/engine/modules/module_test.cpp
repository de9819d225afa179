// SPDX-License-Identifier: Apache-2.0
// The module tree: names, modes, freezing, hooks and scopes. Values by hand unless said otherwise.
#include "engine/modules/module.h"

#include <gtest/gtest.h>

#include "engine/autograd/autograd.h"
#include "engine/modules/layers.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/reduce/reduce.h"
#include "tests/engine/modules/module_fixture.h"

namespace tenon {
namespace {

using nn::Module;
using nn::Tensors;

/// y = scale * x + shift, with a count of its calls that is not saved.
class Affine final : public Module {
 public:
  explicit Affine(double scale)
      : scale_(addParameter("scale", Tensor::full({1}, scale, DType::F64))),
        shift_(addParameter("shift", Tensor::full({1}, 0, DType::F64), false)),
        calls_(addBuffer("calls", Tensor::zeros({1}, DType::F64), false)),
        seen_(addBuffer("seen", Tensor::zeros({1}, DType::F64))) {}

  using Module::addBuffer;
  using Module::addChild;
  using Module::addParameter;

 protected:
  Tensors forward(std::span<const Tensor> in) override {
    addInPlace(calls_, Tensor::full({1}, 1, DType::F64));
    return {add(mul(in[0], scale_), shift_)};
  }

 private:
  Tensor scale_;
  Tensor shift_;
  Tensor calls_;
  Tensor seen_;
};

/// Two of them, one within the other, and one that both share.
class Pair final : public Module {
 public:
  Pair() : first_(addChild("first", std::make_shared<Affine>(2))) {
    addParameter("own", Tensor::full({1}, 1, DType::F64));
    addChild("second", std::make_shared<Affine>(3));
    addChild("again", first_);
  }
  using Module::addChild;

 protected:
  Tensors forward(std::span<const Tensor> in) override {
    return {child("second")((*first_)(in[0]))};
  }

 private:
  std::shared_ptr<Affine> first_;
};

template <class T>
std::vector<std::string> namesOf(const std::vector<T>& list) {
  std::vector<std::string> names;
  for (const T& each : list) names.push_back(each.name);
  return names;
}

Tensor input(double value) {
  const Tensor x = Tensor::full({1}, value, DType::F64);
  autograd::setRequiresGrad(x);
  return x;
}

TEST(Module, PartsHaveFullNames) {
  Pair pair;
  EXPECT_EQ(namesOf(pair.parameters()),
            (std::vector<std::string>{"own", "first.scale", "first.shift", "second.scale",
                                      "second.shift"}));
  EXPECT_EQ(namesOf(pair.buffers()),
            (std::vector<std::string>{"first.calls", "first.seen", "second.calls", "second.seen"}));
  EXPECT_EQ(namesOf(pair.modules()), (std::vector<std::string>{"", "first", "second"}));
  EXPECT_EQ(namesOf(pair.state()),
            (std::vector<std::string>{"own", "first.scale", "first.shift", "first.seen",
                                      "second.scale", "second.shift", "second.seen", "again.scale",
                                      "again.shift", "again.seen"}));
  EXPECT_FALSE(pair.buffers()[0].persistent);
  EXPECT_TRUE(pair.parameters()[1].decays);
  EXPECT_FALSE(pair.parameters()[2].decays);
  EXPECT_EQ(pair(input(5)).toVector<double>(), (std::vector<double>{30}));
  EXPECT_TRUE(hasAll(errorOf([&] { pair.child("secnd"); }),
                     {"no child 'secnd'", "the nearest is 'second'"}));
}

TEST(Module, NamesAreChecked) {
  Affine module(1);
  const Tensor t = Tensor::zeros({1});
  EXPECT_TRUE(hasAll(errorOf([&] { module.addParameter("scale", t); }), {"'scale' already"}));
  EXPECT_TRUE(hasAll(errorOf([&] { module.addBuffer("shift", t); }), {"'shift' already"}));
  EXPECT_TRUE(hasAll(errorOf([&] { module.addParameter("", t); }), {"wants a name"}));
  const auto other = std::make_shared<Affine>(1);
  EXPECT_TRUE(hasAll(errorOf([&] { module.addChild("a.b", other); }), {"no dot", "'a.b'"}));
  EXPECT_TRUE(hasAll(errorOf([&] { module.addChild("calls", other); }), {"'calls' already"}));
  EXPECT_TRUE(hasAll(errorOf([&] { module.addChild("x", std::shared_ptr<Affine>()); }), {"null"}));
  EXPECT_TRUE(
      hasAll(errorOf([&] { module.addParameter("i", Tensor::zeros({1}, DType::I64)); }), {"i64"}));
}

TEST(Module, ModesReachEveryPart) {
  Pair pair;
  EXPECT_TRUE(pair.child("second").training());
  pair.eval();
  EXPECT_FALSE(pair.training());
  EXPECT_FALSE(pair.child("first").training());
  pair.child("first").train();
  EXPECT_FALSE(pair.training());
  EXPECT_TRUE(pair.child("first").training());
}

TEST(Module, ParametersAreFrozenByPattern) {
  Pair pair;
  autograd::backward(pair(input(5)));
  EXPECT_EQ(pair.freeze("*.scale"), (std::vector<std::string>{"first.scale", "second.scale"}));
  for (const OptimizedParameter& each : pair.parameters()) {
    const bool frozen = each.name.ends_with(".scale");
    EXPECT_EQ(each.tensor.requiresGrad(), !frozen) << each.name;
    EXPECT_EQ(autograd::gradOf(each.tensor).defined(), !frozen && each.name != "own") << each.name;
  }
  pair.unfreeze("second.*");
  EXPECT_TRUE(pair.parameters()[3].tensor.requiresGrad());
  EXPECT_FALSE(pair.parameters()[1].tensor.requiresGrad());
  pair.zeroGrad();
  EXPECT_FALSE(autograd::gradOf(pair.parameters()[2].tensor).defined());
  EXPECT_TRUE(hasAll(errorOf([&] { pair.freeze("frist.scale"); }),
                     {"no parameter matches 'frist.scale'", "'first.scale'"}));
}

TEST(Module, ForwardHooksSeeAndReplaceOutputs) {
  Affine module(2);
  std::vector<double> seen;
  const nn::HookId first =
      module.addForwardHook([&](Module& at, std::span<const Tensor> in, const Tensors& out) {
        EXPECT_EQ(&at, &module);
        seen = {in[0].toVector<double>()[0], out[0].toVector<double>()[0]};
        return Tensors{mulScalar(out[0], 10)};
      });
  module.addForwardHook([](Module&, std::span<const Tensor>, const Tensors& out) {
    EXPECT_EQ(out[0].toVector<double>()[0], 60);  // what the one before gave
    return Tensors();
  });
  EXPECT_EQ(module(input(3)).toVector<double>(), (std::vector<double>{60}));
  EXPECT_EQ(seen, (std::vector<double>{3, 6}));
  module.removeHook(first);
  module.removeHook(first + 1);
  EXPECT_EQ(module(input(3)).toVector<double>(), (std::vector<double>{6}));
}

TEST(Module, BackwardHooksSeeAllGradientsAndReplaceThoseOfInputs) {
  // torch 1.13: Linear(3, 2) with weight 1 .. 6 and a full backward hook that gives 10 times the
  // input's gradient, loss y0 - y1 at x = [1, 0, 2].
  const nn::ModulePtr linear = nn::linear(3, 2);
  const auto parameters = linear->parameters();
  {
    const gate::NoGradGuard noGrad;
    copyInPlace(parameters[0].tensor, Tensor::fromValues<float>({1, 2, 3, 4, 5, 6}, {2, 3}));
  }
  std::vector<float> gradInput;
  std::vector<float> gradOutput;
  const nn::HookId id = linear->addBackwardHook(
      [&](Module&, std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
        gradInput = inputs[0].toVector<float>();
        gradOutput = outputs[0].toVector<float>();
        return Tensors{mulScalar(inputs[0], 10)};
      });
  const Tensor x = Tensor::fromValues<float>({1, 0, 2}, {1, 3});
  autograd::setRequiresGrad(x);
  const Tensor signs = Tensor::fromValues<float>({1, -1}, {2});
  autograd::backward(sum(mul((*linear)(x), signs)));
  EXPECT_EQ(gradInput, (std::vector<float>{-3, -3, -3}));
  EXPECT_EQ(gradOutput, (std::vector<float>{1, -1}));
  EXPECT_EQ(autograd::gradOf(x).toVector<float>(), (std::vector<float>{-30, -30, -30}));
  EXPECT_EQ(autograd::gradOf(parameters[0].tensor).toVector<float>(),
            (std::vector<float>{1, 0, 2, -1, 0, -2}));
  linear->removeHook(id);
  gradInput.clear();
  autograd::backward(sum((*linear)(x)));
  EXPECT_TRUE(gradInput.empty());
}

TEST(Module, BackwardHooksRunWithoutInputGradientsToo) {
  Affine module(2);
  int runs = 0;
  module.addBackwardHook(
      [&](Module&, std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
        ++runs;
        EXPECT_FALSE(inputs[0].defined());
        EXPECT_EQ(outputs[0].toVector<double>(), (std::vector<double>{4}));
        return Tensors();
      });
  const Tensor x = Tensor::full({1}, 3, DType::F64);
  autograd::backward(mulScalar(module(x), 4));
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(autograd::gradOf(module.parameters()[0].tensor).toVector<double>(),
            (std::vector<double>{12}));
  EXPECT_FALSE(x.requiresGrad());

  Affine wrong(2);
  wrong.addBackwardHook(
      [](Module&, std::span<const Tensor>, std::span<const Tensor>) { return Tensors(2); });
  EXPECT_TRUE(
      hasAll(errorOf([&] { autograd::backward(wrong(input(1))); }), {"2 gradients for 1 inputs"}));
}

TEST(Module, BackwardHooksKeepNoGraphAlive) {
  nn::Sequential net{nn::linear(3, 4), nn::linear(4, 2)};
  net.child("1").addBackwardHook(
      [](Module&, std::span<const Tensor>, std::span<const Tensor> outputs) -> Tensors {
        EXPECT_FALSE(outputs[0].requiresGrad());
        throw Error(Code::Usage, "the hook has seen enough");
      });
  const Tensor x = Tensor::full({2, 3}, 1);
  const auto gradientOf = [&](size_t parameter) {
    const Tensor y = net(x);
    const Tensor loss = sum(mul(y, y));
    const Tensor weight = net.parameters()[parameter].tensor;
    return autograd::grad({&loss, 1}, {&weight, 1}, {}, {.createGraph = true})[0];
  };
  const int64_t before = autograd::liveNodes();
  // The second module's own weight needs no gradient of its input: the hook does not run.
  EXPECT_TRUE(gradientOf(2).requiresGrad());
  EXPECT_EQ(autograd::liveNodes(), before);
  EXPECT_TRUE(hasAll(errorOf([&] { gradientOf(0); }), {"the hook has seen enough"}));
  EXPECT_EQ(autograd::liveNodes(), before);
}

TEST(Module, SecondDerivativesGoThroughHookedModules) {
  Affine module(3);
  module.addBackwardHook([](Module&, std::span<const Tensor> inputs, std::span<const Tensor>) {
    return Tensors(inputs.begin(), inputs.end());
  });
  const Tensor x = input(2);
  const Tensor y = module(mul(x, x));
  const Tensor first = autograd::grad({&y, 1}, {&x, 1}, {}, {false, true, false})[0];
  EXPECT_EQ(first.toVector<double>(), (std::vector<double>{12}));  // 2 x * scale
  EXPECT_EQ(autograd::grad({&first, 1}, {&x, 1})[0].toVector<double>(), (std::vector<double>{6}));
}

/// As docs/engine.md shows it.
class Residual final : public nn::Module {
 public:
  explicit Residual(int64_t size)
      : norm_(addChild("norm", nn::layerNorm(size))),
        linear_(addChild("linear", nn::linear(size, size))) {}

 protected:
  nn::Tensors forward(std::span<const Tensor> in) override {
    return {add(in[0], relu((*linear_)((*norm_)(in[0]))))};
  }

 private:
  nn::ModulePtr norm_;
  nn::ModulePtr linear_;
};

TEST(Module, ClassesOfOnesOwnComposeModules) {
  Residual block(2);
  EXPECT_EQ(namesOf(block.parameters()),
            (std::vector<std::string>{"norm.weight", "norm.bias", "linear.weight", "linear.bias"}));
  {
    const gate::NoGradGuard noGrad;
    copyInPlace(block.parameters()[2].tensor, Tensor::fromValues<float>({1, 0, 0, 1}, {2, 2}));
    fillInPlace(block.parameters()[3].tensor, 0);
  }
  // Normalized to -1 and 1 (up to eps), of which the second passes.
  const std::vector<float> y = block(Tensor::fromValues<float>({2, 4}, {1, 2})).toVector<float>();
  EXPECT_EQ(y[0], 2);
  EXPECT_NEAR(y[1], 5, 1e-4);
}

TEST(Module, ScopesAndErrorsCarryTheNames) {
  struct Layers final : gate::Listener {
    std::vector<std::string> seen;
    void onCall(const gate::CallInfo& info) override {
      if (std::string(info.op.id) == "mul")
        seen.emplace_back(memory::nameText(memory::currentScope().layer));
    }
  } layers;
  class Outer final : public Module {
   public:
    std::shared_ptr<Pair> block = addChild("block", std::make_shared<Pair>());

   protected:
    Tensors forward(std::span<const Tensor> in) override { return {(*block)(in[0])}; }
  } outer;
  {
    const gate::ListenerGuard listening(layers);
    outer(input(1));
    (*outer.block)(input(1));  // by itself, under the name that it has in its parent
  }
  EXPECT_EQ(layers.seen, (std::vector<std::string>{"block.first", "block.second", "block.first",
                                                   "block.second"}));
  const nn::ModulePtr net = std::make_shared<nn::Sequential>(
      std::initializer_list<nn::ModulePtr>{nn::linear(3, 2), nn::linear(4, 2)});
  EXPECT_TRUE(hasAll(errorOf([&] {
                       (*net)(Tensor::zeros({5, 3}));
                     }),
                     {"module '1': layer 'linear'"}));
}

}  // namespace
}  // namespace tenon
