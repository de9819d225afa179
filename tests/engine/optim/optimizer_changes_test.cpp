// SPDX-License-Identifier: Apache-2.0
// Lines that change the optimizer of a run; and clipping where norms are no numbers.
#include "engine/optim/optimizer_changes.h"

#include <cmath>
#include <limits>

#include "tests/engine/optim/optim_fixture.h"

namespace tenon::test {
namespace {

TEST(OptimizerChanges, ReadsWhenAndWhat) {
  const OptimizerChange epochs = readOptimizerChange("sgd after_epochs=5 lr=0.05 nesterov=true");
  EXPECT_EQ(epochs.def->id, "sgd");
  EXPECT_EQ(epochs.fromStep(12), 60);
  EXPECT_EQ(epochs.params.getFloat("lr"), 0.05);
  EXPECT_TRUE(epochs.params.getBool("nesterov"));
  EXPECT_EQ(epochs.params.getFloat("momentum"), 0.9);  // the optimizer's own default
  EXPECT_FALSE(epochs.params.contains("after_epochs"));
  const OptimizerChange steps = readOptimizerChange("adam  after_steps=7");
  EXPECT_EQ(steps.fromStep(12), 7);
  const OptimizerChange grouped =
      readOptimizerChange(R"(adamw after_steps=7 groups="head.* lr_factor=10")");
  EXPECT_EQ(grouped.params.getStrings("groups"), std::vector<std::string>{"head.* lr_factor=10"});
}

TEST(OptimizerChanges, ARateIsWrittenIntoTheLine) {
  EXPECT_EQ(changeWithRate("sgd lr=0.05 after_epochs=5 nesterov=true", 0.001),
            "sgd lr=0.001 after_epochs=5 nesterov=true");
  const std::string line = changeWithRate(R"(adamw after_steps=7 groups="a.* lr_factor=2")", 0.25);
  EXPECT_EQ(line, R"(adamw after_steps=7 groups="a.* lr_factor=2" lr=0.25)");
  EXPECT_EQ(readOptimizerChange(line).params.getFloat("lr"), 0.25);
}

TEST(OptimizerChanges, RefusalsQuoteTheLine) {
  const auto of = [](const char* line) { return errorOf([&] { readOptimizerChange(line); }); };
  EXPECT_EQ(of("sdg after_epochs=5"),
            "optimizer change: there is no optimizer 'sdg'; did you mean 'sgd'?");
  EXPECT_EQ(of("sgd lr=0.1"),
            "optimizer change: 'sgd lr=0.1' wants either after_epochs or after_steps");
  EXPECT_EQ(of("sgd after_epochs=1 after_steps=2"),
            "optimizer change: 'sgd after_epochs=1 after_steps=2' wants either after_epochs or "
            "after_steps, got both");
  EXPECT_NE(of("sgd 5 lr=0.1").find("wants 'optimizer key=value ...', got '5'"), std::string::npos);
  EXPECT_NE(of("sgd after_epochs=0").find("'after_epochs' expects 1 to"), std::string::npos);
  EXPECT_NE(of("sgd after_steps=1 momentun=0").find("momentum"), std::string::npos);
  EXPECT_NE(of("sgd after_steps=1 lr=-1").find("'lr' expects"), std::string::npos);
  EXPECT_NE(of("").find("empty line"), std::string::npos);
}

/// torch.nn.utils.clip_grad_norm_ multiplies with the clamped factor, whatever it is: NaN stays NaN
/// and makes all gradients NaN; an infinite norm gives the factor 0.
TEST(ClipGradNorm, ANormThatIsNoNumberIsTakenAsPyTorchTakesIt) {
  const auto all = weights(DType::F32);
  setGradients(all, 1);
  autograd::gradOf(all[0].tensor).data<float>()[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(clipGradNorm(all, 1.0)));
  for (const OptimizedParameter& each : all) {
    const Tensor grad = autograd::gradOf(each.tensor);
    if (!grad) continue;
    for (const double value : numbersOf(grad)) EXPECT_TRUE(std::isnan(value)) << each.name;
  }
  setGradients(all, 1);
  autograd::gradOf(all[0].tensor).data<float>()[0] = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(std::isinf(clipGradNorm(all, 1.0)));
  EXPECT_TRUE(std::isnan(numbersOf(autograd::gradOf(all[0].tensor))[0]));
  EXPECT_EQ(numbersOf(autograd::gradOf(all[0].tensor))[1], 0);
  EXPECT_EQ(clipGradNorm({}, 1.0), 0);
}

}  // namespace
}  // namespace tenon::test
