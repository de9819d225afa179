// SPDX-License-Identifier: Apache-2.0
// A recorded step of f16 parameters beside what its kernels say of themselves: conversions at a
// kernel's edge and changes of layout are in the recording, in order, at the node they belong to.
#include <gtest/gtest.h>

#include "engine/autograd/autograd.h"
#include "engine/observe/step_recorder.h"
#include "engine/ops/conv2d/conv2d.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/harness.h"
#include "tests/engine/ops/launch_log.h"

namespace tenon::test {
namespace {

Tensor leaf(const Shape& shape, uint64_t seed, DType dtype) {
  const Tensor t = converted(makeInput({shape}, seed), dtype);
  autograd::setRequiresGrad(t);
  return t;
}

/// Convolution, ReLU, a flat view and a matrix product; the update of plain gradient descent.
StepRecording recordStep(DType dtype) {
  const Tensor x = converted(makeInput({{4, 8, 6, 6}}, 1), dtype);
  const Tensor w = leaf({16, 8, 3, 3}, 2, dtype);
  const Tensor v = leaf({3, 256}, 3, dtype);
  StepRecorder recorder(1);
  const Tensor y = relu(conv2d(x, w, {}));
  const Tensor loss = mean(square(linear(reshape(y, {4, 256}), v, {})));
  recorder.captureGraph(loss);
  autograd::backward(loss);
  const gate::NoGradGuard noGrad;
  for (const Tensor& p : {w, v}) axpyInPlace(p, autograd::gradOf(p), -0.1);
  return recorder.finish();
}

std::vector<std::string> kernelsOf(const RecordedNode& node) {
  std::vector<std::string> ops;
  for (const RecordedKernel& kernel : node.kernels) ops.push_back(kernel.op);
  return ops;
}

class RecordedLaunches : public ::testing::TestWithParam<DType> {};

TEST_P(RecordedLaunches, AreThoseThatRan) {
  const LaunchLog log;
  const GraphRecording graph = recordStep(GetParam()).graph;
  EXPECT_EQ(recordedLaunches(graph), log.ran());
  EXPECT_EQ(static_cast<size_t>(graph.kernelsLaunched), log.ran().size());
  const auto times = [&](const std::string& op) {
    return std::count_if(log.ran().begin(), log.ran().end(),
                         [&](const auto& each) { return each.first == op; });
  };
  const bool half = GetParam() == DType::F16 || GetParam() == DType::BF16;
  EXPECT_GT(log.ran().size(), half ? 30U : 12U);
  EXPECT_EQ(times("cast") > 0, half);
  if (GetParam() != DType::F64) {
    EXPECT_GT(times("reorder"), 0);  // convolution's blocks
  }
}

INSTANTIATE_TEST_SUITE_P(Types, RecordedLaunches,
                         ::testing::Values(DType::F32, DType::F64, DType::F16, DType::BF16),
                         [](const auto& info) { return std::string(dtypeName(info.param)); });

/// The temporary memory of a conversion belongs to "cast", the result to the operator.
TEST(RecordedLaunchesOfAHalf, BelongToTheNodeOfTheCall) {
  const StepRecording step = recordStep(DType::F16);
  const auto found =
      std::find_if(step.graph.nodes.begin(), step.graph.nodes.end(), [](const RecordedNode& node) {
        return node.kind == RecordedKind::Forward && node.op == "linear";
      });
  ASSERT_NE(found, step.graph.nodes.end());
  EXPECT_EQ(kernelsOf(*found), (std::vector<std::string>{"cast", "cast", "linear", "cast"}));
  for (size_t i = 1; i < found->kernels.size(); ++i)
    EXPECT_LE(found->kernels[i - 1].endNs, found->kernels[i].startNs);
  for (const RecordedNode& node : step.graph.nodes) EXPECT_NE(node.op, "cast");
  bool outputOfLinear = false;
  for (const memory::Event& event : step.memory.trace.events)
    outputOfLinear |= event.kind == memory::EventKind::Alloc &&
                      event.block == found->outputs[0].block &&
                      step.memory.names[event.op] == "linear";
  EXPECT_TRUE(outputOfLinear);
}

}  // namespace
}  // namespace tenon::test
