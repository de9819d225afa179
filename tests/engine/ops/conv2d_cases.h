// SPDX-License-Identifier: Apache-2.0
// Whole convolutions, forward and both gradients, for tests of the kernels that share them.
#pragma once

#include <string>
#include <vector>

#include "engine/ops/conv2d/conv2d.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {

inline constexpr const char* kConvOps[] = {"conv2d", "conv2d_backward_data",
                                           "conv2d_backward_weight"};

struct ConvCase {
  Shape x, w;
  Conv2dParams params;
  bool bias = true;
  const char* why = "";  ///< of a case that a kernel leaves to others

  std::string text() const;
};

/// Numbers that f32 holds, in another type too.
Tensor randomNumbers(const Shape& shape, uint64_t seed, DType dtype = DType::F32);
/// y, dx, dw, db.
std::vector<Tensor> convolveAll(const ConvCase& c, DType dtype);
/// Their bytes, one after the other, in f32.
std::vector<std::byte> bitsOf(const ConvCase& c);
/// Compares f32 results with those of f64. @param unit absolute error that a term of a sum may add
void expectNear(const ConvCase& c, const std::vector<Tensor>& fast,
                const std::vector<Tensor>& exact, double unit);
/// The bits are the same with 1, 2, 3 and 7 threads.
void expectSameBitsForAnyTeam(const ConvCase& c);
/// The bits are the same with and without the wide loops, where the processor has them.
void expectSameBitsForAnyWidth(const ConvCase& c);
/// No operator runs `kernel`.
void expectOthers(const ConvCase& c, const char* kernel);

}  // namespace tenon::test
