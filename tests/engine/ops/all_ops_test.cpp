// SPDX-License-Identifier: Apache-2.0
// What every operator must have - help, samples, kernels at each level - and what it must refuse,
// with the text. What kernels give is compared in all_kernels_test.cpp.
#include <gtest/gtest.h>

#include <set>

#include "engine/backend/registry/devices.h"
#include "engine/backend/registry/kernel_table.h"
#include "engine/base/error.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

/// Operators without samples, since a forward pass must come before; kernel_cases.cpp has them.
const std::set<std::string> kInternal = {"reorder", "max_pool2d_backward", "max_pool2d_gather",
                                         "ctc_loss_backward"};

void expectRefusal(const OpDef& op, const OpSample& sample) {
  try {
    callOp(op, makeInputs(sample), paramsOf(sample));
    ADD_FAILURE() << "was not refused";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("[" + std::string(op.id) + "]", 0), 0u) << text;
    for (const std::string& word : sample.refusedWith)
      EXPECT_NE(text.find(word), std::string::npos) << text << " lacks: " << word;
  }
}

TEST(AllOps, EveryOperatorHasHelpAndSamples) {
  ASSERT_GT(allOps().size(), 50u);
  for (const OpDef* op : allOps()) {
    SCOPED_TRACE(op->id);
    EXPECT_STRNE(op->help, "");
    EXPECT_FALSE(op->inputNames.empty());
    EXPECT_NE(op->meta == nullptr, op->view == nullptr) << "one of meta and view";
    EXPECT_EQ(findOp(op->id), op);
    if (kInternal.count(op->id)) continue;
    ASSERT_NE(op->samples, nullptr);
    bool succeeds = false;
    for (const OpSample& sample : op->samples()) {
      succeeds |= sample.refusedWith.empty();
      EXPECT_TRUE(sample.params.empty() || sample.params.size() == op->paramBytes) << sample.name;
    }
    EXPECT_TRUE(succeeds) << "no sample that must work";
  }
}

TEST(AllOps, EveryKernelBelongsToAnOperator) {
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (const OpDef* op : allOps())
      EXPECT_EQ(backend::kernelsFor(0, op->id).empty(), op->view != nullptr) << op->id;
    for (const TenonKernel* kernel : backend::builtKernels())
      EXPECT_NE(findOp(kernel->op), nullptr) << kernel->op << ", kernel " << kernel->name;
  }
}

TEST(AllOps, EachInstructionLevelHasCodeOfItsOwn) {
  if (levels().size() < 2) GTEST_SKIP() << "this machine runs one level";
  std::vector<std::set<int32_t (*)(const TenonKernelArgs*)>> code;
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    code.emplace_back();
    for (const OpDef* op : allOps())
      for (const TenonKernel* kernel : backend::kernelsFor(0, op->id))
        code.back().insert(kernel->run);
  }
  EXPECT_GT(code[0].size(), 50u);
  EXPECT_EQ(code[0].size(), code[1].size());
  for (auto* run : code[0]) EXPECT_EQ(code[1].count(run), 0u);
}

TEST(AllOps, RefusalsNameWhatIsWrong) {
  int refusals = 0;
  for (const OpDef* op : allOps()) {
    if (!op->samples) continue;
    for (const OpSample& sample : op->samples()) {
      if (sample.refusedWith.empty()) continue;
      SCOPED_TRACE(std::string(op->id) + ": " + sample.name);
      expectRefusal(*op, sample);
      ++refusals;
    }
  }
  EXPECT_GT(refusals, 10);
}

TEST(AllOps, MissingInputsAreNamed) {
  const Tensor none;
  for (const OpDef* op : allOps()) {
    if (kInternal.count(op->id)) continue;
    SCOPED_TRACE(op->id);
    std::vector<const Tensor*> inputs(op->inputNames.size(), &none);
    std::vector<std::byte> params(op->paramBytes);
    try {
      gate::call(*op, inputs, params.data());
      ADD_FAILURE() << "took undefined tensors";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("undefined"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace tenon::test
