// SPDX-License-Identifier: Apache-2.0
// Outputs as predictions and accuracy read them: each reading, several columns and a single one.
#include "engine/metrics/output_reading.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/metrics/metric_def.h"

namespace tenon {
namespace {

using Values = std::vector<float>;

Tensor table(const Values& values, int64_t columns) {
  return Tensor::fromValues(values, {static_cast<int64_t>(values.size()) / columns, columns});
}

void expectNear(const Tensor& got, const Values& wanted, int64_t columns) {
  ASSERT_EQ(got.size(1), columns);
  const Values values = got.toVector<float>();
  ASSERT_EQ(values.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(values[i], wanted[i], 1e-6F) << i;
}

double accuracyOf(const Tensor& output, const std::vector<int64_t>& targets,
                  const OutputMeaning& meaning) {
  const auto metric = findMetric("accuracy")->make(meaning);
  metric->reset();
  metric->add(output, Tensor::fromValues(targets, {static_cast<int64_t>(targets.size())}));
  return metric->value();
}

TEST(OutputReading, ColumnsBecomeProbabilities) {
  const auto ln = [](double p) { return static_cast<float>(std::log(p)); };
  expectNear(
      classValues(table({ln(1), ln(3), ln(4), ln(2), ln(2), ln(4)}, 3), OutputReading::Logits),
      {0.125F, 0.375F, 0.5F, 0.25F, 0.25F, 0.5F}, 3);
  expectNear(classValues(table({ln(3), 0, -ln(3)}, 3), OutputReading::BinaryLogits),
             {0.75F, 0.5F, 0.25F}, 3);
  expectNear(classValues(table({ln(0.75), ln(0.25)}, 2), OutputReading::LogProbabilities),
             {0.75F, 0.25F}, 2);
  for (const OutputReading as :
       {OutputReading::Probabilities, OutputReading::Estimates, OutputReading::Scores})
    expectNear(classValues(table({0.75F, -0.5F, 1.25F}, 3), as), {0.75F, -0.5F, 1.25F}, 3);
}

TEST(OutputReading, ASingleColumnBecomesTwo) {
  const auto ln3 = static_cast<float>(std::log(3));
  for (const OutputReading logits : {OutputReading::Logits, OutputReading::BinaryLogits})
    expectNear(classValues(table({ln3, -ln3}, 1), logits), {0.25F, 0.75F, 0.75F, 0.25F}, 2);
  for (const OutputReading as : {OutputReading::Probabilities, OutputReading::Estimates})
    expectNear(classValues(table({0.75F, 0.125F}, 1), as), {0.25F, 0.75F, 0.875F, 0.125F}, 2);
  expectNear(classValues(table({3, -2}, 1), OutputReading::Scores), {-3, 3, 2, -2}, 2);
}

TEST(OutputReading, WhichValuesAreProbabilities) {
  EXPECT_TRUE(givesProbabilities(OutputReading::Logits));
  EXPECT_TRUE(givesProbabilities(OutputReading::BinaryLogits));
  EXPECT_TRUE(givesProbabilities(OutputReading::LogProbabilities));
  EXPECT_TRUE(givesProbabilities(OutputReading::Probabilities));
  EXPECT_FALSE(givesProbabilities(OutputReading::Estimates));
  EXPECT_FALSE(givesProbabilities(OutputReading::Scores));
}

TEST(OutputReading, AccuracyOfColumnsIsTheLargest) {
  const Tensor output = table({1, 3, 2, -1, -2, -3, 5, 4, 9}, 3);
  for (const OutputReading as :
       {OutputReading::Logits, OutputReading::LogProbabilities, OutputReading::Scores})
    EXPECT_DOUBLE_EQ(accuracyOf(output, {1, 0, 0}, {as, {}}), 200.0 / 3);
}

TEST(OutputReading, AccuracyOfASingleColumnGoesByTheThreshold) {
  const Tensor output = table({0.75F, 0.25F, -0.25F, 0.5625F}, 1);
  const std::vector<int64_t> aboveHalf = {1, 0, 0, 1};
  const std::vector<int64_t> aboveZero = {1, 1, 0, 1};
  for (const OutputReading as : {OutputReading::Probabilities, OutputReading::Estimates}) {
    EXPECT_DOUBLE_EQ(accuracyOf(output, aboveHalf, {as, {}}), 100);
    EXPECT_DOUBLE_EQ(accuracyOf(output, aboveZero, {as, {}}), 75);
  }
  for (const OutputReading as :
       {OutputReading::Logits, OutputReading::BinaryLogits, OutputReading::Scores}) {
    EXPECT_DOUBLE_EQ(accuracyOf(output, aboveZero, {as, {}}), 100);
    EXPECT_DOUBLE_EQ(accuracyOf(output, aboveHalf, {as, {}}), 75);
  }
}

TEST(OutputReading, IgnoredTargetsAreNoSamplesOfAccuracy) {
  const Tensor output = table({1, 0, 0, 1, 1, 0, 0, 1}, 2);
  EXPECT_DOUBLE_EQ(accuracyOf(output, {0, 1, -100, 0}, {OutputReading::Logits, -100}), 200.0 / 3);
  EXPECT_DOUBLE_EQ(accuracyOf(output, {0, 0, 0, 0}, {OutputReading::Logits, 1}), 50);
  EXPECT_TRUE(std::isnan(accuracyOf(output, {1, 1, 1, 1}, {OutputReading::Logits, 1})));
}

}  // namespace
}  // namespace tenon
