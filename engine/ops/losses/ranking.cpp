// SPDX-License-Identifier: Apache-2.0
// Losses with a margin: of scores, of pairs, of distances and of angles.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/losses/loss_parts.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon {

using losses::needAlike;
using losses::positivePart;
using losses::reduced;

namespace {

/// What a loss with targets 1 and -1 takes for each; 0 for other targets.
Tensor bySign(const Tensor& target, const Tensor& ofOne, const Tensor& ofMinusOne) {
  const Tensor zero = Tensor::zeros({}, target.dtype(), target.device());
  const Tensor one = Tensor::full({}, 1, target.dtype());
  const Tensor minusOne = Tensor::full({}, -1, target.dtype());
  return add(where(equal(target, one), ofOne, zero),
             where(equal(target, minusOne), ofMinusOne, zero));
}

Tensor distance(const Tensor& a, const Tensor& b, const TripletOptions& options) {
  return norm(addScalar(sub(a, b), options.eps), options.order, {-1});
}

}  // namespace

Tensor hingeLoss(const Tensor& x, const Tensor& target, double margin, Reduction reduction) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return hingeLoss(cast(x), cast(target), margin, reduction);
  needAlike("hinge_loss", x, target);
  return reduced(positivePart(addScalar(neg(mul(target, x)), margin)), reduction);
}

Tensor hingeEmbeddingLoss(const Tensor& x, const Tensor& target, double margin,
                          Reduction reduction) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return hingeEmbeddingLoss(cast(x), cast(target), margin, reduction);
  needAlike("hinge_embedding_loss", x, target);
  const Tensor beyond = positivePart(addScalar(neg(x), margin));
  // As PyTorch: a target that is neither counts for both.
  const Tensor zero = Tensor::zeros({}, x.dtype(), x.device());
  const Tensor one = Tensor::full({}, 1, x.dtype());
  const Tensor minusOne = Tensor::full({}, -1, x.dtype());
  const Tensor far = where(equal(target, one), zero, beyond);
  const Tensor near = where(equal(target, minusOne), zero, x);
  return reduced(add(far, near), reduction);
}

Tensor marginRankingLoss(const Tensor& a, const Tensor& b, const Tensor& target, double margin,
                         Reduction reduction) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return marginRankingLoss(cast(a), cast(b), cast(target), margin, reduction);
  needAlike("margin_ranking_loss", a, b);
  needAlike("margin_ranking_loss", a, target);
  return reduced(positivePart(addScalar(neg(mul(target, sub(a, b))), margin)), reduction);
}

Tensor tripletLoss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                   const TripletOptions& options) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return tripletLoss(cast(anchor), cast(positive), cast(negative), options);
  needAlike("triplet_loss", anchor, positive);
  needAlike("triplet_loss", anchor, negative);
  if (anchor.ndim() < 1) throw Error(Code::Shape, "[triplet_loss] wants vectors, got scalars");
  const Tensor near = distance(anchor, positive, options);
  Tensor far = distance(anchor, negative, options);
  if (options.swap) far = minimum(far, distance(positive, negative, options));
  return reduced(positivePart(addScalar(sub(near, far), options.margin)), options.reduction);
}

Tensor cosineEmbeddingLoss(const Tensor& a, const Tensor& b, const Tensor& target, double margin,
                           Reduction reduction) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return cosineEmbeddingLoss(cast(a), cast(b), cast(target), margin, reduction);
  needAlike("cosine_embedding_loss", a, b);
  constexpr double kEps = 1e-12;  // PyTorch's
  Shape rows;
  for (int i = 0; i + 1 < a.ndim(); ++i) rows.push(a.size(i));
  if (a.ndim() < 1 || !target.defined() || !(target.shape() == rows) || target.dtype() != a.dtype())
    throw Error(Code::Shape,
                fmt::format("[cosine_embedding_loss] wants vectors [N, D] and a target {} {} for "
                            "them, got {} and {}",
                            dtypeName(a.dtype()), toString(rows), describe(a),
                            target.defined() ? describe(target) : "none"));
  const Tensor sizes =
      mul(addScalar(sum(square(a), {-1}), kEps), addScalar(sum(square(b), {-1}), kEps));
  const Tensor cosine = div(sum(mul(a, b), {-1}), sqrt(sizes));
  return reduced(
      bySign(target, addScalar(neg(cosine), 1), positivePart(addScalar(cosine, -margin))),
      reduction);
}

}  // namespace tenon
