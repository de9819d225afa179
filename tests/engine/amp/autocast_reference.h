// SPDX-License-Identifier: Apache-2.0
// What PyTorch gives under autocast: tests/reference/autocast.json, made by make_autocast.py.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace tenon::test {

using Json = nlohmann::json;

/// The whole file.
const Json& autocastReference();
/// The cases that have that key.
std::vector<Json> autocastCases(const char* key);

}  // namespace tenon::test
