// SPDX-License-Identifier: Apache-2.0
// Every operator gives the same bits, forward and backward, from run to run with the same threads,
// and with the deterministic option for any number of them.
//
// Samples are small and run on one thread, so each is also repeated along its first axis until
// there is work for several.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/ops/arrange/arrange.h"
#include "tests/engine/ops/op_trial.h"
#include "tests/support/threads_guard.h"

namespace tenon::test {
namespace {

constexpr int64_t kElements = 80000;  // pointwise kernels give a thread no fewer than 16384

/// Every input that is as long as the first along axis 0 repeated along it; empty if none grows.
std::vector<Tensor> grown(const std::vector<Tensor>& values) {
  const Tensor& first = values[0];
  if (!first.defined() || first.ndim() == 0 || first.numel() == 0) return {};
  int64_t largest = 0;
  for (const Tensor& t : values)
    if (t.defined()) largest = std::max(largest, t.numel());
  const int64_t times = kElements / largest + 1;
  if (times < 2) return {};
  std::vector<Tensor> all = values;
  for (Tensor& t : all)
    if (t.defined() && t.ndim() > 0 && t.size(0) == first.size(0))
      t = cat(std::vector<Tensor>(static_cast<size_t>(times), t), 0);
  return all;
}

/// False if the operator does not take the values.
bool holds(const OpDef& op, const KernelCase& made, const std::vector<Tensor>& values) {
  const Takes takes(op, made, values);
  if (!takes.values) return false;
  const auto result = [&] { return OpTrial(op, made, values, takes.gradients).run(); };
  {
    const FixedCompute compute(3, false);
    const OpTrial::Result first = result();
    EXPECT_TRUE(result() == first) << "another run";
  }
  OpTrial::Result wanted;
  for (const int threads : {1, 2, 3, 7}) {
    const FixedCompute compute(threads, true);
    const OpTrial::Result got = result();
    if (threads == 1) wanted = got;
    EXPECT_TRUE(got.outputs == wanted.outputs) << threads << " threads, deterministic";
    EXPECT_TRUE(got.gradients == wanted.gradients) << threads << " threads, deterministic";
  }
  return true;
}

/// How many calls were compared.
int compareAll(DType dtype, bool large) {
  std::set<std::string> compared;
  for (const OpDef* op : allOps())
    for (const KernelCase& made : casesOf(*op)) {
      std::vector<Tensor> values = inputsAs(made, dtype);
      if (!values.empty() && large) values = grown(values);
      if (values.empty() || (large && compared.contains(op->id))) continue;  // one is enough
      SCOPED_TRACE(std::string(op->id) + ": " + made.name + ", " + std::string(dtypeName(dtype)));
      if (holds(*op, made, values)) compared.insert(op->id);
    }
  return static_cast<int>(compared.size());
}

TEST(SoakSameBits, OfEverySample) {
  for (const DType dtype : {DType::F32, DType::F64, DType::BF16, DType::I64})
    EXPECT_GT(compareAll(dtype, false), 50) << dtypeName(dtype);
}

TEST(SoakSameBits, OfEveryOperatorWithWorkForSeveralThreads) {
  EXPECT_GT(compareAll(DType::F32, true), 100);
}

}  // namespace
}  // namespace tenon::test
