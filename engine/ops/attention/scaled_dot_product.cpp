// SPDX-License-Identifier: Apache-2.0
// Attention composed of matmul, softmax and dropout.
//
// Heads that share keys and values are one more axis of the queries, along which matmul broadcasts,
// so nothing is repeated in memory. Queries that see no key would give NaN (softmax of -infinity
// only); their scores are set to 0 before and their weights after the softmax, where there are any.
#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/arrange/arrange.h"
#include "engine/ops/attention/attention.h"
#include "engine/ops/dropout/dropout.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/matmul/matmul.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/softmax/softmax.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

[[noreturn]] void refuseShapes(const std::string& why, const Tensor& q, const Tensor& k,
                               const Tensor& v) {
  throw Error(Code::Shape, fmt::format("[attention] {}: q {}, k {}, v {}", why, toString(q.shape()),
                                       toString(k.shape()), toString(v.shape())));
}

void checkOperands(const Tensor& q, const Tensor& k, const Tensor& v) {
  for (const Tensor* x : {&q, &k, &v})
    if (!x->defined())
      throw Error(Code::Usage,
                  fmt::format("[attention] {} is undefined: it holds no tensor", x == &q   ? "q"
                                                                                 : x == &k ? "k"
                                                                                           : "v"));
  if (!isFloating(q.dtype()) || k.dtype() != q.dtype() || v.dtype() != q.dtype())
    throw Error(Code::Type,
                fmt::format("[attention] wants one floating type, got q {}, k {}, v {}",
                            dtypeName(q.dtype()), dtypeName(k.dtype()), dtypeName(v.dtype())));
  if (q.ndim() < 2 || k.ndim() < 2 || v.ndim() < 2) refuseShapes("wants at least 2 axes", q, k, v);
  if (q.size(-1) != k.size(-1)) refuseShapes("q and k want equal last axes", q, k, v);
  if (k.size(-2) != v.size(-2)) refuseShapes("k and v want equally many keys", q, k, v);
}

void checkOptions(const Tensor& q, const AttentionOptions& options) {
  if (options.causal && options.mask.defined())
    throw Error(Code::Usage, "[attention] takes a mask or is causal, not both");
  if (!(options.dropout >= 0 && options.dropout <= 1))
    throw Error(Code::Usage,
                fmt::format("[attention] dropout must be 0 .. 1, got {}", options.dropout));
  if (options.mask.defined() && options.mask.dtype() != DType::Bool &&
      options.mask.dtype() != q.dtype())
    throw Error(Code::Type, fmt::format("[attention] mask wants bool or {}, got {}",
                                        dtypeName(q.dtype()), dtypeName(options.mask.dtype())));
}

/// How many heads of q share one of k and v.
int64_t headsPerGroup(const Tensor& q, const Tensor& k, const Tensor& v) {
  if (q.ndim() < 3 || k.ndim() < 3 || v.ndim() < 3)
    refuseShapes("grouped heads want at least 3 axes", q, k, v);
  const int64_t heads = q.size(-3), shared = k.size(-3);
  if (shared < 1 || v.size(-3) != shared || heads % shared != 0)
    refuseShapes(fmt::format("{} heads of q do not divide by those of k and v", heads), q, k, v);
  return heads / shared;
}

/// Axis -3 of `heads` split into [heads / group, group].
Tensor splitHeads(const Tensor& x, int64_t group) {
  Shape shape;
  for (int axis = 0; axis < x.ndim(); ++axis) {
    const bool heads = axis == x.ndim() - 3;
    shape.push(heads ? x.size(axis) / group : x.size(axis));
    if (heads) shape.push(group);
  }
  return reshape(x, shape);
}

Tensor joinedHeads(const Tensor& x) { return flatten(x, x.ndim() - 4, x.ndim() - 3); }

/// True where a query sees a key: [L, S].
Tensor causalMask(const Tensor& q, const Tensor& k) {
  const Shape shape = {q.size(-2), k.size(-2)};
  return tril(expand(Tensor::full({}, 1, DType::Bool), shape));
}

/// A mask as the scores lie: with the split axis of heads, if there is one.
Tensor maskFor(const Tensor& mask, const Tensor& scores, int64_t group) {
  if (group == 1 || mask.ndim() < 3) return mask;
  if (mask.size(-3) == 1) return unsqueeze(mask, mask.ndim() - 3);
  if (mask.size(-3) != scores.size(-4) * group)
    throw Error(Code::Shape, fmt::format("[attention] mask wants 1 or {} heads, got {}",
                                         scores.size(-4) * group, describe(mask)));
  return splitHeads(mask, group);
}

/// Which queries see no key at all: [..., 1] bool; undefined if there are none.
Tensor blindQueries(const Tensor& mask) {
  const gate::NoGradGuard guard;
  const double hidden = mask.dtype() == DType::Bool ? 0.0 : -HUGE_VAL;
  const Axes keys = mask.ndim() > 0 ? Axes{-1} : Axes{};
  Tensor blind = all(equal(mask, Tensor::full({}, hidden, mask.dtype())), keys, true);
  for (std::byte b : any(blind).toBytes())
    if (b != std::byte{0}) return blind;
  return {};
}

Tensor numberLike(const Tensor& x, double value) { return Tensor::full({}, value, x.dtype()); }

Tensor weightsOf(const Tensor& scores, const Tensor& mask, bool causal) {
  if (!mask.defined()) return softmax(scores, -1);
  const Shape shape = broadcastShapes(scores.shape(), mask.shape(), "attention");
  if (!(shape == scores.shape()))
    throw Error(Code::Shape, fmt::format("[attention] mask does not broadcast to the scores {}: {}",
                                         toString(scores.shape()), describe(mask)));
  const Tensor seen = mask.dtype() == DType::Bool
                          ? where(mask, scores, numberLike(scores, -HUGE_VAL))
                          : add(scores, mask);
  const Tensor blind = causal ? Tensor() : blindQueries(mask);  // a first key is always seen
  if (!blind.defined()) return softmax(seen, -1);
  const Tensor zero = numberLike(scores, 0);
  return where(blind, zero, softmax(where(blind, zero, seen), -1));
}

}  // namespace

Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v,
                 const AttentionOptions& options) {
  if (const gate::AutocastCall cast{AutocastClass::LowPrecision}) {
    AttentionOptions given = options;
    given.mask = cast(options.mask);
    return attention(cast(q), cast(k), cast(v), given);
  }
  checkOperands(q, k, v);
  checkOptions(q, options);
  const int64_t group = options.groupedHeads ? headsPerGroup(q, k, v) : 1;
  const Tensor queries = group > 1 ? splitHeads(q, group) : q;
  const Tensor keys = group > 1 ? unsqueeze(k, k.ndim() - 2) : k;
  const Tensor values = group > 1 ? unsqueeze(v, v.ndim() - 2) : v;
  const double scale =
      options.scale ? *options.scale : 1 / std::sqrt(static_cast<double>(q.size(-1)));
  const Tensor scores = matmul(mulScalar(queries, scale), keys, MatmulParams{0, 1});
  const Tensor mask = options.causal           ? causalMask(q, k)
                      : options.mask.defined() ? maskFor(options.mask, scores, group)
                                               : Tensor();
  const Tensor weights =
      dropout(weightsOf(scores, mask, options.causal), options.dropout, options.dropout > 0);
  const Tensor y = matmul(weights, values, MatmulParams{});
  return group > 1 ? joinedHeads(y) : y;
}

}  // namespace tenon
