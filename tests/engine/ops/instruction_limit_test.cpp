// SPDX-License-Identifier: Apache-2.0
// TENON_CPU holds oneDNN to the same level as our kernels, or it is said that it cannot.
#include "engine/backend/cpu/instruction_limit.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include <dnnl.hpp>

#include "tests/support/error_text.h"

namespace tenon {
namespace {

/// Ends the process, with 0 if oneDNN then takes at most `isa`.
[[noreturn]] void limitAndLook(const char* level, dnnl::cpu_isa isa) {
  cpu::onednn::limitInstructions(level);
  std::exit(dnnl::get_effective_cpu_isa() == isa ? 0 : 1);
}

/// A process of its own for each, since oneDNN takes one limit only.
class InstructionLimit : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
using InstructionLimitDeathTest = InstructionLimit;

TEST_F(InstructionLimitDeathTest, HoldsOneDnnToTheLevel) {
  EXPECT_EXIT(limitAndLook("baseline", dnnl::cpu_isa::sse41), ::testing::ExitedWithCode(0), "");
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this processor has no AVX2";
  EXPECT_EXIT(limitAndLook("avx2", dnnl::cpu_isa::avx2), ::testing::ExitedWithCode(0), "");
}

TEST_F(InstructionLimit, IsRefusedWhereItComesTooLate) {
  dnnl::get_effective_cpu_isa();
  EXPECT_EQ(errorOf([] { cpu::onednn::limitInstructions("avx2"); }),
            "[cpu] oneDNN cannot be held to level 'avx2': it has chosen its instructions already");
}

}  // namespace
}  // namespace tenon
