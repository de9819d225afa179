// SPDX-License-Identifier: Apache-2.0
// What layers leave out of a call: work that was done when they were made, or is done already.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/ops/gate/gate.h"
#include "tests/engine/layers/layer_case.h"

namespace tenon::test {
namespace {

/// Notes the operators that ran a kernel while it lives.
class Calls final : public gate::Listener {
 public:
  std::vector<std::string> names;
  /// Those whose largest input has so many elements.
  std::vector<std::string> onElements(int64_t count) const {
    std::vector<std::string> some;
    for (size_t i = 0; i < names.size(); ++i)
      if (most_[i] == count) some.push_back(names[i]);
    return some;
  }
  void onCall(const gate::CallInfo& info) override {
    if (info.kernel == nullptr) return;
    names.emplace_back(info.op.id);
    most_.push_back(0);
    for (const Tensor* input : info.inputs)
      if (input && input->defined()) most_.back() = std::max(most_.back(), input->numel());
  }

 private:
  std::vector<int64_t> most_;
  gate::ListenerGuard listening_{*this};
};

using Names = std::vector<std::string>;

TEST(LayerCalls, WavesAreMadeInTheTypeOfTheInput) {
  for (const DType type : {DType::F32, DType::F64}) {
    const LayerCase layer("positional_embedding", {{"kind", std::string("sinusoidal")}},
                          {portShape({4, 6}, type)});
    const std::unique_ptr<Layer> made = layer.def->make(layer.request());
    const Tensor x = Tensor::zeros({2, 4, 6}, type);
    Tensor y;
    LayerCall call{{&x, 1}, {&y, 1}, {}, true};
    Calls calls;
    made->forward(call);
    EXPECT_EQ(calls.names, (Names{"add"}));
    EXPECT_EQ(y.dtype(), type);
  }
}

TEST(LayerCalls, InstanceNormReadsItsInputOnce) {
  const LayerCase layer("instance_norm", {{"track_running_stats", true}}, {portShape({3, 50})});
  const Tensor x = tensorOf(std::vector<double>(300, 2), {2, 3, 50}, DType::F32);
  const std::vector<Tensor> running = {Tensor::zeros({3}), Tensor::full({3}, 1)};
  Calls calls;
  layer.run({x}, running, true);
  EXPECT_EQ(calls.onElements(300), (Names{"layer_norm"}));
  // Means of 2 and variances of 0, momentum 0.1.
  for (const float mean : running[0].toVector<float>()) EXPECT_FLOAT_EQ(mean, 0.2F);
  for (const float var : running[1].toVector<float>()) EXPECT_NEAR(var, 0.9F, 1e-6F);
}

}  // namespace
}  // namespace tenon::test
