// SPDX-License-Identifier: Apache-2.0
// Activation checkpointing: equal gradients, less memory, and what is refused.
#include "engine/autograd/checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/autograd/gradcheck.h"
#include "engine/memory/cpu_allocator.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/dropout/dropout.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "tests/engine/autograd/autograd_fixture.h"

namespace tenon {
namespace {

using autograd::backward;
using autograd::checkpoint;
using autograd::checkpointSequential;
using Tensors = std::vector<Tensor>;
using Step = std::function<Tensor(const Tensor&)>;

Tensor checkpointed(const Step& step, const Tensor& x, autograd::CheckpointOptions options = {}) {
  return checkpoint([step](std::span<const Tensor> in) { return Tensors{step(in[0])}; }, {&x, 1},
                    options)[0];
}

std::vector<double> gradientOf(const Step& step) {
  const Tensor x = leaf(std::vector<double>(1000, 0.5), {1000});
  Generator generator{.seed = 7};
  const gate::GeneratorGuard random(generator);
  const Tensor loss = sum(step(x));
  const uint64_t drawn = generator.calls;
  backward(loss);
  EXPECT_EQ(generator.calls, drawn);
  return gradient(x);
}

Tensor dropped(const Tensor& x) { return exp(dropout(mul(x, x), 0.5, true)); }

TEST(Checkpoint, DropoutMasksAreTheSame) {
  const std::vector<double> plain = gradientOf(&dropped);
  EXPECT_EQ(gradientOf([](const Tensor& x) { return checkpointed(&dropped, x); }), plain);
  // Where an element is kept exp(2 * 0.25) * 2 * 2 * 0.5.
  const auto zeros = std::count(plain.begin(), plain.end(), 0.0);
  const auto kept = std::count_if(plain.begin(), plain.end(), [](double gradient) {
    return std::abs(gradient - std::exp(0.5) * 2) < 1e-12;
  });
  EXPECT_EQ(zeros + kept, 1000);
  EXPECT_GT(std::min(zeros, kept), 400);
}

TEST(Checkpoint, RandomStateIsKeptOnRequestOnly) {
  const Tensor x = leaf(std::vector<double>(1000, 0.5), {1000});
  Generator generator{.seed = 7};
  const gate::GeneratorGuard random(generator);
  const Tensor y = checkpointed(&dropped, x, {.keepRandomState = false});
  backward(sum(y));
  EXPECT_EQ(generator.calls, 2u);  // the second mask is a new one
  size_t wrong = 0;                // kept in one pass, dropped in the other
  const std::vector<double> values = y.toVector<double>();
  for (size_t i = 0; i < values.size(); ++i) wrong += (values[i] == 1) != (gradient(x)[i] == 0);
  EXPECT_GT(wrong, 400u);
  EXPECT_LT(wrong, 600u);
}

/// Most bytes alive beyond those at the start.
template <class F>
int64_t peakOf(F&& call) {
  memory::CachingAllocator& allocator = memory::cpuAllocator();
  const auto before = static_cast<int64_t>(allocator.allocatedBytes());
  allocator.resetPeaks();
  call();
  return allocator.statistics().allocatedBytes[0].peak - before;
}

TEST(Checkpoint, MemoryFalls) {
  constexpr int kLayers = 64;
  constexpr int64_t kValues = 1 << 15;
  constexpr int64_t kBytes = kValues * 8;
  const std::vector<Step> chain(kLayers, [](const Tensor& x) { return tanh(x); });
  const std::vector<double> start(kValues, 0.5);
  std::vector<double> gradients[2];
  int64_t peaks[2];
  for (const bool save : {false, true}) {
    const Tensor x = leaf(start, {kValues});
    peaks[save] = peakOf([&] { backward(sum(checkpointSequential(chain, save ? 8 : 1, x))); });
    gradients[save] = gradient(x);
  }
  EXPECT_EQ(gradients[0], gradients[1]);
  // Plain: the output of every layer. In 8 parts: the inputs of 7 parts and the outputs of one,
  // with the gradient and what is being computed.
  EXPECT_GE(peaks[0], kLayers * kBytes);
  EXPECT_LE(peaks[1], (7 + 8 + 5) * kBytes);
}

TEST(Checkpoint, StopsWhereAllIsThere) {
  const Tensor x = leaf(2);
  int ended = 0;
  const Tensor y = checkpointed(
      [&](const Tensor& in) {
        const Tensor out = add(exp(in), in);  // adding saves nothing
        ++ended;
        return out;
      },
      x);
  backward(sum(y));
  EXPECT_EQ(ended, 1);
  EXPECT_NEAR(gradient(x)[0], std::exp(2.0) + 1, 1e-13);
}

TEST(Checkpoint, NestsAndRecomputesEachPartOnce) {
  const Tensor x = leaf(0.5);
  int outer = 0;
  int inner = 0;
  const Step innerStep = [&](const Tensor& in) {
    ++inner;
    return tanh(exp(in));
  };
  const Step outerStep = [&](const Tensor& in) {
    ++outer;
    const Tensor middle = checkpointed(innerStep, exp(in));
    return mul(middle, middle);
  };
  backward(sum(checkpointed(outerStep, x)));
  EXPECT_EQ(outer, 2);
  EXPECT_EQ(inner, 3);  // forward, within the outer recomputation, and its own
  const Tensor plain = leaf(0.5);
  const Tensor middle = tanh(exp(exp(plain)));
  backward(sum(mul(middle, middle)));
  EXPECT_EQ(gradient(x), gradient(plain));
}

TEST(Checkpoint, WorksInRetainedGraphsAndWithGrad) {
  const Tensor x = leaf(3);
  int runs = 0;
  const Tensor y = checkpointed(
      [&](const Tensor& in) {
        ++runs;
        return mul(mul(in, in), in);
      },
      x);
  backward(y, {}, {true, false});
  backward(y, {}, {true, false});
  EXPECT_EQ(gradient(x), (std::vector<double>{54}));
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(autograd::grad({&y, 1}, {&x, 1})[0].toVector<double>(), (std::vector<double>{27}));
  EXPECT_TRUE(hasAll(errorOf([&] { backward(y); }), {"a second time"}));
}

TEST(Checkpoint, GradientsOfEveryOrder) {
  const std::vector<Tensor> inputs = {leaf({0.3, -0.7, 1.1}, {3}), leaf({0.5, 0.2, -0.4}, {3})};
  const autograd::CheckedFunction f = [](std::span<const Tensor> at) {
    return checkpoint(
        [](std::span<const Tensor> in) {
          return Tensors{mul(tanh(mul(in[0], in[1])), exp(in[0])), sigmoid(in[1])};
        },
        at);
  };
  const auto first = autograd::gradcheck(f, inputs);
  EXPECT_TRUE(first.ok) << first.text;
  const auto second = autograd::gradgradcheck(f, inputs);
  EXPECT_TRUE(second.ok) << second.text;
}

TEST(Checkpoint, OtherShapesAndTypesAreRefused) {
  const auto secondTime = [](const Step& again) {
    const Tensor x = leaf({1, 2, 3}, {3});
    int runs = 0;
    const Tensor y =
        checkpointed([&](const Tensor& in) { return runs++ == 0 ? exp(in) : again(in); }, x);
    return errorOf([&] { backward(sum(y)); });
  };
  const std::string shape = secondTime([](const Tensor& x) { return tanh(slice(x, 0, 0, 2)); });
  EXPECT_TRUE(hasAll(shape, {"checkpoint: saved tensor 0 is f64 [2] cpu ('tanh') in the "
                             "recomputation, but was f64 [3] cpu ('exp')"}))
      << shape;
  const std::string type = secondTime([](const Tensor& x) { return exp(cast(x, DType::F32)); });
  EXPECT_TRUE(hasAll(type, {"is f32 [3] cpu ('exp')", "was f64 [3] cpu ('exp')"})) << type;
  const std::string fewer = secondTime([](const Tensor& x) { return x; });
  EXPECT_TRUE(hasAll(fewer, {"the recomputation saved 0 tensors, the forward pass 1"})) << fewer;
}

TEST(Checkpoint, InputsChangedInPlaceAreFound) {
  const Tensor x = leaf(2);
  const Tensor middle = mulScalar(x, 3);
  const Tensor y = checkpointed([](const Tensor& in) { return exp(in); }, middle);
  addInPlace(middle, Tensor::full({1}, 1, DType::F64));
  const std::string text = errorOf([&] { backward(sum(y)); });
  EXPECT_TRUE(hasAll(text, {"input 0 of 'checkpoint' was changed in place"})) << text;
}

TEST(Checkpoint, InputsGoThroughHooksOutside) {
  const Tensor x = leaf(2);
  int packed = 0;
  Tensor y;
  {
    const autograd::SavedTensorHooksGuard guard(
        {[&](const Tensor& tensor) {
           ++packed;
           return std::any(clone(tensor));
         },
         [](const std::any& kept) { return std::any_cast<Tensor>(kept); }});
    y = checkpointed([](const Tensor& in) { return exp(exp(in)); }, x);
  }
  EXPECT_EQ(packed, 1);  // the input, but no activation
  backward(y);
  EXPECT_NEAR(gradient(x)[0], std::exp(std::exp(2.0)) * std::exp(2.0), 1e-9);
}

TEST(Checkpoint, CallsAreOfTheSameLayerAgain) {
  struct Layers final : gate::Listener {
    std::vector<std::string> seen;
    void onCall(const gate::CallInfo& info) override {
      if (std::string(info.op.id) == "exp")
        seen.emplace_back(memory::nameText(memory::currentScope().layer));
    }
  } layers;
  const gate::ListenerGuard listening(layers);
  memory::Scope scope = memory::currentScope();
  scope.layer = memory::internName("block");
  const memory::ScopeGuard scoped(scope);
  const Tensor x = leaf(2);
  const Tensor y = checkpointed(
      [](const Tensor& in) {
        memory::Scope inside = memory::currentScope();
        inside.layer = memory::internName(std::string(memory::nameText(inside.layer)) + ".fc");
        const memory::ScopeGuard here(inside);
        return exp(exp(in));
      },
      x);
  backward(y);
  // Two in forward and one again: the recomputation stops while the second one is recorded.
  EXPECT_EQ(layers.seen, (std::vector<std::string>(3, "block.fc")));
}

TEST(Checkpoint, WithoutGradientsNothingIsKept) {
  const Tensor x = leaf(2);
  const auto captured = std::make_shared<int>(0);
  const Step step = [captured](const Tensor& in) { return exp(in); };
  const auto once = captured.use_count();
  Tensor y = checkpointed(step, x);
  EXPECT_GT(captured.use_count(), once);  // the function waits for the backward pass
  const gate::NoGradGuard noGrad;
  y = checkpointed(step, x);
  EXPECT_EQ(captured.use_count(), once);
  EXPECT_NEAR(y.toVector<double>()[0], std::exp(2.0), 1e-14);
}

TEST(Checkpoint, SequentialIsCutAsAsked) {
  const Tensor x = leaf(0.1);
  const std::vector<Step> chain(5, [](const Tensor& in) { return exp(in); });
  EXPECT_TRUE(hasAll(errorOf([&] { checkpointSequential(chain, 0, x); }),
                     {"5 functions can't be cut into 0 segments"}));
  EXPECT_TRUE(hasAll(errorOf([&] { checkpointSequential(chain, 6, x); }), {"into 6 segments"}));
  const Tensor plain = leaf(0.1);
  Tensor y = plain;
  for (const Step& step : chain) y = step(y);
  backward(y);
  backward(checkpointSequential(chain, 2, x));
  EXPECT_EQ(gradient(x), gradient(plain));
}

TEST(Checkpoint, AChainOfThemNeedsNoDeepStack) {
  const Tensor x = leaf(1);
  const Tensor one = Tensor::full({1}, 1.0, DType::F64);
  const Step step = [&](const Tensor& in) { return mul(in, one); };
  Tensor y = x;
  for (int i = 0; i < 20000; ++i) y = checkpointed(step, y);
  backward(y);
  EXPECT_EQ(gradient(x), (std::vector<double>{1}));
  Tensor again = x;
  for (int i = 0; i < 20000; ++i) again = checkpointed(step, again);
  again = Tensor();  // freed without backward
}

}  // namespace
}  // namespace tenon
