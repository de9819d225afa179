// SPDX-License-Identifier: Apache-2.0
// Gradients of filters as sums of products over positions of the images (tiles, pixels), for any
// thread count with the same bits.
//
// The sums [rows, 16 * panels] of each point lie in panels. Positions go through in groups. Where
// the sums are small, positions are cut into at most 16 shards: each has sums of its own on one
// thread, added in order at the end. Where they are large there is one shard, and the threads share
// the work of each group.
#pragma once

#include "engine/backend/cpu/panel_product.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/team_room.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// What is summed.
struct PanelSums {
  int64_t points;     ///< independent products
  int64_t rows;       ///< a multiple of 8
  int64_t panels;     ///< of 16 columns
  int64_t positions;  ///< over which the sums run
  int64_t sumStride;  ///< floats from one point's sums to the next's

  int64_t shards = 1, perShard = 0;  ///< positions
  int64_t each = 0;                  ///< positions of a group

  /// Cuts the positions. @param width floats of a position's operands, all points together
  void cut(int64_t width) {
    constexpr int64_t kMostSums = 4 * 1024 * 1024;  // floats of all shards
    constexpr int64_t kWorthAShard = 128;           // positions
    const int64_t room = kMostSums / sumsOfShard();
    const int64_t most = room < 4 ? 1 : room < 16 ? room : 16;
    const int64_t wanted = (positions + kWorthAShard - 1) / kWorthAShard;
    const int64_t about = wanted < most ? wanted : most;
    perShard = (positions + about - 1) / about;
    shards = (positions + perShard - 1) / perShard;
    // Floats of a group: those of a shard stay in one thread's second cache.
    const int64_t fit = (shards > 1 ? 160 * 1024 : 512 * 1024) / width;
    each = fit < 56 ? 56 : fit > 512 ? 512 : fit;
    if (each > perShard) each = perShard;
  }
  int64_t sumsOfShard() const { return points * sumStride; }
};

/// A group of positions of a shard.
struct PositionGroup {
  int64_t first, count;
  float* room;  ///< for its operands
  float* sums;  ///< the shard's
  bool addsUp;  ///< false: the sums hold nothing yet
  bool alone;   ///< on the calling thread

  /// body(item) for all items, by the team unless the group is one thread's.
  template <class Body>
  void forItems(int64_t items, Body&& body) const {
    const auto work = [&](int64_t begin, int64_t end) {
      for (int64_t item = begin; item < end; ++item) body(item);
    };
    if (alone) return work(0, items);
    parallelFor(items, 1, [&](int64_t begin, int64_t end) { work(begin, end); });
  }
};

namespace panel_sums_detail {

template <class Add>
void addShard(const PanelSums& p, int64_t shard, float* sums, float* room, Add& add) {
  const int64_t begin = shard * p.perShard;
  const int64_t end = begin + p.perShard < p.positions ? begin + p.perShard : p.positions;
  for (int64_t first = begin; first < end; first += p.each)
    add(PositionGroup{first, end - first < p.each ? end - first : p.each, room,
                      sums + shard * p.sumsOfShard(), first > begin, p.shards > 1});
}

/// Adds the shards' sums to the first one's, in order.
inline void join(const PanelSums& p, float* sums) {
  constexpr int64_t kLanes = Vec<float>::kLanes;
  parallelFor(p.sumsOfShard() / kLanes, 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * kLanes; i < end * kLanes; i += kLanes) {
      Vec<float> sum = Vec<float>::load(sums + i);
      for (int64_t s = 1; s < p.shards; ++s)
        sum = sum + Vec<float>::load(sums + s * p.sumsOfShard() + i);
      sum.store(sums + i);
    }
  });
}

}  // namespace panel_sums_detail

/// Sums everything: add(group) adds (or sets) a group's products, finish(sums) gets the result.
/// @param room floats that a group needs for its operands
template <class Add, class Finish>
int32_t sumPanels(const TenonKernelArgs& args, const PanelSums& p, int64_t room, Add&& add,
                  Finish&& finish) {
  const Workspace sums(*args.host, bytesFor<float>(p.shards * p.sumsOfShard()));
  const TeamRoom rooms(*args.host, p.shards, room);
  if (!sums.as<float>() || !rooms.is()) return TENON_OUT_OF_MEMORY;
  const auto work = [&](int64_t begin, int64_t end) {
    for (int64_t shard = begin; shard < end; ++shard)
      panel_sums_detail::addShard(p, shard, sums.as<float>(), rooms.of(begin), add);
  };
  if (p.shards == 1) {
    work(0, 1);
  } else {
    parallelFor(p.shards, 1, [&](int64_t begin, int64_t end) { work(begin, end); });
    panel_sums_detail::join(p, sums.as<float>());
  }
  finish(sums.as<float>());
  return TENON_OK;
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
