// SPDX-License-Identifier: Apache-2.0
// Lines of parameter groups, of schedule sequences and of optimizer changes are checked with the
// project, each wrong one with its place and cause, before anything runs.
#include <functional>

#include "engine/train/run_setup.h"
#include "tests/engine/train/train_fixture.h"

namespace tenon::testing {
namespace {

class TrainingChecks : public TrainFixture {
 protected:
  void SetUp() override {
    TrainFixture::SetUp();
    open(R"("epochs": 2, )");  // six steps an epoch
  }
  /// The issues of the project as "field: text" with '?' before a warning.
  std::vector<std::string> issuesWith(const std::function<void(TrainSpec&)>& edit) {
    TrainSpec train = *project.train;
    edit(train);
    ProjectSpec changed = project;
    changed.train = std::make_shared<TrainSpec>(std::move(train));
    std::vector<std::string> out;
    for (const Issue& issue : checkProject(changed, folder.path()))
      out.push_back((issue.severity == Severity::Error ? "" : "?") + issue.place.field + ": " +
                    issueText(issue));
    return out;
  }
};

using Lines = std::vector<std::string>;

TEST_F(TrainingChecks, GoodLinesHaveNoIssue) {
  EXPECT_EQ(
      issuesWith([](TrainSpec& train) {
        train.optimizer.params.set("groups", Lines{"conv.* lr_factor=2", "*.bias weight_decay=0"});
        train.schedule = {"sequence", {{"parts", Lines{"linear 1", "plateau watch=accuracy"}}}};
        train.optimizerChanges = {"sgd after_steps=4 groups=\"fc.* lr_factor=3\"",
                                  "lion after_epochs=1"};
      }),
      Lines{});
}

TEST_F(TrainingChecks, EveryWrongGroupIsTold) {
  EXPECT_EQ(issuesWith([](TrainSpec& train) {
              train.optimizer.params.set(
                  "groups", Lines{"nothing.* lr_factor=2", "conv.* lr_factor=2", "*.bias", ""});
            }),
            (Lines{"train.optimizer.groups: adamw: groups: 'nothing.*' matches none of the 6 "
                   "parameters, e.g. 'conv.weight'",
                   "train.optimizer.groups: adamw: groups: '*.bias' sets neither lr_factor nor "
                   "weight_decay",
                   "train.optimizer.groups: adamw: groups: there is an empty line"}));
}

TEST_F(TrainingChecks, NumbersThatDoNotFitEachOtherNameTheOneToBlame) {
  EXPECT_EQ(issuesWith([](TrainSpec& train) {
              train.optimizer = {"sgd", {{"momentum", 0.0}, {"nesterov", true}}};
            }),
            Lines{"train.optimizer.momentum: sgd: nesterov wants a momentum above 0 and no "
                  "dampening"});
}

TEST_F(TrainingChecks, EveryWrongPartOfASequenceIsTold) {
  EXPECT_EQ(issuesWith([](TrainSpec& train) {
              train.schedule = {"sequence",
                                {{"parts", Lines{"linear 1", "cosin 2", "plateau 2 watch=f1"}}}};
            }),
            (Lines{"train.schedule.parts: sequence: 'cosin' is no schedule that can be part of one",
                   "train.schedule.parts: plateau: watches 'f1', an epoch has loss, accuracy"}));
  EXPECT_EQ(issuesWith([](TrainSpec& train) {
              train.schedule = {"sequence", {{"parts", Lines{"linear", "cosine"}}}};
            }),
            Lines{"train.schedule.parts: sequence: 'linear' wants a length: another schedule "
                  "follows"});
  EXPECT_EQ(issuesWith([](TrainSpec& train) {
              train.schedule = {"plateau", {{"watch", std::string("f1")}}};
            }),
            Lines{"train.schedule.watch: plateau: watches 'f1', an epoch has loss, accuracy"});
}

TEST_F(TrainingChecks, EveryWrongChangeOfOptimizerIsTold) {
  EXPECT_EQ(
      issuesWith([](TrainSpec& train) {
        train.optimizerChanges = {"sgd lr=0.1", "adm after_steps=3",
                                  "sgd after_steps=4 nesterov=true momentum=0",
                                  "sgd after_steps=5 groups=\"head.* lr_factor=2\""};
      }),
      (Lines{"train.optimizer_changes: optimizer change: 'sgd lr=0.1' wants either after_epochs or "
             "after_steps",
             "train.optimizer_changes: optimizer change: there is no optimizer 'adm'; did you mean "
             "'adam'?",
             "train.optimizer_changes: sgd: nesterov wants a momentum above 0 and no dampening",
             "train.optimizer_changes: sgd: groups: 'head.*' matches none of the 6 parameters, "
             "e.g. 'conv.weight'"}));
  EXPECT_EQ(issuesWith([](TrainSpec& train) {
              train.optimizerChanges = {"sgd after_epochs=1", "adam after_steps=6"};
            }),
            Lines{"train.optimizer_changes: optimizer change: 'adam after_steps=6' begins after "
                  "step 6, the one before it only after step 6: lines stand in the order of the "
                  "run"});
  EXPECT_EQ(issuesWith([](TrainSpec& train) { train.optimizerChanges = {"sgd after_epochs=2"}; }),
            Lines{"?train.optimizer_changes: 'sgd after_epochs=2' is never reached: the training "
                  "has 12 steps in 2 epochs"});
}

TEST_F(TrainingChecks, ALineIsPlacedInItsFile) {
  const std::string text = projectText(project);
  const std::string wrong = "\"optimizer_changes\": [\"sgd lr=0.1\"],\n    \"loss\"";
  const size_t at = text.find("\"loss\"");
  ReadResult read = readProjectText(text.substr(0, at) + wrong + text.substr(at + 6), "p.tenon");
  ASSERT_TRUE(read.ok());
  Issues issues = checkProject(read.project, folder.path());
  locateIssues(issues, read.positions, "p.tenon");
  ASSERT_EQ(issues.size(), 1U);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n');
  EXPECT_EQ(issues[0].place.line, line);
  EXPECT_TRUE(issueLine(issues[0]).starts_with("p.tenon:" + std::to_string(line)));
}

TEST_F(TrainingChecks, TypesAndRangesAreTheCatalogsToTell) {
  EXPECT_EQ(issuesWith([](TrainSpec& train) {
              train.optimizer = {"sgdd", {}};
              train.schedule = {"step", {{"every_epochs", int64_t{-1}}}};
            }).size(),
            2U);
}

}  // namespace
}  // namespace tenon::testing
