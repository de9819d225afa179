// SPDX-License-Identifier: Apache-2.0
// Operators "flip" and "triangle".
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/arrange/arrange.h"
#include "engine/ops/arrange/families.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

/// Both operators are their own gradients.
void sameGrad(GradCall& call) {
  call.gradInputs[0] = gate::run(call.op, {&call.gradOutputs[0]}, call.params);
}

void describeFlip(const void* params, ParamMap& out) {
  std::vector<int64_t> axes;
  for (int i = 0; i < kMaxDims; ++i)
    if ((static_cast<const FlipParams*>(params)->axes >> i) & 1u) axes.push_back(i);
  out.set("axes", axes);
}

std::vector<OpSample> flipSamples() {
  const auto over = [](uint32_t axes) { return sampleParams(FlipParams{axes}); };
  return {{"rows", {{{3, 5}}}, over(1), {}},
          {"columns", {{{3, 5}}}, over(2), {}},
          {"both of three", {{{2, 3, 4}}}, over(5), {}},
          {"all", {{{2, 3, 1, 4}}}, over(15), {}},
          {"nothing", {{{2, 0}}}, over(2), {}}};
}

void triangleMeta(const OpCall& call, std::span<TensorMeta> out) {
  likeFirst(call, out);
  if (call.input(0).ndim() < 2)
    throw Error(Code::Shape,
                fmt::format("[triangle] wants two axes or more, got {}", describe(call.input(0))));
}

void describeTriangle(const void* params, ParamMap& out) {
  const auto* p = static_cast<const TriangleParams*>(params);
  out.set("diagonal", p->diagonal);
  out.set("upper", p->upper != 0);
}

std::vector<OpSample> triangleSamples() {
  const auto cut = [](int64_t diagonal, int upper) {
    return sampleParams(TriangleParams{diagonal, upper});
  };
  return {{"lower", {{{5, 4}}}, cut(0, 0), {}},
          {"upper", {{{4, 5}}}, cut(0, 1), {}},
          {"lower and more", {{{2, 3, 5}}}, cut(2, 0), {}},
          {"upper but less", {{{2, 2, 3, 3}}}, cut(-1, 1), {}},
          {"everything", {{{3, 3}}}, cut(9, 0), {}},
          {"nothing", {{{3, 3}}}, cut(9, 1), {}},
          {"vector", {{{3}}}, cut(0, 0), {"two axes", "[3]"}}};
}

const OpDef kFlip = {.id = "flip",
                     .help = "Elements along axes in reverse order.",
                     .inputNames = {"x"},
                     .paramBytes = sizeof(FlipParams),
                     .meta = &likeFirst,
                     .grad = &sameGrad,
                     .describe = &describeFlip,
                     .samples = &flipSamples};
const OpDef kTriangle = {.id = "triangle",
                         .help = "Zeros on one side of a diagonal of the last two axes.",
                         .inputNames = {"x"},
                         .paramBytes = sizeof(TriangleParams),
                         .meta = &triangleMeta,
                         .grad = &sameGrad,
                         .describe = &describeTriangle,
                         .samples = &triangleSamples};

}  // namespace

namespace arrange {
const OpDef& flipOp() { return kFlip; }
const OpDef& triangleOp() { return kTriangle; }
}  // namespace arrange

Tensor flip(const Tensor& x, const Axes& axes) {
  if (!x.defined()) throw Error(Code::Usage, "[flip] x is undefined: it holds no tensor");
  FlipParams params;
  for (int axis : axes) {
    const uint32_t bit = 1u << normalizeAxis(axis, x.ndim(), "flip");
    if (params.axes & bit)
      throw Error(Code::Shape,
                  fmt::format("[flip] axis {} is named twice for {}", axis, describe(x)));
    params.axes |= bit;
  }
  return gate::run(kFlip, {&x}, &params);
}

Tensor tril(const Tensor& x, int64_t diagonal) {
  const TriangleParams params{diagonal, 0};
  return gate::run(kTriangle, {&x}, &params);
}
Tensor triu(const Tensor& x, int64_t diagonal) {
  const TriangleParams params{diagonal, 1};
  return gate::run(kTriangle, {&x}, &params);
}

}  // namespace tenon
