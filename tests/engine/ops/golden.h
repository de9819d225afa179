// SPDX-License-Identifier: Apache-2.0
// The functions that cases of tests/reference/ops.json call, by name, and how the cases' values are
// read.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/ops/view/view.h"
#include "engine/tensor/tensor.h"

namespace tenon::test::golden {

using Json = nlohmann::json;
using Inputs = std::vector<Tensor>;
using Function = std::function<Tensor(const Inputs&, const Json&)>;
using Functions = std::map<std::string, Function>;

/// Every function that has cases.
const Functions& functions();

// The families they are put together from.
void addPointwise(Functions& all);
void addReductions(Functions& all);
void addShapes(Functions& all);
void addLosses(Functions& all);

/// A number; infinities and NaN are strings.
double numberIn(const Json& json);
std::vector<double> numbersIn(const Json& list);
Shape shapeIn(const Json& list);
Axes axesIn(const Json& list);

}  // namespace tenon::test::golden
