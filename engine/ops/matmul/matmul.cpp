// SPDX-License-Identifier: Apache-2.0
// Operator matmul: shape rule, gradient, and the forms a user calls.
//
// The operator takes matrices (two axes or more); vectors become matrices through views. Gradients
// are matmul again, with the transpositions turned, summed back over broadcast axes.
#include "engine/ops/matmul/matmul.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

Shape leading(const Shape& shape) { return Shape(shape.span().first(shape.span().size() - 2)); }

void meta(const OpCall& call, std::span<TensorMeta> out) {
  const auto& p = call.as<MatmulParams>();
  requirePresent(call, {0, 1});
  const DType type = requireOneFloatingType(call, {0, 1});
  const Shape& a = call.input(0).shape();
  const Shape& b = call.input(1).shape();
  if (a.ndim() < 2 || b.ndim() < 2) refuseShapes(call, "wants at least 2 axes of both");
  const int64_t m = a.at(p.transposeA ? -1 : -2), inner = a.at(p.transposeA ? -2 : -1);
  const int64_t n = b.at(p.transposeB ? -2 : -1), other = b.at(p.transposeB ? -1 : -2);
  if (inner != other)
    refuseShapes(
        call, fmt::format("a has {} {}{}, b has {} {}{}", inner, p.transposeA ? "rows" : "columns",
                          p.transposeA ? " (transposed)" : "", other,
                          p.transposeB ? "columns" : "rows", p.transposeB ? " (transposed)" : ""));
  Shape shape = broadcastShapes(leading(a), leading(b), call.op.id);
  shape.push(m);
  shape.push(n);
  out[0] = {shape, type};
}

void grad(GradCall& call) {
  const bool ta = call.as<MatmulParams>().transposeA, tb = call.as<MatmulParams>().transposeB;
  const Tensor& a = call.inputs[0];
  const Tensor& b = call.inputs[1];
  const Tensor& dc = call.gradOutputs[0];
  if (call.needs(0)) {
    const Tensor da = ta ? matmul(b, dc, {tb, 1}) : matmul(dc, b, {0, !tb});
    call.gradInputs[0] = sumTo(da, call.inputMetas[0].shape);
  }
  if (call.needs(1)) {
    const Tensor db = tb ? matmul(dc, a, {1, ta}) : matmul(a, dc, {!ta, 0});
    call.gradInputs[1] = sumTo(db, call.inputMetas[1].shape);
  }
}

struct Case {
  const char* name;
  Shape a;
  Shape b;
  MatmulParams params = {};
};

const Case kCases[] = {
    {"matrices", {3, 4}, {4, 5}},
    {"odd sizes", {13, 17}, {17, 11}},
    {"a transposed", {4, 3}, {4, 5}, {1, 0}},
    {"b transposed", {3, 4}, {5, 4}, {0, 1}},
    {"both transposed", {4, 3}, {5, 4}, {1, 1}},
    {"one row", {1, 6}, {6, 9}},
    {"one column", {5, 3}, {3, 1}},
    {"inner size 1", {5, 1}, {1, 7}},
    {"batch", {3, 2, 4}, {3, 4, 5}},
    {"batch, b shared", {2, 3, 4}, {4, 8}},
    {"batch, a shared", {2, 3}, {4, 3, 5}},
    {"batch broadcast", {2, 1, 3, 2}, {3, 2, 4}},
    {"batch, b transposed", {2, 3, 4}, {2, 5, 4}, {0, 1}},
    {"eights", {16, 16}, {16, 24}},
};

std::vector<OpSample> samples() {
  std::vector<OpSample> all;
  for (const Case& c : kCases) all.push_back({c.name, {{c.a}, {c.b}}, sampleParams(c.params), {}});
  const auto plain = sampleParams(MatmulParams{});
  all.push_back({"inner sizes",
                 {{{3, 4}}, {{5, 2}}},
                 plain,
                 {"[matmul] a has 4 columns, b has 5 rows", "a [3, 4], b [5, 2]"}});
  all.push_back({"inner sizes, transposed",
                 {{{3, 4}}, {{5, 2}}},
                 sampleParams(MatmulParams{1, 1}),
                 {"a has 3 rows (transposed), b has 2 columns (transposed)"}});
  all.push_back({"batches", {{{2, 3, 4}}, {{3, 4, 5}}}, plain, {"[matmul]", "[2]", "[3]"}});
  all.push_back({"axes", {{{4}}, {{4, 5}}}, plain, {"wants at least 2 axes of both"}});
  return all;
}

const OpDef kMatmul = {.id = "matmul",
                       .help = "Product of matrices in the last two axes.",
                       .inputNames = {"a", "b"},
                       .paramBytes = sizeof(MatmulParams),
                       .meta = &meta,
                       .savesInputs = 0b11,
                       .grad = &grad,
                       .autocast = AutocastClass::LowPrecision,
                       .samples = &samples};

const OpDef* const kOps[] = {&kMatmul};

void requireAxis(const Tensor& t, const char* name) {
  if (!t)
    throw Error(Code::Usage, fmt::format("[matmul] {} is undefined: it holds no tensor", name));
  if (t.ndim() < 1)
    throw Error(Code::Shape,
                fmt::format("[matmul] {} wants at least one axis, got a scalar", name));
}

}  // namespace

OpDefList opDefs_matmul();
OpDefList opDefs_matmul() { return {kOps, 1}; }

Tensor matmul(const Tensor& a, const Tensor& b, const MatmulParams& params) {
  return gate::run(kMatmul, {&a, &b}, &params);
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  requireAxis(a, "a");
  requireAxis(b, "b");
  const bool rowVector = a.ndim() == 1, columnVector = b.ndim() == 1;
  const Tensor left = rowVector ? unsqueeze(a, 0) : a;
  const Tensor right = columnVector ? unsqueeze(b, 1) : b;
  Tensor c = matmul(left, right, MatmulParams{});
  if (columnVector) c = squeeze(c, -1);
  if (rowVector) c = squeeze(c, columnVector ? -1 : -2);
  return c;
}

}  // namespace tenon
