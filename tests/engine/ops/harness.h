// SPDX-License-Identifier: Apache-2.0
// What tests of operators share: inputs made from samples, the same values in every layout, calls
// whose kernels are noted, and comparison.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/op_def.h"
#include "tests/support/error_text.h"

namespace tenon::test {

/// How the elements of a test tensor lie.
enum class Lay { Dense, Transposed, Sliced, Blocked };
inline constexpr Lay kLays[] = {Lay::Dense, Lay::Transposed, Lay::Sliced, Lay::Blocked};
const char* layName(Lay lay);
/// Blocked needs two dimensions, transposed needs two, sliced one.
bool canLie(const Tensor& t, Lay lay);
/// A tensor with memory of its own that holds the same elements and lies as wanted. Made by hand,
/// without operators.
Tensor laid(const Tensor& t, Lay lay);

/// Elements as f64 in logical order, whatever the type.
std::vector<double> numbersOf(const Tensor& t);
/// A dense tensor of that type from numbers.
Tensor fromNumbers(const std::vector<double>& numbers, const Shape& shape, DType dtype);
/// The same numbers as another type, dense.
Tensor converted(const Tensor& t, DType dtype);

/// Input of a sample: f64 (i64 for Index, bool for Bool), undefined for Absent. `seed` tells inputs
/// apart.
Tensor makeInput(const SampleInput& input, uint64_t seed);
std::vector<Tensor> makeInputs(const OpSample& sample);
/// Pointers to the tensors, as calls take them.
std::vector<const Tensor*> pointers(const std::vector<Tensor>& tensors);

/// The parameters of a sample, or null.
inline const void* paramsOf(const OpSample& sample) {
  return sample.params.empty() ? nullptr : sample.params.data();
}

/// What a call gave: its outputs, or the inputs it changed if it has none.
std::vector<Tensor> callOp(const OpDef& op, const std::vector<Tensor>& inputs, const void* params);

/// In-place operators refuse to write to what is not dense, and views of views to read what strides
/// cannot say; that is their right.
bool mayRefuse(const OpDef& op, const Error& error);

/// Notes which kernel ran for each operator while it lives.
class KernelLog : public gate::Listener {
 public:
  KernelLog() : guard_(*this) {}
  void onCall(const gate::CallInfo& info) override;
  /// Name of the kernel the operator last ran; empty if it did not.
  std::string last(const std::string& op) const;
  /// The kernel itself, which tells the instruction levels apart; null if it did not run.
  const TenonKernel* lastKernel(const std::string& op) const;
  const std::vector<std::pair<std::string, std::string>>& calls() const { return calls_; }

 private:
  std::vector<std::pair<std::string, std::string>> calls_;
  std::vector<const TenonKernel*> kernels_;  ///< of the same call
  gate::ListenerGuard guard_;
};

/// Runs code at another instruction level and comes back.
class LevelGuard {
 public:
  explicit LevelGuard(const char* level);
  ~LevelGuard();

 private:
  std::string saved_;
};
/// Levels this machine runs.
const std::vector<std::string>& levels();

/// Leaves an operator one kernel only while it lives.
class ForcedKernel {
 public:
  explicit ForcedKernel(const TenonKernel& kernel);
  ~ForcedKernel();
  ForcedKernel(const ForcedKernel&) = delete;
  ForcedKernel& operator=(const ForcedKernel&) = delete;

 private:
  const char* op_;
};

struct Tolerance {
  double rtol = 0;
  double atol = 0;
};
/// The usual tolerances of a type.
Tolerance toleranceOf(DType dtype);

/// Same shape, and |got - wanted| <= atol + rtol |wanted| for each element (NaN equals NaN).
::testing::AssertionResult near(const Tensor& got, const Tensor& wanted, Tolerance tolerance);

/// The padding of a blocked tensor is zero (true for others).
bool paddingIsZero(const Tensor& t);

}  // namespace tenon::test
