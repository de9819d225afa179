// SPDX-License-Identifier: Apache-2.0
// The functions that the committed reference values call too: tests/engine/ops/golden_*.cpp and
// reference_*.cpp.
#include <nlohmann/json.hpp>

#include "tests/engine/ops/golden.h"
#include "tests/engine/ops/reference_cases.h"
#include "tests/parity/functions.h"

namespace tenon::parity {

Functions functionsOf_reference();
Functions functionsOf_reference() {
  Functions all = test::reference::functions();
  for (const auto& [name, function] : test::golden::functions())
    all.emplace(name, [function](const Json& params, const Tensors& in) {
      return Tensors{function(in, params)};
    });
  return all;
}

}  // namespace tenon::parity
