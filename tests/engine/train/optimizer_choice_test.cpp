// SPDX-License-Identifier: Apache-2.0
// Trainings with every optimizer and with schedules that have state: resumed they have the same
// bits, and what a project chooses wrongly is refused before a run exists.
#include "engine/optim/optimizer_def.h"
#include "tests/engine/train/train_fixture.h"
#include "tests/support/error_text.h"

namespace tenon::testing {
namespace {

class OptimizerChoice : public TrainFixture {
 protected:
  void choose(const PartSpec& optimizer, const PartSpec& schedule) {
    TrainSpec train = *project.train;
    train.optimizer = optimizer;
    train.schedule = schedule;
    project.train = std::make_shared<TrainSpec>(std::move(train));
  }
  std::string refusal() {
    return errorOf([this] { run(project); });
  }
};

/// Drops after every epoch but the first, since nothing improves by so much.
const PartSpec kDropping = {"plateau",
                            {{"patience", int64_t{0}}, {"factor", 0.5}, {"threshold", 0.999}}};

TEST_F(OptimizerChoice, EveryOptimizerResumesBitForBit) {
  open(R"("epochs": 3, )");  // six steps an epoch
  for (const OptimizerDef* def : allOptimizers()) {
    SCOPED_TRACE(def->id);
    choose({def->id, {}}, kDropping);
    checkResumes({7, 13});
  }
}

TEST_F(OptimizerChoice, APlateauLowersTheRateAndIsRemembered) {
  open(R"("epochs": 4, )");
  choose({"sgd", {{"lr", 0.01}}}, kDropping);
  const TrainResult part = run(project, 13);
  const TrainResult rest = run(project, 0, part.run);
  const auto rates = curve(*store, rest.run, "train/learning_rate");
  ASSERT_FALSE(rates.empty());
  for (const auto& [step, rate] : rates) {
    const int64_t epoch = (step - 1) / 6;
    EXPECT_NEAR(rate, 0.01 * std::pow(0.5, static_cast<double>(std::max<int64_t>(epoch - 1, 0))),
                1e-9)
        << "step " << step;
  }
  EXPECT_GT(rates.back().first, 18);
}

TEST_F(OptimizerChoice, WrongChoicesMakeNoRun) {
  open(R"("epochs": 1, )");
  choose({"sgd", {}}, {"plateau", {{"watch", std::string("f1")}}});
  EXPECT_NE(refusal().find("plateau: watches 'f1', an epoch has loss"), std::string::npos);
  choose({"adamw", {{"groups", std::vector<std::string>{"nothing.* lr_factor=2"}}}},
         {"constant", {}});
  EXPECT_NE(refusal().find("adamw: groups: 'nothing.*' matches none of the"), std::string::npos);
  choose({"adamw", {}}, {"sequence", {{"parts", std::vector<std::string>{"linear", "cosine"}}}});
  EXPECT_NE(refusal().find("sequence: 'linear' wants a length"), std::string::npos);
  EXPECT_TRUE(store->runs().list().empty());
}

}  // namespace
}  // namespace tenon::testing
