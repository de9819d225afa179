// SPDX-License-Identifier: Apache-2.0
// The benchmark's kernels: single operators on fixed shapes, named as in the peer's script of
// kernels (tests/bench/kernels_torch.py).
//
// Work is counted by convention. Arithmetic: the multiplications and additions of the definition,
// however a kernel comes by its result. Memory: the bytes of every large tensor that forward and
// backward must read or write, once for each of the two; what one number a row or channel takes
// (means, weights of a norm, targets) is left out, and so is every second look at a tensor. Forward
// and backward of a function of one tensor so move 5: x, y; x (or y), dy, dx.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tenon::cli {

/// What a kernel cannot be faster than.
enum class Roof { Arithmetic, Memory };

struct Kernel {
  std::string name;
  Roof roof = Roof::Memory;
  double work = 0;  ///< of one call: operations (a multiply-add counts as 2) or bytes
  /// Makes the operands; what it returns runs the kernel on them once.
  std::function<std::function<void()>()> prepare;
};

const std::vector<Kernel>& kernels();

}  // namespace tenon::cli
