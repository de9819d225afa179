// SPDX-License-Identifier: Apache-2.0
// Types, copies, bits and shapes: operators that the committed reference values test in other ways.
#include <nlohmann/json.hpp>

#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/sort/sort.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/golden.h"
#include "tests/parity/functions.h"

namespace tenon::parity {
namespace {

int axis(const Json& params) { return params.at("axis").get<int>(); }

Tensors both(const ValuesAndIndices& found) { return {found.values, found.indices}; }

void addShapes(Functions& all) {
  all["linearRelu"] = [](const Json&, const Tensors& in) {
    return Tensors{linearRelu(in[0], in[1], in.size() > 2 ? in[2] : Tensor())};
  };
  all["flatten"] = [](const Json& p, const Tensors& in) {
    return Tensors{flatten(in[0], p.at("first"), p.at("last"))};
  };
  all["transpose"] = [](const Json& p, const Tensors& in) {
    return Tensors{transpose(in[0], p.at("a"), p.at("b"))};
  };
  all["squeeze"] = [](const Json& p, const Tensors& in) {
    return Tensors{squeeze(in[0], axis(p))};
  };
  all["unsqueeze"] = [](const Json& p, const Tensors& in) {
    return Tensors{unsqueeze(in[0], axis(p))};
  };
  all["fold"] = [](const Json& p, const Tensors& in) {
    return Tensors{fold(in[0], axis(p), p.at("step"), p.at("length"))};
  };
  all["splitAll"] = [](const Json& p, const Tensors& in) {
    return split(in[0], p.at("sizes"), axis(p));
  };
  all["chunkAll"] = [](const Json& p, const Tensors& in) {
    return chunk(in[0], p.at("count"), axis(p));
  };
}

void addIndices(Functions& all) {
  all["maxWithIndices"] = [](const Json& p, const Tensors& in) {
    return both(maxAlong(in[0], axis(p), p.at("keepdim")));
  };
  all["minWithIndices"] = [](const Json& p, const Tensors& in) {
    return both(minAlong(in[0], axis(p), p.at("keepdim")));
  };
  all["argmaxOfAll"] = [](const Json&, const Tensors& in) { return Tensors{argmax(in[0])}; };
  all["argminOfAll"] = [](const Json&, const Tensors& in) { return Tensors{argmin(in[0])}; };
  all["sortWithIndices"] = [](const Json& p, const Tensors& in) {
    return both(sort(in[0], axis(p), p.at("descending")));
  };
  all["topkWithIndices"] = [](const Json& p, const Tensors& in) {
    return both(topk(in[0], p.at("k"), axis(p), p.at("largest")));
  };
  all["countCorrect"] = [](const Json& p, const Tensors& in) {
    return Tensors{countCorrect(in[0], in[1], p.at("ignore"))};
  };
}

}  // namespace

Functions functionsOf_tensors();
Functions functionsOf_tensors() {
  Functions all;
  all["cast"] = [](const Json& p, const Tensors& in) {
    return Tensors{cast(in[0], dtypeFromName(p.at("type").get<std::string>()))};
  };
  all["clone"] = [](const Json&, const Tensors& in) { return Tensors{clone(in[0])}; };
  all["contiguous"] = [](const Json&, const Tensors& in) { return Tensors{contiguous(in[0])}; };
  all["bitwiseAnd"] = [](const Json&, const Tensors& in) {
    return Tensors{bitwiseAnd(in[0], in[1])};
  };
  all["bitwiseOr"] = [](const Json&, const Tensors& in) {
    return Tensors{bitwiseOr(in[0], in[1])};
  };
  all["bitwiseXor"] = [](const Json&, const Tensors& in) {
    return Tensors{bitwiseXor(in[0], in[1])};
  };
  all["bitwiseNot"] = [](const Json&, const Tensors& in) { return Tensors{bitwiseNot(in[0])}; };
  all["floorDivide"] = [](const Json&, const Tensors& in) {
    return Tensors{floorDivide(in[0], in[1])};
  };
  all["lerpScalar"] = [](const Json& p, const Tensors& in) {
    return Tensors{lerp(in[0], in[1], p.at("weight").get<double>())};
  };
  all["sumTo"] = [](const Json& p, const Tensors& in) {
    return Tensors{sumTo(in[0], test::golden::shapeIn(p.at("shape")))};
  };
  addShapes(all);
  addIndices(all);
  return all;
}

}  // namespace tenon::parity
