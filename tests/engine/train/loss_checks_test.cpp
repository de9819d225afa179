// SPDX-License-Identifier: Apache-2.0
// What is told of a loss before a run: settings that do not fit the classes, outputs of a wrong
// size, a model that ends in the wrong layer; each with its place.
#include <cmath>
#include <limits>

#include "engine/base/file.h"
#include "engine/train/evaluate.h"
#include "tests/engine/train/loss_fixture.h"
#include "tests/support/graph_chain.h"

namespace tenon::testing {
namespace {

class LossChecks : public LossChoice {
 protected:
  void SetUp() override {
    LossChoice::SetUp();
    openTwoClasses(R"("epochs": 1, )");
  }
  /// Issues with this loss, so many outputs and this layer behind them.
  Lines issuesWith(const PartSpec& loss, int64_t outputs = 2, const std::string& last = "") {
    setModel({{"flat", "flatten", {}}, {"fc", "linear", {{"out_features", outputs}}}}, last);
    change([&](TrainSpec& train) { train.loss = loss; });
    return issues();
  }
};

/// Samples of a data set that says of itself that it has one class.
class FirstClassAlone final : public Dataset {
 public:
  explicit FirstClassAlone(DatasetPtr all) : all_(std::move(all)), meta_(all_->meta()) {
    meta_.classes = 1;
  }
  int64_t size() const override { return all_->size(); }
  const SampleMeta& meta() const override { return meta_; }
  int64_t get(int64_t index, const SampleContext& context,
              std::span<std::byte> values) const override {
    all_->get(index, context, values);
    return 0;
  }
  int64_t target(int64_t) const override { return 0; }

