// SPDX-License-Identifier: Apache-2.0
// The one parallel loop of CPU kernels, over the OpenMP team that oneDNN also uses.
#pragma once

#include <cstdint>

#include "engine/base/export.h"

namespace tenon::cpu {

/// Threads of the team: the hardware's, or what setThreadCount set. Called from the step's thread
/// only.
TENON_API int threadCount();
/// @param n 0 restores the default. @throws Error(Code::Usage) if negative.
TENON_API void setThreadCount(int n);

using RangeBody = void (*)(void* context, int64_t begin, int64_t end);
/// Runs `body` over [0, n) cut into at most one range a thread, each a multiple of `grain` long
/// (but the last); fewer than 2 grains run on the calling thread. Ranges depend on n, grain and the
/// thread count only.
TENON_API void parallelRange(int64_t n, int64_t grain, RangeBody body, void* context);

/// parallelFor(n, grain, [&](int64_t begin, int64_t end) { ... });
template <class Body>
inline void parallelFor(int64_t n, int64_t grain, Body&& body) {
  parallelRange(
      n, grain,
      [](void* context, int64_t begin, int64_t end) { (*static_cast<Body*>(context))(begin, end); },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace tenon::cpu
