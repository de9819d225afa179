// SPDX-License-Identifier: Apache-2.0
// Every fast kernel at sizes that fill no vector - 0, 1, 3, 17, 33, 65 - and over expanded inputs,
// against the f64 kernel.
//
// A sample is made larger or smaller by giving one of its sizes another value wherever it stands
// in an input's shape. Where the f64 kernel refuses that (parameters say another size), there is no
// such case; kFixed names the operators of which that leaves none at some size.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/backend/registry/devices.h"
#include "engine/backend/registry/kernel_table.h"
#include "tests/engine/ops/harness.h"
#include "tests/engine/ops/kernel_cases.h"
#include "tests/support/threads_guard.h"

namespace tenon::test {
namespace {

constexpr int64_t kSizes[] = {0, 1, 3, 17, 33, 65};
constexpr int64_t kMostElements = 20000;

/// Operators that no fast kernel takes at some size, and why. (The parameters' other sizes are met
/// by other samples: every operator has one that can be resized.)
struct Without {
  std::set<int64_t> sizes;
  std::string reason;
};
const std::map<std::string, Without> kFixed = {
    {"conv2d", {{0}, "oneDNN knows no empty tensors; the plain kernel takes those"}},
    {"conv2d_backward_data", {{0}, "oneDNN knows no empty tensors; the plain kernel takes those"}},
};

/// Where f32 may differ more than usual, and why.
const std::map<std::string, Tolerance> kWider = {
    // Sums over batch and positions, here hundreds of numbers of both signs that cancel.
    {"conv2d_backward_weight", {2e-6, 1e-4}},
    // A row's sum times an exponential, over rows of 67; as in all_kernels_test.
    {"log_softmax_backward", {1e-5, 1e-5}},
};

Tolerance toleranceFor(const OpDef& op) {
  const auto found = kWider.find(op.id);
  return found != kWider.end() ? found->second : toleranceOf(DType::F32);
}

std::vector<Tensor> callFresh(const OpDef& op, const std::vector<Tensor>& inputs,
                              const void* params) {
  Generator generator{42, 7};
  const gate::GeneratorGuard guard(generator);
  return callOp(op, inputs, params);
}

std::vector<Tensor> copies(const std::vector<Tensor>& inputs, DType floating) {
  std::vector<Tensor> all;
  all.reserve(inputs.size());
  for (const Tensor& t : inputs)
    all.push_back(!t.defined()              ? t
                  : t.dtype() == DType::F64 ? converted(t, floating)
                                            : laid(t, Lay::Dense));
  return all;
}

/// The sample with `from` become `to` in every shape; false if nothing changes or it grows too big.
bool resized(OpSample& sample, int64_t from, int64_t to) {
  bool changed = false;
  int64_t elements = 0;
  for (SampleInput& input : sample.inputs) {
    for (int i = 0; i < input.shape.ndim(); ++i)
      if (input.shape[i] == from) {
        input.shape[i] = to;
        changed = true;
      }
    elements += input.shape.numel();
  }
  return changed && from != to && elements <= kMostElements;
}

/// Numbers that f32 holds too.
std::vector<Tensor> numbersFor(const OpSample& sample) {
  std::vector<Tensor> inputs = makeInputs(sample);
  for (Tensor& t : inputs)
    if (t.defined() && t.dtype() == DType::F64) t = converted(converted(t, DType::F32), DType::F64);
  return inputs;
}

/// The same values along `axis` everywhere, as one value in memory.
Tensor expandedAlong(const Tensor& t, int axis) {
  Shape strides = t.strides();
  strides[axis] = 0;
  Tensor out = t.aliasWith(t.shape(), strides, 0);
  out.impl()->isView = false;
  return out;
}

/// What the last f64 kernel gives, which is the plain one; nothing if it does not take the case.
std::vector<Tensor> reference(const OpDef& op, const std::vector<Tensor>& exact,
                              const void* params) {
  const TenonKernel* last = nullptr;
  for (const TenonKernel* kernel : backend::kernelsFor(0, op.id))
    if (takes(*kernel, firstType(exact))) last = kernel;
  if (!last) return {};
  const ForcedKernel forced(*last);
  try {
    return callFresh(op, copies(exact, DType::F64), params);
  } catch (const Error&) {
    return {};
  }
}

bool isFast(const TenonKernel& kernel) { return std::string(kernel.name) != "reference"; }

/// @return whether a fast kernel ran
bool compareAll(const OpDef& op, const std::vector<Tensor>& given,
                const std::vector<Tensor>& wanted, const void* params) {
  KernelLog log;
  std::vector<Tensor> got;
  try {
    got = callFresh(op, given, params);
  } catch (const Error& error) {
    EXPECT_TRUE(mayRefuse(op, error)) << error.what();
    return false;
  }
  EXPECT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < std::min(got.size(), wanted.size()); ++i) {
    EXPECT_TRUE(near(got[i], wanted[i], toleranceFor(op))) << "output " << i;
    EXPECT_TRUE(paddingIsZero(got[i])) << "output " << i;
  }
  const TenonKernel* ran = log.lastKernel(op.id);
  return ran && isFast(*ran);
}

/// One resized sample in f32, in every layout. @return whether a fast kernel was compared
bool compareSample(const OpDef& op, const OpSample& sample) {
  const std::vector<Tensor> exact = numbersFor(sample);
  const std::vector<Tensor> wanted = reference(op, exact, paramsOf(sample));
  if (wanted.empty()) return false;
  bool fast = false;
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (Lay lay : kLays) {
      SCOPED_TRACE(level + " " + layName(lay));
      std::vector<Tensor> given = copies(exact, DType::F32);
      for (Tensor& t : given)
        if (canLie(t, lay)) t = laid(t, lay);
      fast |= compareAll(op, given, wanted, paramsOf(sample));
    }
  }
  return fast;
}