 private:
  DatasetPtr all_;
  SampleMeta meta_;
};

ParamMap weights(std::vector<double> values) { return {{"class_weights", std::move(values)}}; }

TEST_F(LossChecks, WeightsThatDoNotFitStandAtTheirSetting) {
  for (const std::string id : {"cross_entropy", "nll", "multi_margin"}) {
    const std::string last = id == "nll" ? "log_softmax" : "";
    EXPECT_EQ(issuesWith({id, weights({1, 2, 3})}, 2, last),
              Lines{"train.loss.class_weights: " + id +
                    ": class_weights wants 2 numbers, one a class; there are 3"});
    const Lines zeros = issuesWith({id, weights({0, 0})}, 2, last);
    ASSERT_EQ(zeros.size(), 1U);
    EXPECT_TRUE(zeros[0].starts_with("train.loss.class_weights: " + id + ": class_weights are 0"));
    for (const double bad : {-1.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
      const Lines told = issuesWith({id, weights({1, bad})}, 2, last);
      ASSERT_EQ(told.size(), 1U) << bad;
      EXPECT_TRUE(told[0].starts_with("train.loss.class_weights: ")) << told[0];
    }
    EXPECT_EQ(issuesWith({id, weights({1, 0})}, 2, last), Lines{});
  }
}

TEST_F(LossChecks, PositiveWeightsFitTheOutputs) {
  const auto positive = [](std::vector<double> values) {
    return PartSpec{"bce_with_logits", {{"positive_weight", std::move(values)}}};
  };
  EXPECT_EQ(issuesWith(positive({1, 2, 3})),
            Lines{"train.loss.positive_weight: bce_with_logits: positive_weight wants one number "
                  "or 2, one a class; there are 3"});
  EXPECT_EQ(issuesWith(positive({1, 2}), 1),
            Lines{"train.loss.positive_weight: bce_with_logits: positive_weight wants one number; "
                  "there are 2"});
  EXPECT_EQ(issuesWith(positive({1, 2})), Lines{});
  EXPECT_EQ(issuesWith(positive({3}), 1), Lines{});
}

TEST_F(LossChecks, OutputsFitTheClasses) {
  for (const LossDef* def : allLosses()) {
    SCOPED_TRACE(def->id);
    const std::string last = def->lastLayers.empty() ? "" : def->lastLayers[0];
    const std::string wanted = def->oneOutputForTwo ? "N×2 or N×1" : "N×2";
    const Lines three = issuesWith({def->id, {}}, 3, last);
    EXPECT_EQ(three,
              Lines{"y|: the data has 2 classes, so the output must be " + wanted + "; it is N×3"});
    const Lines one = issuesWith({def->id, {}}, 1, last);
    EXPECT_EQ(one, def->oneOutputForTwo
                       ? Lines{}
                       : Lines{"y|: the data has 2 classes, so the output must be N×2; it is N×1"});
    EXPECT_EQ(issuesWith({def->id, {}}, 2, last), Lines{});
  }
  writeToyImages(folder.path(), "train", 96, 8, 3);  // with three classes one output is no choice
  writeToyImages(folder.path(), "test", 40, 8, 3);
  DataSpec data = *project.data;
  data.classes = {"a", "b", "c"};
  project.data = std::make_shared<DataSpec>(std::move(data));
  EXPECT_EQ(issuesWith({"bce_with_logits", {}}, 1),
            Lines{"y|: the data has 3 classes, so the output must be N×3; it is N×1"});
}

TEST_F(LossChecks, AModelThatEndsInTheWrongLayerIsWarnedOf) {
  EXPECT_EQ(issuesWith({"cross_entropy", {}}, 2, "softmax"),
            Lines{"?train.loss: 'cross_entropy' wants the model's output as it is, without the "
                  "'softmax' ('last') that it ends in: the loss does its part itself"});
  EXPECT_EQ(issuesWith({"nll", {}}),
            Lines{"?train.loss: 'nll' wants a model that ends in 'log_softmax'; this one ends in "
                  "'linear' ('fc')"});
  EXPECT_EQ(issuesWith({"nll", {}}, 2, "softmax"),
            Lines{"?train.loss: 'nll' wants a model that ends in 'log_softmax'; this one ends in "
                  "'softmax' ('last')"});
  EXPECT_EQ(issuesWith({"bce", {}}, 1),
            Lines{"?train.loss: 'bce' wants a model that ends in 'sigmoid' or 'hard_sigmoid' or "
                  "'softmax'; this one ends in 'linear' ('fc')"});
  EXPECT_EQ(issuesWith({"bce_with_logits", {}}, 1, "sigmoid").size(), 1U);
  EXPECT_EQ(issuesWith({"cross_entropy", {}}, 2, "log_softmax"), Lines{});  // the same twice
  EXPECT_EQ(issuesWith({"mse", {}}, 2, "softmax"), Lines{});
}

TEST_F(LossChecks, LayersThatOnlyShapeAreLookedThrough) {
  setModel({{"flat", "flatten", {}},
            {"fc", "linear", {{"out_features", int64_t{2}}}},
            {"soft", "softmax", {}},
            {"same", "identity", {}}},
           "flatten");
  change([](TrainSpec& train) { train.loss = {"cross_entropy", {}}; });
  ASSERT_EQ(issues().size(), 1U);
  EXPECT_NE(issues()[0].find("'softmax' ('soft')"), std::string::npos);
}

TEST(LossPage, NamesEveryLossAndItsSettings) {
  const std::string page = readFile(TENON_SOURCE_DIR "/docs/training.md", 1 << 20);
  for (const LossDef* def : allLosses()) {
    EXPECT_NE(page.find("`" + def->id + "`"), std::string::npos) << def->id;
    for (const ParamSpec& spec : def->schema)
      EXPECT_NE(page.find("`" + spec.name + "`"), std::string::npos) << spec.name;
  }
}

TEST_F(LossChecks, AWrongLossMakesNoRun) {
  issuesWith({"cross_entropy", weights({1})});
  EXPECT_TRUE(hasAll(errorOf([this] { run(project); }), {"class_weights wants 2 numbers"}));
  EXPECT_TRUE(store->runs().list().empty());
}

TEST_F(LossChecks, TheLastLayerIsFoundInsideOfLayers) {
  const auto ends = [this](const std::string& loss, const std::string& holder,
                           const std::string& last) {
    NodeSpec inside{"block", holder, {}};
    inside.graphs["body"] = chain({linearNode("fc", 2), {"act", last, {}}});
    setModel(
        {{"flat", "flatten", {}}, {"narrow", "linear", {{"out_features", int64_t{2}}}}, inside},
        "");
    change([&](TrainSpec& train) { train.loss = {loss, {}}; });
    const Lines told = issues();
    return told.empty() ? std::string() : told.front();
  };
  for (const char* holder : {"sequential", "repeat"}) {
    EXPECT_EQ(ends("nll", holder, "log_softmax"), "") << holder;
    EXPECT_EQ(ends("bce", holder, "sigmoid"), "") << holder;
    EXPECT_NE(ends("cross_entropy", holder, "softmax").find("'softmax' ('block.act')"),
              std::string::npos);
    EXPECT_NE(ends("nll", holder, "relu").find("ends in 'relu' ('block.act')"), std::string::npos);
  }
  EXPECT_EQ(ends("nll", "residual", "relu"), "");  // a sum of two: not judged
}

/// Weights fit the classes of the training data, where they are checked.
TEST_F(LossChecks, ValidationDataMayLackTheLastClasses) {
  change([](TrainSpec& train) { train.loss = {"cross_entropy", weights({1, 2})}; });
  setModel({{"flat", "flatten", {}}, {"fc", "linear", {{"out_features", int64_t{2}}}}}, "");
  const RunSetup setup = setUpModel(project, folder.path());
  const auto one = std::make_shared<FirstClassAlone>(setup.data.validation);
  const Evaluation seen = evaluate(*setup.model, one, *project.train);
  EXPECT_EQ(seen.samples, one->size());
  EXPECT_TRUE(std::isfinite(seen.loss));
}

}  // namespace
}  // namespace tenon::testing
