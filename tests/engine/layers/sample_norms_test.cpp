// SPDX-License-Identifier: Apache-2.0
// Layers that normalize or drop parts of samples: planned shapes and weights, issues, and that they
// run the operator with the values of their form.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/layers/layer_def.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

/// The layer's own defaults.
ParamMap defaultsOf(const LayerDef& layer) { return layer.schema.defaults(); }

LayerPlan planOf(const char* id, const ParamMap& params, const std::vector<int64_t>& sizes) {
  const PortShape in{sizes, DType::F32};
  return findLayer(id)->plan({params, {&in, 1}});
}

Tensor run(const char* id, const ParamMap& params, const Tensor& x, bool training) {
  std::vector<int64_t> sizes(x.shape().begin(), x.shape().end());
  const PortShape in{sizes, DType::F32};
  const PlanRequest request{params, {&in, 1}};
  std::vector<Tensor> weights;
  for (const WeightPlan& weight : findLayer(id)->plan(request).weights)
    weights.push_back(
        Tensor::full(weight.shape, weight.init.kind == Init::Kind::Ones ? 1 : 0, weight.dtype));
  Tensor y;
  LayerCall call{{&x, 1}, {&y, 1}, weights, training};
  findLayer(id)->make(request)->forward(call);
  return y;
}

TEST(SampleNorms, GroupNormPlansAndRuns) {
  ParamMap params = defaultsOf(*findLayer("group_norm"));
  EXPECT_EQ(planOf("group_norm", params, {kFreeSize, 12, 4}).issues.at(0).code, "graph.groups");
  params.set("groups", int64_t{2});
  const LayerPlan plan = planOf("group_norm", params, {kFreeSize, 4, 3});
  ASSERT_EQ(plan.weights.size(), 2u);
  EXPECT_EQ(plan.weights[0].shape, (Shape{4}));
  EXPECT_EQ(plan.summary, "4, g2");
  const Tensor x = Tensor::fromValues<float>({1, 3, 5, 5}, {1, 4, 1});
  const std::vector<float> y = run("group_norm", params, x, true).toVector<float>();
  EXPECT_NEAR(y[0], -1, 1e-4);
  EXPECT_NEAR(y[1], 1, 1e-4);
  EXPECT_NEAR(y[2], 0, 1e-4);
  params.set("affine", false);
  EXPECT_TRUE(planOf("group_norm", params, {kFreeSize, 4, 3}).weights.empty());
  EXPECT_FALSE(planOf("group_norm", params, {kFreeSize}).issues.empty());
}

TEST(SampleNorms, RmsNormPlansAndRuns) {
  const ParamMap params = defaultsOf(*findLayer("rms_norm"));
  const LayerPlan plan = planOf("rms_norm", params, {kFreeSize, 5, 2});
  ASSERT_EQ(plan.weights.size(), 1u);
  EXPECT_EQ(plan.weights[0].shape, (Shape{2}));
  const Tensor x = Tensor::fromValues<float>({3, 4}, {1, 2});
  const std::vector<float> y = run("rms_norm", params, x, true).toVector<float>();
  EXPECT_NEAR(y[0], 3 / std::sqrt(12.5), 1e-5);
  EXPECT_NEAR(y[1], 4 / std::sqrt(12.5), 1e-5);
  EXPECT_FALSE(planOf("rms_norm", params, {kFreeSize}).issues.empty());
}

TEST(SampleNorms, PartsAreDroppedInTrainingOnly) {
  const Tensor x = Tensor::full({64, 2, 3}, 1);
  for (const char* id : {"channel_dropout", "stochastic_depth"}) {
    SCOPED_TRACE(id);
    ParamMap params = defaultsOf(*findLayer(id));
    params.set("p", 0.5);
    EXPECT_EQ(planOf(id, params, {kFreeSize, 2, 3}).summary, "p 0.5");
    EXPECT_EQ(run(id, params, x, false).impl(), x.impl());
    const std::vector<float> y = run(id, params, x, true).toVector<float>();
    const size_t part = id[0] == 'c' ? 3 : 6;
    size_t kept = 0;
    for (size_t i = 0; i < y.size(); i += part) {
      for (size_t k = 0; k < part; ++k) EXPECT_EQ(y[i + k], y[i]);
      EXPECT_TRUE(y[i] == 0 || y[i] == 2) << y[i];
      kept += y[i] != 0;
    }
    EXPECT_GT(kept, 0u);
    EXPECT_LT(kept, y.size() / part);
  }
  const ParamMap params = defaultsOf(*findLayer("channel_dropout"));
  EXPECT_FALSE(planOf("channel_dropout", params, {kFreeSize}).issues.empty());
}

}  // namespace
}  // namespace tenon
