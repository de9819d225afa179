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

double number(const Json& params) { return params.at("a").get<double>(); }

}  // namespace

Functions functionsOf_in_place();
Functions functionsOf_in_place() {
  Functions all;
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
  all["mulScalarInPlace"] = onCopy([](const Tensor& x, const Json& params, const Tensors&) {
    mulScalarInPlace(x, number(params));
  });
  all["fillInPlace"] = onCopy(
      [](const Tensor& x, const Json& params, const Tensors&) { fillInPlace(x, number(params)); });
  all["reluInPlace"] = onCopy([](const Tensor& x, const Json&, const Tensors&) { reluInPlace(x); });
  return all;
}

}  // namespace tenon::parity
