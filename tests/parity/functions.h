// SPDX-License-Identifier: Apache-2.0
// What cases of ./dev parity may call, by name, and the operators that their cases run.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "engine/tensor/tensor.h"

namespace tenon::parity {

using Json = nlohmann::json;
using Tensors = std::vector<Tensor>;
/// Parameters and inputs (undefined where a case leaves one out) to outputs.
using Function = std::function<Tensors(const Json& params, const Tensors& in)>;
using Functions = std::map<std::string, Function>;

/// Every function: those of each file in functions/.
const Functions& functions();

/// How an operator of the registry comes to be compared with PyTorch.
struct Bound {
  const char* op;
  const char* function;  ///< whose cases run it; null: none do
  const char* reason;    ///< why none do; null if some do
};
/// One row for every operator of the engine (bound_operators_test.cpp).
std::span<const Bound> boundOperators();

}  // namespace tenon::parity
