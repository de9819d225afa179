// SPDX-License-Identifier: Apache-2.0
// Every kernel there is - of each operator, element type and instruction level - against the f64
// kernel over the same numbers, in every layout; a kernel that was compared with nothing fails.
//
// The f64 kernels themselves are held by gradient checks and PyTorch's values (all_ops_grad_test,
// golden_test and others). Numbers come from the operators' samples.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/backend/registry/devices.h"
#include "engine/backend/registry/kernel_table.h"
#include "tests/engine/ops/harness.h"
#include "tests/engine/ops/kernel_cases.h"

namespace tenon::test {
namespace {

/// Where f32 may differ more than usual, and why.
const std::map<std::string, Tolerance> kWider = {
    {"log_softmax_backward", {1e-5, 1e-5}},
};

Tolerance toleranceFor(const OpDef& op, DType dtype) {
  if (dtype == DType::F16) return {0x1p-10, 0x1p-24};
  if (dtype == DType::BF16) return {0x1p-7, 0};
  const auto found = kWider.find(op.id);
  return dtype == DType::F32 && found != kWider.end() ? found->second : toleranceOf(dtype);
}

/// Every (kernel, type that it names) that was compared.
using Compared = std::set<std::pair<const TenonKernel*, DType>>;

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

std::vector<Variant> variantsOf(const OpDef& op, DType dtype) {
  std::vector<Variant> all;
  for (const std::string& level : levels())
    for (Lay lay : kLays)
      for (bool firstOnly : {false, true})
        if ((lay != Lay::Dense || !firstOnly) && (lay != Lay::Blocked || !op.view))
          all.push_back({dtype, level, lay, firstOnly});
  return all;
}

std::vector<Tensor> laidOut(const std::vector<Tensor>& inputs, const Variant& variant) {
  std::vector<Tensor> all;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool change = canLie(inputs[i], variant.lay) && (i == 0 || !variant.firstOnly);
    all.push_back(!inputs[i].defined() ? Tensor()
                                       : laid(inputs[i], change ? variant.lay : Lay::Dense));
  }
  return all;
}

/// One operator with one case: its inputs in a type, and what its f64 kernel makes of their
/// numbers.
struct Trial {
  const OpDef& op;
  const KernelCase& made;
  std::vector<Tensor> inputs;
  std::vector<Tensor> wanted;
  Compared& compared;
};

std::vector<Tensor> callFresh(const Trial& trial, const std::vector<Tensor>& inputs) {
  Generator generator{42, 7};
  const gate::GeneratorGuard guard(generator);
  return callOp(trial.op, inputs, trial.made.parameters());
}

enum class By { Gate, Force };

/// Calls in that variant. A kernel that is forced may refuse; where the gate chooses, some kernel
/// must take every layout. @return the kernel that ran, null if none did or it is a view.
const TenonKernel* compare(const Trial& trial, const Variant& variant, By choice) {
  const std::vector<Tensor> given = laidOut(trial.inputs, variant);
  KernelLog log;
  std::vector<Tensor> got;
  try {
    got = callFresh(trial, given);
  } catch (const Error& error) {
    const bool refused =
        choice == By::Force &&
        std::string(error.what()).find("no kernel on cpu takes") != std::string::npos;
    EXPECT_TRUE(refused || mayRefuse(trial.op, error)) << error.what();
    return nullptr;
  }
  EXPECT_EQ(got.size(), trial.wanted.size());
  for (size_t i = 0; i < std::min(got.size(), trial.wanted.size()); ++i) {
    const Tensor wanted = wrapped(trial.wanted[i], got[i].dtype());
    EXPECT_TRUE(near(got[i], wanted, toleranceFor(trial.op, got[i].dtype()))) << "output " << i;
    EXPECT_TRUE(paddingIsZero(got[i])) << "output " << i;
  }
  const TenonKernel* ran = log.lastKernel(trial.op.id);
  if (!ran) return nullptr;
  trial.compared.insert({ran, firstType(given)});
  for (const Tensor& t : given)  // kernels name 16-bit types that they take in other places too
    if (t.defined() && dtypeBits(t.dtype()) == 16) trial.compared.insert({ran, t.dtype()});
  return ran;
}

/// The kernel that the gate chooses, which must be the first that takes the call, then all others.
void compareKernels(const Trial& trial, const Variant& variant) {
  SCOPED_TRACE(variant.text());
  const LevelGuard level(variant.level.c_str());
  const TenonKernel* chosen = compare(trial, variant, By::Gate);
  if (trial.op.view) return;
  const auto ofLevel = backend::kernelsFor(0, trial.op.id);
  const std::vector<const TenonKernel*> kernels(ofLevel.begin(), ofLevel.end());
  const auto rank = std::find(kernels.begin(), kernels.end(), chosen);
  if (!chosen) return;
  ASSERT_NE(rank, kernels.end()) << chosen->name << " is not of this instruction level";
  for (auto kernel = kernels.begin(); kernel != kernels.end(); ++kernel) {
    if (kernel == rank || !takes(**kernel, firstType(trial.inputs))) continue;
    SCOPED_TRACE(std::string((*kernel)->name) + ", forced");
    const ForcedKernel forced(**kernel);
    if (compare(trial, variant, By::Force)) {
      EXPECT_GT(kernel, rank) << "takes the call, but stands aside for " << chosen->name;
    }
  }
}

/// What the f64 kernel that comes last gives, or the rule of operators that know integers only.
std::vector<Tensor> reference(Trial& trial, const std::vector<Tensor>& exact) {
  if (const Tensor bits = bitsWanted(trial.op, trial.inputs); bits.defined()) return {bits};
  if (trial.op.view) return callFresh(trial, exact);
  const TenonKernel* last = nullptr;
  for (const TenonKernel* kernel : backend::kernelsFor(0, trial.op.id))
    if (takes(*kernel, firstType(exact))) last = kernel;
  EXPECT_NE(last, nullptr) << "no kernel to compare with for " << dtypeName(firstType(exact));
  if (!last) return {};
  const ForcedKernel forced(*last);
  return callFresh(trial, exact);
}

void compareType(const OpDef& op, const KernelCase& made, DType dtype, Compared& compared) {
  Trial trial{op, made, inputsAs(made, dtype), {}, compared};
  if (trial.inputs.empty()) return;
  const auto kernels = backend::kernelsFor(0, op.id);
  const bool known = std::any_of(kernels.begin(), kernels.end(), [&](const TenonKernel* kernel) {
    return takes(*kernel, firstType(trial.inputs));
  });
  if (!known && !op.view) return;
  SCOPED_TRACE(std::string(op.id) + ": " + made.name);
  trial.wanted = reference(trial, exactly(op, made, trial.inputs));
  for (const Variant& variant : variantsOf(op, dtype)) compareKernels(trial, variant);
}

/// Operators in shares, so that they can run side by side.
constexpr int kShares = 8;

class AllKernels : public ::testing::TestWithParam<int> {
 protected:
  /// The operator, if it belongs to this share.
  static const OpDef* ofShare(size_t i) {
    return i % kShares == static_cast<size_t>(GetParam()) ? allOps()[i] : nullptr;
  }
};

TEST_P(AllKernels, AgreeWithTheReference) {
  Compared compared;
  std::set<std::string> share;
  for (size_t i = 0; i < allOps().size(); ++i) {
    const OpDef* op = ofShare(i);
    if (!op) continue;
    share.insert(op->id);
    for (const KernelCase& made : casesOf(*op))
      for (DType dtype : kAllTypes) compareType(*op, made, dtype, compared);
  }
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (const TenonKernel* kernel : backend::builtKernels())
      for (DType dtype : kAllTypes)
        if (share.count(kernel->op) && takes(*kernel, dtype)) {
          EXPECT_TRUE(compared.count({kernel, dtype}))
              << "never compared: " << kernel->op << ", kernel " << kernel->name << ", "
              << dtypeName(dtype) << ", level " << level;
        }
  }
}

INSTANTIATE_TEST_SUITE_P(Share, AllKernels, ::testing::Range(0, kShares));

}  // namespace
}  // namespace tenon::test
