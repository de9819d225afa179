// SPDX-License-Identifier: Apache-2.0
// The functions that cases of tests/reference/nn.json call, by name, and how their settings are
// read.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/ops/spatial.h"
#include "engine/tensor/tensor.h"

namespace tenon::test::reference {

using Json = nlohmann::json;
using Inputs = std::vector<Tensor>;
using Function = std::function<Inputs(const Json& params, const Inputs& in)>;
using Functions = std::map<std::string, Function>;

/// Every function that has cases.
const Functions& functions();

// The families they are put together from.
void addLayers(Functions& all);
void addSpatial(Functions& all);
void addSequences(Functions& all);

/// Input i, or undefined if the case has fewer.
inline Tensor at(const Inputs& in, size_t i) { return i < in.size() ? in[i] : Tensor(); }
Shape shapeOf(const Json& sizes);
PerAxis perAxis(const Json& numbers);

}  // namespace tenon::test::reference
