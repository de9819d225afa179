// SPDX-License-Identifier: Apache-2.0
// Calls to compare kernels with: operators' samples, and more for operators without, as each
// element type.
#pragma once

#include <string>
#include <vector>

#include "engine/backend/api/kernel.h"
#include "engine/ops/op_def.h"

namespace tenon::test {

inline constexpr DType kAllTypes[] = {DType::F64, DType::F32, DType::F16, DType::BF16, DType::I64,
                                      DType::I32, DType::I8,  DType::U8,  DType::Bool};

/// A call that must succeed. Floating inputs are f64.
struct KernelCase {
  std::string name;
  std::vector<Tensor> inputs;
  std::vector<bool> positive;  ///< of each input: no number may be 0 or less
  std::vector<std::byte> params;
  size_t alwaysF64 = ~size_t{0};    ///< the input that has that type beside every other
  std::vector<bool> constant = {};  ///< of each input: has no gradient; empty: not known

  const void* parameters() const { return params.empty() ? nullptr : params.data(); }
};

/// Every case of an operator.
std::vector<KernelCase> casesOf(const OpDef& op);
/// The inputs of the case with what is floating as another type: rounded, or small whole numbers.
/// Where an index comes first, indices are of that type if it is an integer; where a bool comes
/// first, bools stay. Empty if the case has nothing of its own for the type.
std::vector<Tensor> inputsAs(const KernelCase& made, DType dtype);
/// The same numbers as the f64 kernel takes them: `inputs` of `inputsAs` as f64, but for indices
/// and flags beside numbers.
std::vector<Tensor> exactly(const OpDef& op, const KernelCase& made,
                            const std::vector<Tensor>& inputs);
/// What operators that know no floating numbers must give; undefined for others.
Tensor bitsWanted(const OpDef& op, const std::vector<Tensor>& inputs);

/// Type of the first input, which is the type that kernels are known by.
DType firstType(const std::vector<Tensor>& inputs);
inline bool takes(const TenonKernel& kernel, DType dtype) {
  return (kernel.dtypes & dtypeBit(dtype)) != 0;
}

/// Numbers as a type holds them: integers wrap around, anything to bool is "not zero".
Tensor wrapped(const Tensor& numbers, DType dtype);

}  // namespace tenon::test
