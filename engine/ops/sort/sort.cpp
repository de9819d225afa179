// SPDX-License-Identifier: Apache-2.0
// Operator "sort" along an axis, and "topk", which is made of it.
#include "engine/ops/sort/sort.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/index/index.h"
#include "engine/ops/meta.h"
#include "engine/ops/view/view.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

void sortMeta(const OpCall& call, std::span<TensorMeta> out) {
  likeFirst(call, out);
  out[1] = {out[0].shape, DType::I64};
}

void sortGrad(GradCall& call) {
  const Tensor& dy = call.gradOutputs[0];
  call.gradInputs[0] = dy.ndim() == 0 ? dy
                                      : scatter(Tensor::zeros(dy.shape(), dy.dtype(), dy.device()),
                                                call.as<SortParams>().axis, call.outputs[1], dy);
}

void describeSort(const void* params, ParamMap& out) {
  const auto* p = static_cast<const SortParams*>(params);
  out.set("axis", int64_t{p->axis});
  out.set("descending", p->descending != 0);
}

std::vector<OpSample> sortSamples() {
  const auto along = [](int axis, int descending = 0) {
    return sampleParams(SortParams{axis, descending});
  };
  constexpr auto kDistinct = SampleInput::Values::Distinct;
  return {{"rows", {{{3, 17}, kDistinct}}, along(1), {}},
          {"columns, largest first", {{{9, 4}, kDistinct}}, along(0, 1), {}},
          {"middle", {{{2, 5, 3}, kDistinct}}, along(1), {}},
          {"one element", {{{3, 1}}}, along(1), {}},
          {"a scalar", {{{}}}, along(0), {}},
          {"nothing", {{{3, 0}}}, along(1), {}}};
}

const OpDef kSort = {.id = "sort",
                     .help = "Values in order along an axis, and where they were.",
                     .inputNames = {"x"},
                     .outputs = 2,
                     .paramBytes = sizeof(SortParams),
                     .meta = &sortMeta,
                     .savesOutputs = 2,
                     .nonDifferentiable = 2,
                     .grad = &sortGrad,
                     .describe = &describeSort,
                     .samples = &sortSamples};

}  // namespace

OpDefList opDefs_sort();
OpDefList opDefs_sort() {
  static const OpDef* const kOps[] = {&kSort};
  return {kOps, 1};
}

ValuesAndIndices sort(const Tensor& x, int axis, bool descending) {
  if (!x.defined()) throw Error(Code::Usage, "[sort] x is undefined: it holds no tensor");
  const SortParams params{normalizeAxis(axis, x.ndim(), "sort"), descending ? 1 : 0};
  gate::Outputs out = gate::runAll(kSort, {&x}, &params);
  return {out[0], out[1]};
}

ValuesAndIndices topk(const Tensor& x, int64_t k, int axis, bool largest) {
  if (!x.defined()) throw Error(Code::Usage, "[topk] x is undefined: it holds no tensor");
  const int at = normalizeAxis(axis, x.ndim(), "topk");
  const int64_t size = x.ndim() ? x.size(at) : 1;
  if (k < 0 || k > size || x.ndim() == 0)
    throw Error(Code::Shape, fmt::format("[topk] there are no {} elements along axis {} of {}", k,
                                         axis, describe(x)));
  const ValuesAndIndices sorted = sort(x, at, largest);
  return {narrow(sorted.values, at, 0, k), narrow(sorted.indices, at, 0, k)};
}

}  // namespace tenon
