// SPDX-License-Identifier: Apache-2.0
// Every loss that a project can choose: its value and gradient are PyTorch's (losses.json), and
// what it refuses is told with what it wants and what it got.
#include <gtest/gtest.h>

#include <set>

#include "engine/autograd/autograd.h"
#include "engine/layers/layer_def.h"
#include "engine/metrics/loss_def.h"
#include "engine/schema/validate.h"
#include "tests/support/error_text.h"
#include "tests/support/loss_cases.h"

namespace tenon::testing {
namespace {

Loss lossOf(const std::string& id, const ParamMap& settings, const LossFacts& facts = {}) {
  const LossDef* def = findLoss(id);
  return def->make(completeParams(def->schema, settings), facts);
}

std::vector<double> numbersIn(const Json& list) {
  std::vector<double> out;
  out.reserve(list.items().size());
  for (const Json& item : list.items()) out.push_back(item.asDouble());
  return out;
}

Tensor targetsIn(const Json& list) {
  std::vector<int64_t> out;
  out.reserve(list.items().size());
  for (const Json& item : list.items()) out.push_back(item.asInt());
  return Tensor::fromValues(out, {static_cast<int64_t>(out.size())});
}

TEST(Losses, ValuesAndGradientsArePyTorchs) {
  std::set<std::string> seen;
  const Json cases = lossCases();
  for (const Json& each : cases.find("values")->items()) {
    const std::string id = each.find("loss")->asString();
    SCOPED_TRACE(id + " " + writeJson(*each.find("settings"), JsonStyle::OneLine));
    seen.insert(id);
    const int64_t columns = each.find("columns")->asInt();
    const Tensor targets = targetsIn(*each.find("targets"));
    const Tensor output =
        Tensor::fromValues(numbersIn(*each.find("output")), {targets.size(0), columns});
    autograd::setRequiresGrad(output);
    const Tensor value = lossOf(id, settingsOf(each))(output, targets);
    ASSERT_EQ(value.numel(), 1);
    EXPECT_NEAR(value.data<double>()[0], each.find("value")->asDouble(), 1e-12);
    autograd::backward(value);
    const std::vector<double> got = autograd::gradOf(output).toVector<double>();
    const std::vector<double> wanted = numbersIn(*each.find("gradient"));
    ASSERT_EQ(got.size(), wanted.size());
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-12) << i;
  }
  for (const LossDef* def : allLosses()) EXPECT_TRUE(seen.contains(def->id)) << def->id;
  EXPECT_GE(allLosses().size(), 13U);
}

/// Two batches told apart by weights are one batch of both: of means and of sums.
TEST(Losses, BatchesWeighWhatTheirMeansAreDividedBy) {
  const Tensor all =
      Tensor::fromValues<double>({0.5, -1, 2, 0.25, 1, -2, 0, 3, -0.5, 1.5, 0.75, -0.125}, {4, 3});
  const std::vector<int64_t> targets = {2, 0, 1, 2};
  const auto part = [](const Tensor& x, int64_t first, int64_t rows) {
    const std::vector<double> values = x.toVector<double>();
    return Tensor::fromValues(
        std::vector<double>(values.begin() + first * 3, values.begin() + (first + rows) * 3),
        {rows, 3});
  };
  const auto some = [&](size_t first, size_t rows) {
    return Tensor::fromValues(
        std::vector<int64_t>(targets.begin() + static_cast<ptrdiff_t>(first),
                             targets.begin() + static_cast<ptrdiff_t>(first + rows)),
        {static_cast<int64_t>(rows)});
  };
  const std::vector<ParamMap> settings = {
      {},
      {{"class_weights", std::vector<double>{0.5, 2, 1.25}}},
      {{"ignore_index", int64_t{0}}},
      {{"class_weights", std::vector<double>{0.5, 2, 1.25}}, {"ignore_index", int64_t{2}}},
      {{"reduction", std::string("sum")}}};
  for (const ParamMap& each : settings) {
    SCOPED_TRACE(canonicalJson(each));
    const Loss loss = lossOf("cross_entropy", each);
    double sum = 0;
    double weight = 0;
    for (const size_t first : {size_t{0}, size_t{1}}) {
      const size_t rows = first == 0 ? 1 : 3;
      const Tensor of = some(first, rows);
      const double counts = loss.weightOf(of);
      weight += counts;
      if (counts == 0) continue;  // the first target is ignored: 0 / 0 in PyTorch
      const Tensor x = part(all, static_cast<int64_t>(first), static_cast<int64_t>(rows));
      sum += loss.total(loss(x, of).data<double>()[0], counts);
    }
    const Tensor of = some(0, 4);
    EXPECT_DOUBLE_EQ(loss.weightOf(of), weight);
    EXPECT_NEAR(sum / weight, loss.total(loss(all, of).data<double>()[0], weight) / weight, 1e-14);
  }
}

TEST(Losses, NothingCountsWhereAllIsIgnoredOrWeighsNothing) {
  const Tensor targets = Tensor::fromValues<int64_t>({1, 1, -100}, {3});
  EXPECT_EQ(lossOf("cross_entropy", {{"ignore_index", int64_t{1}}}).weightOf(targets), 1);
  EXPECT_EQ(lossOf("cross_entropy", {}).weightOf(targets), 2);
  EXPECT_EQ(lossOf("nll", {{"class_weights", std::vector<double>{1, 0}}}).weightOf(targets), 0);
  const Tensor ignored = Tensor::fromValues<int64_t>({-100, -100}, {2});
  EXPECT_EQ(lossOf("nll", {{"reduction", std::string("sum")}}).weightOf(ignored), 0);
  EXPECT_EQ(lossOf("mse", {}).weightOf(targets), 3);
}

TEST(Losses, ATargetOutsideTheClassesIsRefusedByEach) {
  const Tensor targets = Tensor::fromValues<int64_t>({0, 7}, {2});
  for (const LossDef* def : allLosses()) {
    SCOPED_TRACE(def->id);
    const Loss loss = lossOf(def->id, {});
    EXPECT_GT(loss.weightOf(targets), 0);
    const std::string text = errorOf([&] {
      loss(Tensor::full({2, 3}, 0.25, DType::F32), targets);
    });
    EXPECT_NE(text.find('7'), std::string::npos) << text;
  }
}

TEST(Losses, ListsThatDoNotFitAreRefused) {
  const auto weights = [](const std::string& id, std::vector<double> values, LossFacts facts) {
    const char* name = id == "bce_with_logits" ? "positive_weight" : "class_weights";
    return errorOf([&] { lossOf(id, {{name, std::move(values)}}, facts); });
  };
  for (const std::string id : {"cross_entropy", "nll", "multi_margin"}) {
    EXPECT_EQ(weights(id, {1, 2}, {3, 0}),
              id + ": class_weights wants 3 numbers, one a class; there are 2");
    EXPECT_TRUE(hasAll(weights(id, {0, 0, 0}, {3, 0}), {id, "class_weights are 0"}));
    EXPECT_EQ(weights(id, {0, 0, 1}, {3, 0}), "no error");
    EXPECT_EQ(weights(id, {1, 2}, {}), "no error");  // the classes are not known
  }
  EXPECT_TRUE(hasAll(
      errorOf([] {
        lossOf("nll", {{"class_weights", std::vector<double>{0, 1}}, {"ignore_index", int64_t{1}}});
      }),
      {"class_weights are 0"}));
  EXPECT_EQ(weights("bce_with_logits", {1, 2}, {3, 3}),
            "bce_with_logits: positive_weight wants one number or 3, one a class; there are 2");
  EXPECT_EQ(weights("bce_with_logits", {1, 2}, {2, 1}),
            "bce_with_logits: positive_weight wants one number; there are 2");
  EXPECT_EQ(weights("bce_with_logits", {2}, {2, 1}), "no error");
  EXPECT_TRUE(hasAll(weights("bce_with_logits", {0}, {2, 1}), {"positive_weight is 0"}));
}

TEST(Losses, EachSaysHowItsOutputIsRead) {
  for (const LossDef* def : allLosses()) {
    SCOPED_TRACE(def->id);
    EXPECT_TRUE(def->wantsClasses);
    EXPECT_FALSE(def->help.empty());
    for (const auto* layers : {&def->lastLayers, &def->wrongLastLayers})
      for (const std::string& id : *layers) EXPECT_NE(findLayer(id), nullptr) << id;
    const bool probabilities = def->reading == OutputReading::Probabilities ||
                               def->reading == OutputReading::LogProbabilities;
    EXPECT_EQ(!def->lastLayers.empty(), probabilities);
  }
}

}  // namespace
}  // namespace tenon::testing
