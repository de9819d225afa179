// SPDX-License-Identifier: Apache-2.0
// Operators "index_select" and "index_add": an index for each part along an axis; embeddings.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/index/families.h"
#include "engine/ops/index/index.h"
#include "engine/ops/meta.h"
#include "engine/ops/view/view.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

using Values = SampleInput::Values;

void needIndexList(const OpCall& call) {
  needType(call, 1, DType::I64);
  const Tensor& index = call.input(1);
  if (index.ndim() != 1)
    throw Error(Code::Shape,
                fmt::format("[{}] index must be [K], got {}", call.op.id, describe(index)));
}

void selectMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  needIndexList(call);
  likeFirst(call, out);
  out[0].shape[call.as<IndexParams>().axis] = call.input(1).size(0);
}

void addMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  needIndexList(call);
  const auto& params = call.as<IndexParams>();
  Shape wanted = call.input(0).shape();
  wanted[params.axis] = call.input(1).size(0);
  needShape(call, 0, wanted);
  wanted[params.axis] = params.size;
  out[0] = {wanted, call.input(0).dtype()};
  if (!call.has(2)) return;
  needSameType(call, 0, 2);
  needShape(call, 2, wanted);
}

const OpDef& selectOp();
const OpDef& addOp();

void selectGrad(GradCall& call) {
  const Tensor none;
  call.gradInputs[0] =
      gate::run(addOp(), {&call.gradOutputs[0], &call.inputs[1], &none}, call.params);
}

/// 1 for each index but those of the place that is left out, shaped to multiply a selection.
Tensor keptParts(const Tensor& index, const IndexParams& params, const Tensor& like) {
  const Tensor kept =
      notEqual(index, Tensor::full({}, static_cast<double>(params.skip), DType::I64));
  Shape shape = like.shape();
  for (int i = 0; i < shape.ndim(); ++i)
    if (i != params.axis) shape[i] = 1;
  return reshape(cast(kept, like.dtype()), shape);
}

void addGrad(GradCall& call) {
  const auto& params = call.as<IndexParams>();
  const Tensor& dy = call.gradOutputs[0];
  const Tensor& index = call.inputs[1];
  if (call.inputMetas.size() > 2 && call.needs(2)) call.gradInputs[2] = dy;
  if (!call.needs(0)) return;
  IndexParams read = params;
  read.skip = -1;
  const Tensor parts = gate::run(selectOp(), {&dy, &index}, &read);
  call.gradInputs[0] = params.skip < 0 ? parts : mul(parts, keptParts(index, params, parts));
}

void describeIndex(const void* params, ParamMap& out) {
  const auto* p = static_cast<const IndexParams*>(params);
  out.set("axis", int64_t{p->axis});
  out.set("size", p->size);
  out.set("skip", p->skip);
}

std::vector<OpSample> selectSamples() {
  const auto along = [](int axis, int64_t size, int64_t skip = -1) {
    return sampleParams(IndexParams{axis, size, skip});
  };
  const auto index = [](int64_t count, double size) {
    return SampleInput{{count}, Values::Index, 0, size};
  };
  return {{"rows", {{{4, 5}}, index(7, 4)}, along(0, 4), {}},
          {"columns", {{{4, 5}}, index(3, 5)}, along(1, 5), {}},
          {"middle", {{{2, 3, 4}}, index(5, 3)}, along(1, 3), {}},
          {"nothing", {{{4, 5}}, index(0, 4)}, along(0, 4), {}},
          {"an index too large", {{{4, 5}}, index(7, 90)}, along(0, 4), {"outside 0 .. 3"}},
          {"a table of indices",
           {{{4, 5}}, {{2, 2}, Values::Index, 0, 4}},
           along(0, 4),
           {"index must be [K]"}},
          {"numbers", {{{4, 5}}, {{3}}}, along(0, 4), {"index must be i64"}}};
}

