// SPDX-License-Identifier: Apache-2.0
// The memory of a recorded step of a real training: each block says who asked for it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/observe/memory_recording.h"
#include "engine/store/artifacts.h"
#include "tests/engine/train/train_fixture.h"

namespace tenon {
namespace {

using testing::Quiet;
using Train = testing::TrainFixture;

TEST_F(Train, EveryBlockOfARecordedStepSaysWhoAskedForIt) {
  open(R"("epochs": 1, )");
  Quiet sink;
  TrainControl control;
  control.recordNextStep();
  const TrainResult result = run({project, folder.path()}, sink, control);
  const MemoryRecording memory =
      decodeMemory(store->artifacts().read(store->artifacts().list(result.run, "memory")[0].id));
  std::set<std::string> statesOf;
  for (const BlockLife& life : blockLives(memory)) {
    const std::string layer = memory.names[life.layer];
    const std::string op = memory.names[life.op];
    const std::string about =
        fmt::format("block {} of {} bytes, category {}, layer '{}', op '{}'", life.block,
                    life.bytes, memory::categoryName(life.category), layer, op);
    EXPECT_FALSE(op.empty()) << about;
    if (life.category == memory::Category::Parameter) {
      EXPECT_EQ(op, "initialize") << about;
    }
    const bool ofALayer = life.category == memory::Category::Parameter ||
                          life.category == memory::Category::Gradient ||
                          (life.category == memory::Category::Activation &&
                           life.phase != memory::Phase::Loss);  // the loss is no layer
    if (ofALayer) {
      EXPECT_FALSE(layer.empty()) << about;
    }
    if (life.category == memory::Category::OptimizerState && !layer.empty()) {
      EXPECT_EQ(op, "adamw") << about;
      statesOf.insert(layer);
    }
  }
  EXPECT_EQ(statesOf, (std::set<std::string>{"bn", "conv", "fc"}));
}

}  // namespace
}  // namespace tenon
