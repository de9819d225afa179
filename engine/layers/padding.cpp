// SPDX-License-Identifier: Apache-2.0
// The modes of padding, and what each can make of an axis.
#include "engine/layers/padding.h"

namespace tenon {

ParamSpec padModeParam(std::string name) {
  return choiceParam(std::move(name), "zeros", {"zeros", "reflect", "replicate", "circular"})
      .describe(TENON_TEXT("What stands outside: zeros, the image mirrored at its edge, its edge, "
                           "or its other end."));
}

PadMode padMode(const ParamMap& params, std::string_view name) {
  const std::string& mode = params.getString(name);
  if (mode == "reflect") return PadMode::Reflect;
  if (mode == "replicate") return PadMode::Replicate;
  return mode == "circular" ? PadMode::Circular : PadMode::Constant;
}

bool padFits(PadMode mode, int64_t padding, int64_t size, const std::string& field,
             LayerPlan& plan) {
  const int64_t most = mode == PadMode::Reflect ? size - 1 : size;
  const bool bounded = mode == PadMode::Reflect || mode == PadMode::Circular;
  if (!bounded || padding <= most) return true;
  plan.issues.push_back(layerIssue(
      "graph.padding",
      TENON_TEXT("there are {0} elements to repeat outside an axis of {1}, padding wants {2}"),
      {std::to_string(most), std::to_string(size), std::to_string(padding)}, field));
  return false;
}

}  // namespace tenon
