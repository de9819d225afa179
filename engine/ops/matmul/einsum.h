// SPDX-License-Identifier: Apache-2.0
// Products of tensors by axes: the outer product and Einstein's sums.
#pragma once

#include <string>
#include <vector>

#include "engine/tensor/tensor.h"

namespace tenon {

/// y[i, j] = a[i] * b[j]. @param a [M], b [N] of one type (f32, f64, i64, i32 or u8).
/// @returns [M, N]. @throws Error(Shape) if either has not one axis. Gradients of every order.
TENON_API Tensor outer(const Tensor& a, const Tensor& b);

/// Sum of products over named axes: "bij,bjk->bik". Letters name axes; those that the right side
/// lacks are summed over. Without "->" the right side is every letter that occurs once, in
/// alphabetical order. "..." stands for any leading axes, which broadcast; a letter twice in one
/// term takes the diagonal; sizes of 1 repeat. Operands are joined from left to right, each pair by
/// one batched matmul (f32 or f64) or, where no axis is summed, one product.
/// @param operands at least one, all of one type
/// @throws Error(Usage) for an equation that cannot be read or has another number of terms,
/// Error(Shape) for a term that does not fit its tensor or a letter of two sizes.
/// Gradients of every order.
TENON_API Tensor einsum(const std::string& equation, const std::vector<Tensor>& operands);

}  // namespace tenon
