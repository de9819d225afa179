// SPDX-License-Identifier: Apache-2.0
// Loading weights by name into a module, and saying what did not fit.
#pragma once

#include <string>
#include <vector>

#include "engine/modules/module.h"
#include "engine/ops/op_def.h"

namespace tenon::nn {

struct LoadOptions {
  bool strict =
      true;  ///< refuse unless every name of the module and of the dictionary has its match
  std::string stripPrefix = {};  ///< cut from names that begin with it, e.g. "module."
  bool skipMismatched = false;   ///< leave out what has another shape instead of refusing it
};

/// An entry that cannot be copied: another shape, or floating values for an integer tensor.
struct StateMismatch {
  std::string name;
  TensorMeta wanted;
  TensorMeta got;
};

struct LoadReport {
  std::vector<std::string> missing;     ///< of the module, not in the dictionary; keep their values
  std::vector<std::string> unexpected;  ///< in the dictionary (prefix cut), not of the module
  std::vector<StateMismatch> mismatched;
  size_t loaded = 0;
  bool complete() const { return missing.empty() && unexpected.empty() && mismatched.empty(); }
};

/// One line a name: "missing: fc.bias", "fc.weight: wanted f32 [2, 3], got f32 [2, 4]".
TENON_API std::string textOf(const LoadReport& report);

/// Copies values into the module's own tensors, converted to their types, without recording it.
/// @throws Error(Input) listing everything, before anything was copied: mismatches unless
/// `skipMismatched`; missing and unexpected names if `strict`; two entries of one name. An optional
/// buffer (NamedBuffer) that the dictionary lacks becomes zero and is not missing.
TENON_API LoadReport loadState(const Module& module, const StateDict& state,
                               const LoadOptions& options = {});

}  // namespace tenon::nn