std::vector<OpSample> addSamples() {
  const auto along = [](int axis, int64_t size, int64_t skip = -1) {
    return sampleParams(IndexParams{axis, size, skip});
  };
  const auto index = [](int64_t count, double size) {
    return SampleInput{{count}, Values::Index, 0, size};
  };
  const SampleInput none{{}, Values::Absent};
  return {{"rows", {{{7, 5}}, index(7, 4), {{4, 5}}}, along(0, 4), {}},
          {"to zeros", {{{7, 5}}, index(7, 4), none}, along(0, 4), {}},
          {"all but one place", {{{7, 5}}, index(7, 4), none}, along(0, 4, 2), {}},
          {"columns", {{{4, 3}}, index(3, 5), {{4, 5}}}, along(1, 5), {}},
          {"middle", {{{2, 5, 4}}, index(5, 3), {{2, 3, 4}}}, along(1, 3), {}},
          {"an index too large", {{{7, 5}}, index(7, 90), none}, along(0, 4), {"outside 0 .. 3"}},
          {"fewer indices", {{{7, 5}}, index(6, 4), none}, along(0, 4), {"src", "[6, 5]"}},
          {"another table", {{{7, 5}}, index(7, 4), {{4, 6}}}, along(0, 4), {"x", "[4, 5]"}}};
}

const OpDef kSelect = {.id = "index_select",
                       .help = "The parts at given places of an axis.",
                       .inputNames = {"x", "index"},
                       .paramBytes = sizeof(IndexParams),
                       .meta = &selectMeta,
                       .savesInputs = 2,
                       .grad = &selectGrad,
                       .describe = &describeIndex,
                       .samples = &selectSamples};
const OpDef kAdd = {.id = "index_add",
                    .help = "x (or zeros) with parts added at given places of an axis.",
                    .inputNames = {"src", "index", "x"},
                    .paramBytes = sizeof(IndexParams),
                    .meta = &addMeta,
                    .savesInputs = 2,
                    .grad = &addGrad,
                    .autocast = AutocastClass::Widest,
                    .describe = &describeIndex,
                    .samples = &addSamples};
const OpDef& selectOp() { return kSelect; }
const OpDef& addOp() { return kAdd; }

IndexParams paramsFor(const Tensor& x, int axis, const char* op) {
  if (!x.defined())
    throw Error(Code::Usage, fmt::format("[{}] x is undefined: it holds no tensor", op));
  if (x.ndim() == 0)
    throw Error(Code::Shape, fmt::format("[{}] a scalar has no axis to index", op));
  const int at = normalizeAxis(axis, x.ndim(), op);
  return {at, x.size(at), -1};
}

}  // namespace

Tensor indexSelect(const Tensor& x, int axis, const Tensor& index) {
  const IndexParams params = paramsFor(x, axis, "index_select");
  return gate::run(kSelect, {&x, &index}, &params);
}

Tensor indexAdd(const Tensor& x, int axis, const Tensor& index, const Tensor& src) {
  const IndexParams params = paramsFor(x, axis, "index_add");
  return gate::run(kAdd, {&src, &index, &x}, &params);
}

Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t paddingIndex) {
  IndexParams params = paramsFor(weight, 0, "embedding");
  if (!indices.defined())
    throw Error(Code::Usage, "[embedding] indices is undefined: it holds no tensor");
  if (weight.ndim() != 2 || paddingIndex < -1 || paddingIndex >= params.size)
    throw Error(Code::Shape, fmt::format("[embedding] weight must be [V, D] with the padding index "
                                         "{} inside V: {}",
                                         paddingIndex, describe(weight)));
  params.skip = paddingIndex;
  const Tensor flat = reshape(indices, {indices.numel()});
  Shape shape = indices.shape();
  shape.push(weight.size(1));
  return reshape(gate::run(kSelect, {&weight, &flat}, &params), shape);
}

void appendIndexRows(OpDefs& ops) {
  ops.push_back(&kSelect);
  ops.push_back(&kAdd);
}

}  // namespace tenon
