// SPDX-License-Identifier: Apache-2.0
// Reading the cases of tests/reference/ops.json and the table of the functions they call.
#include "tests/engine/ops/golden.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace tenon::test::golden {
double numberIn(const Json& json) {
  return json.is_string() ? std::strtod(json.get<std::string>().c_str(), nullptr)
                          : json.get<double>();
}

std::vector<double> numbersIn(const Json& list) {
  std::vector<double> numbers;
  for (const Json& n : list) numbers.push_back(numberIn(n));
  return numbers;
}

Shape shapeIn(const Json& list) {
  Shape shape;
  for (const Json& n : list) shape.push(n.get<int64_t>());
  return shape;
}

Axes axesIn(const Json& list) {
  Axes axes;
  for (const Json& n : list) axes.push_back(n.get<int>());
  return axes;
}

const Functions& functions() {
  static const Functions kAll = [] {
    Functions all;
    addPointwise(all);
    addReductions(all);
    addShapes(all);
    addLosses(all);
    return all;
  }();
  return kAll;
}

}  // namespace tenon::test::golden
