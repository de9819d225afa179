// SPDX-License-Identifier: Apache-2.0
// The cases of tests/reference/losses.json, which PyTorch made.
#pragma once

#include <string>

#include "engine/base/file.h"
#include "engine/schema/json.h"
#include "engine/schema/param_map.h"

namespace tenon::testing {

inline Json lossCases() {
  return parseJson(readFile(TENON_SOURCE_DIR "/tests/reference/losses.json", 1 << 24));
}

inline ParamMap settingsOf(const Json& lossCase) {
  ParamMap params;
  for (const JsonMember& member : lossCase.find("settings")->members()) {
    ParamValue value;
    if (paramFromJson(member.value, value)) params.set(member.key, value);
  }
  return params;
}

}  // namespace tenon::testing
