// SPDX-License-Identifier: Apache-2.0
// Reading the settings of cases of tests/reference/nn.json and the table of the functions they
// call.
#include "tests/engine/ops/reference_cases.h"

#include <nlohmann/json.hpp>

namespace tenon::test::reference {

Shape shapeOf(const Json& sizes) {
  Shape shape;
  for (const Json& size : sizes) shape.push(size.get<int64_t>());
  return shape;
}

PerAxis perAxis(const Json& numbers) {
  PerAxis all;
  for (const Json& number : numbers) all.push_back(number.get<int64_t>());
  return all;
}

const Functions& functions() {
  static const Functions kAll = [] {
    Functions all;
    addLayers(all);
    addSpatial(all);
    addSequences(all);
    return all;
  }();
  return kAll;
}

}  // namespace tenon::test::reference
