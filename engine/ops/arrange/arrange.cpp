// SPDX-License-Identifier: Apache-2.0
// The table of arranging operators, and the functions that are made of others.
#include "engine/ops/arrange/arrange.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/arrange/families.h"
#include "engine/ops/index/index.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

int64_t mirrored(int64_t at, int64_t size) {
  const int64_t positive = at < 0 ? -at : at;
  return positive < size ? positive : 2 * (size - 1) - positive;
}

/// Place in x of each element of the padded axis.
Tensor sources(const Padding& padding, int64_t size, PadMode mode) {
  std::vector<int64_t> places;
  for (int64_t at = -padding.before; at < size + padding.after; ++at) {
    const int64_t edge = at < 0 ? 0 : at < size ? at : size - 1;
    places.push_back(mode == PadMode::Reflect     ? mirrored(at, size)
                     : mode == PadMode::Replicate ? edge
                                                  : (at + size) % size);
  }
  return Tensor::fromValues(places, {static_cast<int64_t>(places.size())});
}

Tensor padConstant(const Tensor& x, const Padding& padding, double value) {
  const int64_t size = x.size(padding.axis);
  const int64_t cutFront = padding.before < 0 ? -padding.before : 0;
  const int64_t cutBack = padding.after < 0 ? -padding.after : 0;
  std::vector<Tensor> parts;
  const Tensor scalar = Tensor::full({}, value, x.dtype());
  Shape shape = x.shape();
  const auto fill = [&](int64_t length) {
    shape[padding.axis] = length;
    if (length > 0) parts.push_back(expand(scalar, shape));
  };
  fill(padding.before);
  parts.push_back(
      cutFront + cutBack > 0 ? narrow(x, padding.axis, cutFront, size - cutFront - cutBack) : x);
  fill(padding.after);
  return parts.size() == 1 ? parts[0] : cat(parts, padding.axis);
}

void checkPadding(const Tensor& x, const Padding& padding, PadMode mode) {
  const int64_t size = x.size(padding.axis);
  const int64_t least = padding.before < padding.after ? padding.before : padding.after;
  const int64_t most = padding.before > padding.after ? padding.before : padding.after;
  bool fits = least >= 0 && (most == 0 || size > 0);
  if (mode == PadMode::Constant) {
    const int64_t cut =
        (padding.before < 0 ? -padding.before : 0) + (padding.after < 0 ? -padding.after : 0);
    fits = cut <= size;
  }
  if (mode == PadMode::Reflect) fits = fits && (most == 0 || most < size);
  if (mode == PadMode::Circular) fits = fits && most <= size;
  if (!fits)
    throw Error(Code::Shape, fmt::format("[pad] {} before and {} after do not fit axis {} of {}",
                                         padding.before, padding.after, padding.axis, describe(x)));
}

}  // namespace

OpDefList opDefs_arrange();
OpDefList opDefs_arrange() {
  static const OpDef* const kOps[] = {&arrange::catOp(), &arrange::flipOp(),
                                      &arrange::triangleOp()};
  return {kOps, 3};
}

Tensor stack(const std::vector<Tensor>& tensors, int axis) {
  std::vector<Tensor> rows;
  for (const Tensor& t : tensors) {
    if (t.defined() && tensors[0].defined() && !(t.shape() == tensors[0].shape()))
      throw Error(Code::Shape, fmt::format("[stack] wants one shape, got {} and {}",
                                           describe(tensors[0]), describe(t)));
    if (!t.defined()) throw Error(Code::Usage, "[stack] a tensor is undefined: it holds none");
    rows.push_back(unsqueeze(t, axis));
  }
  if (rows.empty()) throw Error(Code::Usage, "[stack] there are no tensors to join");
  return cat(rows, normalizeAxis(axis, rows[0].ndim(), "stack"));
}

Tensor roll(const Tensor& x, int64_t shift, int axis) {
  if (!x.defined()) throw Error(Code::Usage, "[roll] x is undefined: it holds no tensor");
  const int at = normalizeAxis(axis, x.ndim(), "roll");
  const int64_t size = x.ndim() ? x.size(at) : 1;
  const int64_t by = size == 0 ? 0 : ((shift % size) + size) % size;
  if (by == 0) return x;
  return cat({narrow(x, at, size - by, by), narrow(x, at, 0, size - by)}, at);
}

Tensor pad(const Tensor& x, const std::vector<Padding>& paddings, PadMode mode, double value) {
  if (!x.defined()) throw Error(Code::Usage, "[pad] x is undefined: it holds no tensor");
  if (x.ndim() == 0 && !paddings.empty())
    throw Error(Code::Shape, "[pad] a scalar has no axis to pad");
  Tensor y = x;
  for (Padding padding : paddings) {
    padding.axis = normalizeAxis(padding.axis, x.ndim(), "pad");
    checkPadding(y, padding, mode);
    if (padding.before == 0 && padding.after == 0) continue;
    y = mode == PadMode::Constant
            ? padConstant(y, padding, value)
            : indexSelect(y, padding.axis, sources(padding, y.size(padding.axis), mode));
  }
  return y;
}

}  // namespace tenon
