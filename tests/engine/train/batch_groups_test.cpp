// SPDX-License-Identifier: Apache-2.0
// Which batches make a step: whole groups, the last group with what is left, a smaller last batch.
#include "engine/train/batch_groups.h"

#include <gtest/gtest.h>

namespace tenon {
namespace {

TEST(BatchGroups, TheLastGroupHasWhatIsLeft) {
  const BatchGroups groups(4, 16, 90);  // batches of 16, 16, 16, 16 | 16, 10
  EXPECT_EQ(groups.batchesPerEpoch(), 6);
  EXPECT_EQ(groups.stepsPerEpoch(), 2);
  EXPECT_EQ(groups.at(0).batches, 4);
  EXPECT_EQ(groups.at(0).samples, 64);
  EXPECT_EQ(groups.at(4).batches, 2);
  EXPECT_EQ(groups.at(4).samples, 26);
}

TEST(BatchGroups, OneBatchAStepIsAPlainTraining) {
  const BatchGroups groups(1, 16, 90);
  EXPECT_EQ(groups.stepsPerEpoch(), groups.batchesPerEpoch());
  EXPECT_EQ(groups.at(5).batches, 1);
  EXPECT_EQ(groups.at(5).samples, 10);
}

TEST(BatchGroups, MoreBatchesThanAnEpochHasAreAllOfThem) {
  const BatchGroups groups(100, 16, 90);
  EXPECT_EQ(groups.stepsPerEpoch(), 1);
  EXPECT_EQ(groups.at(0).batches, 6);
  EXPECT_EQ(groups.at(0).samples, 90);
  EXPECT_EQ(BatchGroups(4, 16, 64).stepsPerEpoch(), 1);
  EXPECT_EQ(BatchGroups(4, 16, 65).stepsPerEpoch(), 2);
  EXPECT_EQ(BatchGroups(4, 16, 0).stepsPerEpoch(), 0);
}

}  // namespace
}  // namespace tenon