/// The same with the k-th input expanded: what differs along the axis is one number there.
void compareExpanded(const OpDef& op, const OpSample& sample, size_t k, int axis) {
  SCOPED_TRACE("input " + std::to_string(k) + " expanded along " + std::to_string(axis));
  std::vector<Tensor> exact = numbersFor(sample);
  exact[k] = laid(expandedAlong(exact[k], axis), Lay::Dense);
  const std::vector<Tensor> wanted = reference(op, exact, paramsOf(sample));
  if (wanted.empty()) return;
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    std::vector<Tensor> given = copies(exact, DType::F32);
    given[k] = expandedAlong(given[k], axis);
    compareAll(op, given, wanted, paramsOf(sample));
  }
}

void compareEachExpanded(const OpDef& op, const OpSample& sample) {
  for (size_t k = 0; k < sample.inputs.size(); ++k) {
    const SampleInput& input = sample.inputs[k];
    const bool absent = input.values == SampleInput::Values::Absent;
    const int last = input.shape.ndim() - 1;
    if (absent || last < 0 || input.shape.numel() == 0 || op.mutatesInput(k)) continue;
    compareExpanded(op, sample, k, last);
    if (last > 0) compareExpanded(op, sample, k, 0);
  }
}

bool hasFast(const OpDef& op) {
  for (const TenonKernel* kernel : backend::kernelsFor(0, op.id))
    if (takes(*kernel, DType::F32) && isFast(*kernel)) return true;
  return false;
}

/// Sizes at which a fast kernel of the operator was compared over some sample.
std::set<int64_t> comparedSizes(const OpDef& op) {
  std::set<int64_t> sizes;
  for (const OpSample& original : op.samples()) {
    if (!original.refusedWith.empty()) continue;
    std::set<int64_t> present;
    for (const SampleInput& input : original.inputs)
      for (int64_t size : input.shape) present.insert(size);
    for (int64_t from : present)
      for (int64_t to : kSizes) {
        OpSample sample = original;
        if (!resized(sample, from, to)) continue;
        SCOPED_TRACE(std::string(op.id) + ": " + sample.name + ", " + std::to_string(from) +
                     " become " + std::to_string(to));
        if (compareSample(op, sample)) sizes.insert(to);
        if (to == 17) compareEachExpanded(op, sample);
      }
  }
  return sizes;
}

TEST(SoakOddSizes, FastKernelsAgreeWithTheReference) {
  const FixedCompute oneThread(1, false);  // too little work for several: they would only wait
  int fast = 0;
  for (const OpDef* op : allOps()) {
    if (!op->samples || !hasFast(*op)) continue;
    ++fast;
    const std::set<int64_t> sizes = comparedSizes(*op);
    const auto fixed = kFixed.find(op->id);
    for (int64_t size : kSizes) {
      const bool without = fixed != kFixed.end() && fixed->second.sizes.count(size) == 1;
      EXPECT_EQ(sizes.count(size) == 0, without)
          << op->id << " was compared at size " << size << ": " << sizes.count(size);
    }
  }
  EXPECT_GT(fast, 100);
}

}  // namespace
}  // namespace tenon::test
