// SPDX-License-Identifier: Apache-2.0
// From a pointwise function's row to the class of its operator under autocast.
#pragma once

#include "engine/ops/elementwise/functions/function.h"
#include "engine/ops/op_def.h"

namespace tenon {

constexpr AutocastClass autocastOf(functions::Autocast kind) {
  switch (kind) {
    case functions::Autocast::LowPrecision:
      return AutocastClass::LowPrecision;
    case functions::Autocast::Float32:
      return AutocastClass::Float32;
    case functions::Autocast::Widest:
      return AutocastClass::Widest;
    default:
      return AutocastClass::AsIs;
  }
}

}  // namespace tenon
