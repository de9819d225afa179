// SPDX-License-Identifier: Apache-2.0
// Checks of index tensors (i64, dense) before a kernel follows them.
#pragma once

#include "engine/backend/cpu/message.h"
#include "engine/backend/cpu/views.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// Fails with the first index outside 0 .. size - 1.
inline int32_t checkIndices(const TenonKernelArgs* args, const TenonTensorView& indices,
                            int64_t size) {
  const auto* index = dataOf<int64_t>(indices);
  for (int64_t i = 0, n = countOf(indices); i < n; ++i)
    if (index[i] < 0 || index[i] >= size)
      return fail(args, TENON_BAD_VALUE, "index %lld of element %lld is outside 0 .. %lld",
                  static_cast<long long>(index[i]), static_cast<long long>(i),
                  static_cast<long long>(size - 1));
  return TENON_OK;
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
