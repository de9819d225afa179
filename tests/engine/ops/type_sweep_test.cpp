// SPDX-License-Identifier: Apache-2.0
// Every operator with every element type: it computes what its f64 kernel makes of the same
// numbers, or refuses with a text that names operator and type. Nothing gives wrong numbers
// silently.
//
// Numbers come from the operators' samples. A floating type may be refused only where kRefused says
// so; an integer or bool may be, wherever it has no meaning.
#include <gtest/gtest.h>

#include <map>

#include "tests/engine/ops/harness.h"
#include "tests/engine/ops/kernel_cases.h"

namespace tenon::test {
namespace {

constexpr const char* kBits = "the bits of floating numbers have no meaning to a network";
constexpr const char* kIndices = "fills a tensor with whole numbers, which are i64";

/// Operators that take no floating type, and why.
const std::map<std::string, const char*> kRefused = {
    {"bitwise_and", kBits}, {"bitwise_not", kBits}, {"bitwise_or", kBits},
    {"bitwise_xor", kBits}, {"randint_", kIndices}, {"permutation_", kIndices},
};

Tolerance toleranceFor(DType dtype) {
  if (dtype == DType::F16) return {0x1p-10, 1e-5};
  if (dtype == DType::BF16) return {0x1p-7, 1e-5};
  if (dtype == DType::F32) return {1e-5, 1e-5};
  return toleranceOf(dtype);
}

/// The inputs of the case in a type: its numbers or, where it has none, what its first input is.
std::vector<Tensor> typed(const KernelCase& made, DType dtype) {
  std::vector<Tensor> all = inputsAs(made, dtype);
  if (!all.empty()) return all;
  all = made.inputs;
  for (Tensor& t : all)
    if (t.defined() && t.dtype() == firstType(made.inputs)) t = converted(t, dtype);
  return all;
}

/// A call of its own: in-place operators change copies, random ones draw the same numbers.
std::vector<Tensor> callFresh(const OpDef& op, const KernelCase& made,
                              const std::vector<Tensor>& inputs) {
  std::vector<Tensor> copies;
  copies.reserve(inputs.size());
  for (const Tensor& t : inputs) copies.push_back(t.defined() ? laid(t, Lay::Dense) : t);
  Generator generator{42, 7};
  const gate::GeneratorGuard guard(generator);
  return callOp(op, copies, made.parameters());
}

std::vector<Tensor> wantedOf(const OpDef& op, const KernelCase& made,
                             const std::vector<Tensor>& inputs) {
  if (const Tensor bits = bitsWanted(op, inputs); bits.defined()) return {bits};
  return callFresh(op, made, exactly(op, made, inputs));
}

/// What became of the calls of one operator in one type.
struct Seen {
  int computed = 0;
  int refused = 0;
};

void checkRefusal(const OpDef& op, DType dtype, const Error& error) {
  const std::string text = error.what();
  EXPECT_EQ(error.code(), Code::Type) << text;
  EXPECT_EQ(text.rfind("[" + std::string(op.id) + "]", 0), 0u) << text;
  EXPECT_NE(text.find(dtypeName(dtype)), std::string::npos) << text;
  EXPECT_TRUE(!isFloating(dtype) || kRefused.count(op.id))
      << "a floating type is refused: " << text;
}

void sweep(const OpDef& op, const KernelCase& made, DType dtype, Seen& seen) {
  SCOPED_TRACE(std::string(op.id) + ": " + made.name + ", " + std::string(dtypeName(dtype)));
  const std::vector<Tensor> inputs = typed(made, dtype);
  std::vector<Tensor> got;
  try {
    got = callFresh(op, made, inputs);
  } catch (const Error& error) {
    checkRefusal(op, dtype, error);
    ++seen.refused;
    return;
  }
  ++seen.computed;
  std::vector<Tensor> wanted;
  ASSERT_NO_THROW(wanted = wantedOf(op, made, inputs)) << "no f64 kernel says what is right";
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const DType type = got[i].dtype();
    EXPECT_TRUE(near(got[i], wrapped(wanted[i], type), toleranceFor(type))) << "output " << i;
  }
}

class TypeSweep : public ::testing::TestWithParam<DType> {};

TEST_P(TypeSweep, EveryOperatorComputesOrSaysWhyNot) {
  const DType dtype = GetParam();
  int computing = 0;
  for (const OpDef* op : allOps()) {
    Seen seen;
    for (const KernelCase& made : casesOf(*op)) sweep(*op, made, dtype, seen);
    EXPECT_GT(seen.computed + seen.refused, 0) << op->id << " was not called";
    computing += seen.computed > 0;
    if (isFloating(dtype) && kRefused.count(op->id)) {
      EXPECT_EQ(seen.computed, 0) << op->id << " takes " << dtypeName(dtype) << ", but is listed";
    }
  }
  const auto all = static_cast<int>(allOps().size());
  EXPECT_GT(computing, isFloating(dtype) ? all - 20 : all / 4) << "of " << all;
}

INSTANTIATE_TEST_SUITE_P(Types, TypeSweep, ::testing::ValuesIn(kAllTypes),
                         [](const auto& type) { return std::string(dtypeName(type.param)); });

}  // namespace
}  // namespace tenon::test
