// SPDX-License-Identifier: Apache-2.0
// The number of batches that a batch norm has seen, through a training and its checkpoints, and in
// checkpoints of before it was kept.
#include <algorithm>
#include <cstring>

#include "engine/store/checkpoints.h"
#include "engine/train/run_setup.h"
#include "engine/train/run_state.h"
#include "tests/engine/train/train_fixture.h"

namespace tenon::testing {
namespace {

constexpr const char* kCount = "model/bn.num_batches_tracked";

class BatchCount : public TrainFixture {
 protected:
  void average() {
    GraphSpec graph = *project.graph;
    for (auto& node : graph.nodes) {
      if (node->id != "bn") continue;
      NodeSpec norm = *node;
      norm.params.set("cumulative", true);
      node = std::make_shared<NodeSpec>(std::move(norm));
    }
    project.graph = std::make_shared<GraphSpec>(std::move(graph));
  }
  Checkpoint newest(RunId run) const {
    return store->checkpoints().load(store->checkpoints().newestWhole(run)->id);
  }
  static int64_t countIn(const Checkpoint& checkpoint) {
    int64_t count = -1;
    const Part* part = checkpoint.part(kCount);
    if (part == nullptr || part->data.size() != sizeof(count)) return -1;
    std::memcpy(&count, part->data.data(), sizeof(count));
    return count;
  }
};

TEST_F(BatchCount, IsThatOfTheTrainingsBatches) {
  open(R"("epochs": 2, )");
  EXPECT_EQ(countIn(newest(run(project, 4).run)), 4);
  EXPECT_EQ(countIn(newest(run(project).run)), 12);  // validation does not count
  change([](TrainSpec& train) { train.accumulate = 3; });
  EXPECT_EQ(countIn(newest(run(project).run)), 12);  // batches, not steps
}

TEST_F(BatchCount, AnAverageOverAllBatchesResumesBitForBit) {
  open(R"("epochs": 2, "threads": 1, )");
  average();
  checkResumes({1, 5, 6, 7});
}

TEST_F(BatchCount, OfACheckpointWithoutItIsZero) {
  open(R"("epochs": 2, )");
  const RunId id = run(project, 4).run;
  Checkpoint old = newest(id);
  const size_t parts = old.parts.size();
  std::erase_if(old.parts, [](const Part& part) { return part.name == kCount; });
  ASSERT_EQ(old.parts.size(), parts - 1);
  const RunSetup setup = setUpModel(project, folder.path());
  const auto& tensors = setup.model->tensors();
  const auto count = std::find_if(tensors.begin(), tensors.end(), [](const NamedTensor& named) {
    return std::string("model/") + named.name == kCount;
  });
  ASSERT_NE(count, tensors.end());
  *count->tensor.data<int64_t>() = 5;
  restoreModel(old, *setup.model);
  EXPECT_EQ(*count->tensor.data<int64_t>(), 0);
  restoreModel(newest(id), *setup.model);
  EXPECT_EQ(*count->tensor.data<int64_t>(), 4);

  // A run goes on from there, and counts anew.
  std::vector<PartView> views;
  views.reserve(old.parts.size());
  for (const Part& part : old.parts) views.push_back({part.name, part.meta, part.data});
  CheckpointHead head;
  head.run = id;
  head.step = old.info.step;
  head.epoch = old.info.epoch;
  head.version = old.info.version;
  store->checkpoints().save(head, views);
  EXPECT_EQ(countIn(newest(run(project, 0, id).run)), 8);
}

TEST_F(BatchCount, ARunningStatisticIsNeverOptional) {
  open(R"("epochs": 1, )");
  Checkpoint cut = newest(run(project, 2).run);
  std::erase_if(cut.parts, [](const Part& part) { return part.name == "model/bn.running_mean"; });
  const RunSetup setup = setUpModel(project, folder.path());
  try {
    restoreModel(cut, *setup.model);
    FAIL() << "took a checkpoint without running_mean";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Input);
    EXPECT_NE(std::string(error.what()).find("model/bn.running_mean"), std::string::npos);
  }
}

}  // namespace
}  // namespace tenon::testing
