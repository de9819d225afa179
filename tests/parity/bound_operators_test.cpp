// SPDX-License-Identifier: Apache-2.0
// No operator of the registry is forgotten by ./dev parity, and none is named that is not there.
#include <gtest/gtest.h>

#include <map>

#include "engine/ops/op_def.h"
#include "tests/parity/functions.h"

namespace tenon::parity {
namespace {

std::map<std::string, Bound> rows() {
  std::map<std::string, Bound> all;
  for (const Bound& row : boundOperators())
    EXPECT_TRUE(all.emplace(row.op, row).second) << row.op << " has two rows";
  return all;
}

TEST(Parity, EveryOperatorIsBoundOrSaysWhyNot) {
  const std::map<std::string, Bound> all = rows();
  ASSERT_GT(allOps().size(), 100U);
  for (const OpDef* op : allOps()) {
    const auto row = all.find(op->id);
    EXPECT_TRUE(row != all.end())
        << op->id << " wants a row in tests/parity/bound_operators.cpp, and cases that run it";
  }
}

TEST(Parity, RowsNameOperatorsAndFunctionsThatAreThere) {
  for (const auto& [id, row] : rows()) {
    EXPECT_NE(findOp(id), nullptr) << id;
    EXPECT_EQ(row.function == nullptr, row.reason != nullptr) << id;
    if (row.function) {
      EXPECT_EQ(functions().count(row.function), 1U) << id << ": " << row.function;
    }
  }
}

}  // namespace
}  // namespace tenon::parity
