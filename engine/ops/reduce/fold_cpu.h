// SPDX-License-Identifier: Apache-2.0
// Folds over axes with any way of adding an element to a state; for kernel files of reductions.
//
// Each result walks its own elements, four states side by side along a row. A long reduction with
// few results is cut into shards that are merged in order. All of this depends on the shape alone,
// so the bits do not depend on the number of threads.
#pragma once

#include "engine/ops/reduce/split_cpu.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace fold {

inline constexpr int64_t kShard = 32768;  // elements of a shard
inline constexpr int64_t kMostShards = 64;
inline constexpr int64_t kGrain = 8192;

/// State of the elements [begin, end) of the reduced nest for one result.
template <class T, class F>
typename F::State stretch(const F& f, const T* x, const LoopNest<1>& reduced, int64_t begin,
                          int64_t end, int64_t result) {
  typename F::State s[4] = {f.start(result), f.start(result), f.start(result), f.start(result)};
  NestPosition<1> at(reduced, begin);
  const int64_t stride = reduced.rowStride(0);
  while (begin < end) {
    const int64_t n = at.rest() < end - begin ? at.rest() : end - begin;
    const T* row = x + at.offset[0];
    int64_t i = 0;
    for (; i + 4 <= n; i += 4)
      for (int k = 0; k < 4; ++k) f.add(s[k], row[(i + k) * stride]);
    for (; i < n; ++i) f.add(s[0], row[i * stride]);
    at.advance(n);
    begin += n;
  }
  f.merge(s[0], s[2]);
  f.merge(s[1], s[3]);
  f.merge(s[0], s[1]);
  return s[0];
}

/// Folds input 0 over `axes`. F has a State of plain data and
///   State start(int64_t result) const;      the state of no elements
///   void add(State&, T element) const;
///   void merge(State&, const State& later) const;
///   void finish(int64_t result, const State&) const;
template <class T, class F>
int32_t overAxes(const TenonKernelArgs* args, uint32_t axes, const F& f) {
  using State = typename F::State;
  const Split split(args->inputs[0], axes);
  const T* x = dataOf<T>(args->inputs[0]);
  const int64_t results = split.kept.total;
  const int64_t count = split.reduced.total;
  if (results == 0) return TENON_OK;
  const int64_t wanted = results >= kMostShards ? 1 : count / kShard;
  const int64_t shards = wanted < 1 ? 1 : wanted < kMostShards ? wanted : kMostShards;
  if (shards == 1) {
    parallelFor(results, 1 + kGrain / (count + 1), [&](int64_t begin, int64_t end) {
      NestPosition<1> at(split.kept, begin);
      for (; begin < end; ++begin, at.advance(1))
        f.finish(begin, stretch<T>(f, x + at.offset[0], split.reduced, 0, count, begin));
    });
    return TENON_OK;
  }
  void* handle = nullptr;
  const auto bytes = static_cast<size_t>(results * shards) * sizeof(State);
  auto* states = static_cast<State*>(args->host->takeWorkspace(bytes, &handle));
  if (!states) return TENON_OUT_OF_MEMORY;
  parallelFor(results * shards, 1, [&](int64_t begin, int64_t end) {
    for (; begin < end; ++begin) {
      const int64_t result = begin / shards;
      const int64_t shard = begin % shards;
      const NestPosition<1> at(split.kept, result);
      states[begin] = stretch<T>(f, x + at.offset[0], split.reduced, count * shard / shards,
                                 count * (shard + 1) / shards, result);
    }
  });
  for (int64_t r = 0; r < results; ++r) {
    for (int64_t s = 1; s < shards; ++s) f.merge(states[r * shards], states[r * shards + s]);
    f.finish(r, states[r * shards]);
  }
  args->host->releaseWorkspace(handle);
  return TENON_OK;
}

}  // namespace fold
}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
