// SPDX-License-Identifier: Apache-2.0
// Every operator, from its own samples: the f64 kernel is the reference (checked by gradient check
// and against PyTorch elsewhere); every other kernel - type, instruction level, layout - must give
// the same, and must be the one meant for the type.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "engine/backend/registry/devices.h"
#include "engine/base/error.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

/// Operators without samples, and where they are tested instead.
const std::map<std::string, std::string> kInternal = {
    {"reorder", "layout_test.cpp"},
    // Their positions come from a forward pass, so they are checked as max_pool2d's gradients.
    {"max_pool2d_backward", "pool2d_test.cpp"},
    {"max_pool2d_gather", "pool2d_test.cpp"},
};

/// Where f32 may differ more than usual, and why.
const std::map<std::string, Tolerance> kWider = {
    {"log_softmax_backward", {1e-5, 1e-5}},
};

Tolerance toleranceFor(const OpDef& op, DType dtype) {
  const auto found = kWider.find(op.id);
  return dtype == DType::F32 && found != kWider.end() ? found->second : toleranceOf(dtype);
}

/// Numbers of a sample as they are given to a kernel of another type: integers are whole.
Tensor valuesFor(const Tensor& t, DType dtype) {
  if (!t.defined() || t.dtype() != DType::F64) return t;
  std::vector<double> numbers = numbersOf(t);
  if (!isFloating(dtype))
    for (double& number : numbers) number = std::round(number * 3);
  return fromNumbers(numbers, t.shape(), dtype);
}

DType firstType(const std::vector<Tensor>& inputs) {
  for (const Tensor& t : inputs)
    if (t.defined()) return t.dtype();
  return DType::F64;
}

bool hasKernel(const OpDef& op, const std::vector<Tensor>& inputs) {
  if (op.view) return true;
  for (const TenonKernel* kernel : backend::kernelsFor(0, op.id))
    if (kernel->dtypes & dtypeBit(firstType(inputs))) return true;
  return false;
}

/// (operator, kernel, type, level) of every call.
using Ran = std::set<std::tuple<std::string, std::string, DType, std::string>>;
Ran& ran() {
  static Ran all;
  return all;
}

struct Variant {
  DType dtype;
  std::string level;
  Lay lay;
  bool firstOnly;
  std::string text() const {
    return std::string(dtypeName(dtype)) + " " + level + " " + layName(lay) +
           (firstOnly ? " (first input only)" : "");
  }
};

std::vector<Tensor> laidOut(const std::vector<Tensor>& inputs, const Variant& variant) {
  std::vector<Tensor> all;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool change = canLie(inputs[i], variant.lay) && (i == 0 || !variant.firstOnly);
    all.push_back(!inputs[i].defined() ? Tensor()
                                       : laid(inputs[i], change ? variant.lay : Lay::Dense));
  }
  return all;
}

std::vector<Tensor> callFresh(const OpDef& op, const std::vector<Tensor>& inputs,
                              const void* params) {
  Generator generator{42, 7};
  const gate::GeneratorGuard guard(generator);
  return callOp(op, inputs, params);
}

void checkKernel(const OpDef& op, const std::vector<Tensor>& inputs, const KernelLog& log,
                 const Variant& variant) {
  if (op.view) return;
  const std::string name = log.last(op.id);
  const DType dtype = firstType(inputs);
  ran().insert({op.id, name, dtype, variant.level});
  const auto ofLevel = backend::kernelsFor(0, op.id);
  EXPECT_NE(std::find(ofLevel.begin(), ofLevel.end(), log.lastKernel(op.id)), ofLevel.end())
      << name << " is not the kernel of this instruction level";
  if (dtype != DType::F32) return;
  for (const TenonKernel* kernel : backend::kernelsFor(0, op.id))
    if ((kernel->dtypes & dtypeBit(dtype)) && kernel->priority > 0) {
      EXPECT_NE(name, "reference") << "a faster kernel stands aside";
    }
}

void compareVariant(const OpDef& op, const OpSample& sample, const std::vector<Tensor>& inputs,
                    const std::vector<Tensor>& wanted, const Variant& variant) {
  SCOPED_TRACE(variant.text());
  const LevelGuard level(variant.level.c_str());
  const std::vector<Tensor> given = laidOut(inputs, variant);
  KernelLog log;
  std::vector<Tensor> got;
  try {
    got = callFresh(op, given, paramsOf(sample));
  } catch (const Error& error) {
    EXPECT_TRUE(mayRefuse(op, error)) << error.what();
    return;
  }
  checkKernel(op, given, log, variant);
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(near(got[i], wanted[i], toleranceFor(op, variant.dtype))) << "output " << i;
    EXPECT_TRUE(paddingIsZero(got[i])) << "output " << i;
  }
}

void compareType(const OpDef& op, const OpSample& sample, DType dtype) {
  std::vector<Tensor> inputs;
  std::vector<Tensor> exact;  // the same numbers as f64
  for (const Tensor& t : makeInputs(sample)) {
    inputs.push_back(valuesFor(t, dtype));
    exact.push_back(t.defined() && t.dtype() == DType::F64 ? converted(inputs.back(), DType::F64)
                                                           : t);
  }
  if (!hasKernel(op, inputs)) return;
  if (firstType(inputs) == firstType(exact) && dtype != DType::F64 && !isFloating(dtype))
    return;  // nothing floating came first: no new kernel is reached
  const std::vector<Tensor> wanted = callFresh(op, exact, paramsOf(sample));
  for (const std::string& level : levels())
    for (Lay lay : kLays)
      for (bool firstOnly : {false, true}) {
        if (lay == Lay::Dense && firstOnly) continue;
        if (lay == Lay::Blocked && op.view) continue;
        compareVariant(op, sample, inputs, wanted, {dtype, level, lay, firstOnly});
      }
}

void expectRefusal(const OpDef& op, const OpSample& sample) {
  try {
    callFresh(op, makeInputs(sample), paramsOf(sample));
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
      if (!op->view) {
        EXPECT_FALSE(backend::kernelsFor(0, op->id).empty()) << op->id;
      }
  }
}

TEST(AllOps, KernelsAgreeWithTheReference) {
  for (const OpDef* op : allOps()) {
    if (!op->samples) continue;
    for (const OpSample& sample : op->samples()) {
      if (!sample.refusedWith.empty()) continue;
      SCOPED_TRACE(std::string(op->id) + ": " + sample.name);
      for (DType dtype : {DType::F64, DType::F32, DType::I64, DType::I32})
        compareType(*op, sample, dtype);
    }
  }
  // The kernel asked first for each type must have run.
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (const OpDef* op : allOps()) {
      if (op->view || kInternal.count(op->id)) continue;
      for (DType dtype : {DType::F64, DType::F32}) {
        const TenonKernel* first = nullptr;
        for (const TenonKernel* kernel : backend::kernelsFor(0, op->id))
          if (!first && (kernel->dtypes & dtypeBit(dtype))) first = kernel;
        if (first) {
          EXPECT_TRUE(ran().count({op->id, first->name, dtype, level}))
              << op->id << " " << first->name << " " << dtypeName(dtype) << " " << level;
        }
      }
    }
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
