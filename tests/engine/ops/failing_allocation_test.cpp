// SPDX-License-Identifier: Apache-2.0
// Every allocation of every operator's call, forward and backward, fails once: a typed error that
// says who asked, nothing left over, nothing changed, and the same bits in the next call.
#include <gtest/gtest.h>

#include <set>

#include "tests/engine/ops/op_trial.h"

namespace tenon::test {
namespace {

std::vector<uint64_t> versionsOf(const std::vector<Tensor>& tensors) {
  std::vector<uint64_t> all;
  all.reserve(tensors.size());
  for (const Tensor& t : tensors) all.push_back(t.defined() ? t.version() : 0);
  return all;
}

void expectNames(const OpTrial& trial, const std::string& text) {
  const std::string op = namedIn(text, "operator");
  EXPECT_NE(findOp(op), nullptr) << "no operator '" << op << "' in: " << text;
  if (!trial.forward) {
    EXPECT_TRUE(op == trial.op.id || op == "reorder" || op == "cast") << text;
  }
  EXPECT_EQ(namedIn(text, "layer"), "probe") << text;
  EXPECT_EQ(phaseIn(text), trial.forward ? "backward" : "forward") << text;
  EXPECT_NE(text.find("step 5"), std::string::npos) << text;
}

/// A call whose allocations are to fail, and what it gives when none does.
struct Call {
  const OpDef& op;
  const KernelCase& made;
  std::vector<Tensor> values;
  bool gradients;
  std::vector<Tensor> seeds = {};
  OpTrial::Result wanted = {};

  OpTrial trial() const {
    OpTrial trial(op, made, values, gradients);
    trial.seeds = seeds;
    return trial;
  }
  void prepare() {
    OpTrial first = trial();
    wanted = first.run();
    seeds = first.seeds;
  }
  bool failAt(uint64_t n) const;
};

/// Lets allocation n fail. False if there is no n-th.
bool Call::failAt(uint64_t n) const {
  const size_t without = memory::cpuAllocator().allocatedBytes();
  OpTrial call = trial();
  const Bits inputs = bitsOf(call.inputs);
  const std::vector<uint64_t> versions = versionsOf(call.inputs);
  const size_t live = memory::cpuAllocator().allocatedBytes();
  const std::optional<Error> failure = failureAt(n, [&] { call.run(); });
  if (!failure) return false;
  EXPECT_EQ(failure->code(), Code::Memory) << failure->what();
  expectNames(call, failure->what());
  if (call.forward && op.mutates) {
    // What a call that came to its end has written in place is no input of the next, and its
    // history holds what the gradient needs as long as it lives.
    call.inputs.clear();
    call.leaves.clear();
    EXPECT_EQ(memory::cpuAllocator().allocatedBytes(), without) << failure->what();
    return true;
  }
  EXPECT_EQ(memory::cpuAllocator().allocatedBytes(), live) << failure->what();
  EXPECT_EQ(bitsOf(call.inputs), inputs) << failure->what();
  EXPECT_EQ(versionsOf(call.inputs), versions) << failure->what();
  if (!call.forward) {
    EXPECT_EQ(call.generator.calls, 7U) << failure->what();
  }
  call.generator.calls = 7;
  EXPECT_TRUE(call.run() == wanted) << "after: " << failure->what();
  return true;
}

/// How many allocations the call has, each of which failed once.
uint64_t failEach(const OpDef& op, const KernelCase& made, const std::vector<Tensor>& values) {
  const Takes takes(op, made, values);
  if (!takes.values) return 0;
  Call call{op, made, values, takes.gradients};
  call.prepare();
  uint64_t n = 1;
  while (n < 500 && !::testing::Test::HasFailure() && call.failAt(n)) ++n;
  EXPECT_LT(n, 500U) << "a call with so many allocations?";
  return n - 1;
}

TEST(SoakFailingAllocation, LeavesEveryOperatorAsItWas) {
  std::set<std::string> failed;
  uint64_t failures = 0;
  for (const OpDef* op : allOps())
    for (const KernelCase& made : casesOf(*op))
      for (const DType dtype : {DType::F32, DType::F64, DType::F16, DType::I64}) {
        const std::vector<Tensor> values = inputsAs(made, dtype);
        if (values.empty()) continue;
        SCOPED_TRACE(std::string(op->id) + ": " + made.name + ", " + std::string(dtypeName(dtype)));
        const uint64_t each = failEach(*op, made, values);
        failures += each;
        if (each > 0) failed.insert(op->id);
        if (HasFailure()) return;  // one is enough to read
      }
  EXPECT_GT(failures, 2000U);
  EXPECT_GT(failed.size(), 100U);
}

}  // namespace
}  // namespace tenon::test
