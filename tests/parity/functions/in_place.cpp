// SPDX-License-Identifier: Apache-2.0
// Operators that write in place, on a copy of the first input so that gradients can be asked for.
#include <nlohmann/json.hpp>

#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "tests/parity/functions.h"

namespace tenon::parity {
namespace {

/// `write(copy, params, in)` changes the copy of in[0].
template <class F>
Function onCopy(F write) {
  return [write](const Json& params, const Tensors& in) {
    const Tensor copy = clone(in[0]);
    write(copy, params, in);
    return Tensors{copy};
  };
}

double number(const Json& params, const char* name = "a") { return params.at(name).get<double>(); }

// Every row of the tables of pointwise functions.
#define TENON_IN_PLACE0(name, ...) \
  all[#name "InPlace"] =           \
      onCopy([](const Tensor& x, const Json&, const Tensors&) { name##InPlace(x); });
#define TENON_IN_PLACE1(name, ...)                                                        \
  all[#name "InPlace"] = onCopy([](const Tensor& x, const Json& params, const Tensors&) { \
    name##InPlace(x, number(params));                                                     \
  });
#define TENON_IN_PLACE2(name, ...)                                                        \
  all[#name "InPlace"] = onCopy([](const Tensor& x, const Json& params, const Tensors&) { \
    name##InPlace(x, number(params), number(params, "b"));                                \
  });
#define TENON_IN_PLACE_PAIR(name, ...) \
  all[#name "InPlace"] =               \
      onCopy([](const Tensor& x, const Json&, const Tensors& in) { name##InPlace(x, in[1]); });

void addTables(Functions& all) {
  TENON_ARITHMETIC(TENON_IN_PLACE0, TENON_IN_PLACE1, TENON_IN_PLACE2)
  TENON_ACTIVATIONS(TENON_IN_PLACE0, TENON_IN_PLACE1, TENON_IN_PLACE2)
  TENON_EXPONENTIALS(TENON_IN_PLACE0, TENON_IN_PLACE1, TENON_IN_PLACE2)
  TENON_TRIGONOMETRIC(TENON_IN_PLACE0, TENON_IN_PLACE1, TENON_IN_PLACE2)
  TENON_ROUNDING(TENON_IN_PLACE0, TENON_IN_PLACE1, TENON_IN_PLACE2)
  TENON_BINARY_IN_PLACE(TENON_IN_PLACE_PAIR)
}

}  // namespace

Functions functionsOf_in_place();
Functions functionsOf_in_place() {
  Functions all;
  addTables(all);
  all["addInPlace"] =
      onCopy([](const Tensor& x, const Json&, const Tensors& in) { addInPlace(x, in[1]); });
  all["subInPlace"] =
      onCopy([](const Tensor& x, const Json&, const Tensors& in) { subInPlace(x, in[1]); });
  all["mulInPlace"] =
      onCopy([](const Tensor& x, const Json&, const Tensors& in) { mulInPlace(x, in[1]); });
  all["copyInPlace"] =
      onCopy([](const Tensor& x, const Json&, const Tensors& in) { copyInPlace(x, in[1]); });
  all["axpyInPlace"] = onCopy([](const Tensor& x, const Json& params, const Tensors& in) {
    axpyInPlace(x, in[1], number(params));
  });
  all["fillInPlace"] = onCopy(
      [](const Tensor& x, const Json& params, const Tensors&) { fillInPlace(x, number(params)); });
  all["maskedFillInPlace"] = onCopy([](const Tensor& x, const Json& params, const Tensors& in) {
    maskedFillInPlace(x, in[1], number(params));
  });
  return all;
}

}  // namespace tenon::parity
