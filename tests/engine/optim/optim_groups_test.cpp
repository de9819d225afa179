// SPDX-License-Identifier: Apache-2.0
// Parameter groups by pattern, and what optimizers refuse.
#include "engine/optim/parameter_groups.h"
#include "engine/schema/validate.h"
#include "tests/engine/optim/optim_fixture.h"

namespace tenon::test {
namespace {

TEST(Groups, PatternsMatchNames) {
  struct Case {
    const char* pattern;
    const char* name;
    bool matches;
  };
  for (const Case& c :
       {Case{"*", "", true}, Case{"*", "a.b", true}, Case{"", "", true}, Case{"", "a", false},
        Case{"*.bias", "conv1.bias", true}, Case{"*.bias", "conv1.bias2", false},
        Case{"bn*.*", "bn12.weight", true}, Case{"bn*.*", "bn12", false}, Case{"a?c", "abc", true},
        Case{"a?c", "ac", false}, Case{"*a*b", "xaab", true}, Case{"*a*b", "xaabc", false},
        Case{"**x**", "x", true}, Case{"*aab", "aaab", true}, Case{"head.*", "head2.x", false}})
    EXPECT_EQ(matchesPattern(c.pattern, c.name), c.matches) << c.pattern << " " << c.name;
}

std::vector<GroupNumbers> numbersOfGroups(const ParamMap& changes) {
  std::vector<OptimizedParameter> all = weights(DType::F32);
  for (OptimizedParameter& parameter : all) parameter.decays = !parameter.name.ends_with("bias");
  return groupNumbers("adamw", changed(findOptimizer("adamw")->schema, changes), all);
}

TEST(Groups, LaterLinesAddToEarlierOnes) {
  const auto numbers = numbersOfGroups(
      {{"weight_decay", 0.3},
       {"groups", std::vector<std::string>{"head.* lr_factor=10 weight_decay=0.5",
                                           "*.bias weight_decay=0", "body.* lr_factor=1/2"}}});
  const std::vector<GroupNumbers> wanted = {{0.5, 0.3}, {0.5, 0}, {10, 0.5}, {10, 0}, {1, 0.3}};
  EXPECT_EQ(numbers, wanted);
}

TEST(Groups, NormsAndBiasesAreLeftOutUnlessALineNamesThem) {
  const auto numbers =
      numbersOfGroups({{"weight_decay", 0.3},
                       {"decay_norm_and_bias", false},
                       {"groups", std::vector<std::string>{"head.bias weight_decay=0.1"}}});
  const std::vector<GroupNumbers> wanted = {{1, 0.3}, {1, 0}, {1, 0.3}, {1, 0.1}, {1, 0.3}};
  EXPECT_EQ(numbers, wanted);
}

TEST(Groups, RefusalsNameLineWantedAndGot) {
  struct Case {
    const char* line;
    std::vector<std::string> words;
  };
  const Case cases[] = {
      {"", {"empty line"}},
      {"haed.* lr_factor=2", {"'haed.*' matches none of the 5 parameters", "e.g. '"}},
      {"head.*", {"'head.*' sets neither lr_factor nor weight_decay"}},
      {"head.* 10", {"pattern key=value", "'10'"}},
      {"head.* lr_faktor=2", {"lr_faktor", "lr_factor"}},
      {"head.* lr_factor=big", {"lr_factor", "big"}},
      {"head.* lr_factor=-1", {"lr_factor", "-1"}},
      {"head.* weight_decay=11", {"weight_decay", "11"}},
      {"head.* lr_factor=1 lr_factor=2", {"says 'lr_factor' twice"}},
  };
  for (const Case& c : cases) {
    const std::string text = errorOf([&] {
      numbersOfGroups({{"groups", std::vector<std::string>{c.line}}});
    });
    EXPECT_EQ(text.rfind("adamw: groups", 0), 0U) << text;
    for (const std::string& word : c.words)
      EXPECT_NE(text.find(word), std::string::npos) << text << " lacks: " << word;
  }
}

TEST(Groups, ARateOfZeroFreezes) {
  const auto all = weights(DType::F32);
  const auto adamw = optimizerOf(
      "adamw", {{"weight_decay", 0.5}, {"groups", std::vector<std::string>{"body.* lr_factor=0"}}},
      all);
  const auto before = all[0].tensor.toBytes();
  const auto head = all[2].tensor.toBytes();
  setGradients(all, 1);
  adamw->step(0.1);
  EXPECT_EQ(all[0].tensor.toBytes(), before);
  EXPECT_NE(all[2].tensor.toBytes(), head);
}

TEST(Optimizers, AllHaveARateADecayAndGroups) {
  ASSERT_EQ(allOptimizers().size(), 11U);
  for (const OptimizerDef* def : allOptimizers()) {
    SCOPED_TRACE(def->id);
    for (const char* name : {"lr", "weight_decay", "decay_norm_and_bias", "groups"})
      EXPECT_NE(def->schema.find(name), nullptr) << name;
    EXPECT_FALSE(def->help.empty());
    for (const ParamSpec& spec : def->schema) EXPECT_FALSE(spec.help.empty()) << spec.name;
  }
}

TEST(Optimizers, RefuseOtherTypesAndWrongNumbers) {
  const std::vector<OptimizedParameter> whole = {{"n", Tensor::zeros({2}, DType::I32)}};
  for (const OptimizerDef* def : allOptimizers()) {
    const std::string text = errorOf([&] { def->make(def->schema.defaults(), whole); });
    EXPECT_EQ(text, def->id + ": parameter 'n' is i32, wanted f32 or f64");
  }
  const auto schemaOf = [](const char* id) { return findOptimizer(id)->schema; };
  EXPECT_NE(errorOf([&] {
              completeParams(schemaOf("lion"), {{"beta2", 1.0}});
            }).find("beta2"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              completeParams(schemaOf("radam"), {{"epsilon", 1e-8}});
            }).find("epsilon"),
            std::string::npos);
  EXPECT_NE(
      errorOf([&] {
        optimizerOf("lamb", {{"lowest_norm", 5.0}, {"highest_norm", 1.0}}, weights(DType::F32));
      }).find("lowest_norm"),
      std::string::npos);
  EXPECT_NE(errorOf([&] { clipGradValue({}, 0.0); }).find("above 0, got 0"), std::string::npos);
}

TEST(Optimizers, LambLeavesZeroWeightsTheirPlainStep) {
  const Tensor p = Tensor::zeros({3});
  autograd::setRequiresGrad(p);
  const auto lamb = optimizerOf("lamb", {{"weight_decay", 0.0}}, {{"b", p}});
  autograd::setGrad(p, Tensor::fromValues(std::vector<float>{1, -2, 0}, {3}));
  lamb->step(0.1);
  EXPECT_NEAR(p.data<float>()[0], -0.1, 1e-5);
  EXPECT_NEAR(p.data<float>()[1], 0.1, 1e-5);
  EXPECT_EQ(p.data<float>()[2], 0.0F);
}

TEST(Optimizers, CenteredRmspropStandsAConstantGradient) {
  const Tensor p = Tensor::full({9}, 1);
  autograd::setRequiresGrad(p);
  const auto rmsprop = optimizerOf("rmsprop", {{"centered", true}, {"alpha", 0.5}}, {{"p", p}});
  for (int t = 0; t < 200; ++t) {
    autograd::setGrad(p, Tensor::full({9}, 0.1));
    rmsprop->step(1e-12);
  }
  for (const float value : p.toVector<float>()) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace tenon::test
