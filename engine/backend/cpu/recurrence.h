// SPDX-License-Identifier: Apache-2.0
// What kernels of recurrent layers share: sizes, the order of steps, how steps are divided among
// the team, the packed hidden weight, and the products over all steps.
//
// Axes: T steps, N sequences, I inputs, H hidden units, G gates of a unit in a weight. A row is a
// sequence. Hidden units come in blocks of 16, a panel's width, and rows in bands of 8: sums over
// rows are kept band by band, so that their bits do not depend on how rows are divided.
#pragma once

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/gemm.h"
#include "engine/backend/cpu/panels.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/transpose.h"
#include "engine/backend/cpu/views.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace recurrence {

inline constexpr int64_t kBlock = panels::kWidth;  // hidden units
inline constexpr int64_t kBand = 8;                // rows
inline constexpr int64_t kTile = 6 * kBand;        // rows of a product that stay on the stack
inline constexpr int64_t kAlone = 128 << 10;       // products; less is not worth waking the team
inline constexpr int64_t kNear = 3 << 17;          // floats of a weight that stay in a core's cache

inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

struct Steps {
  int64_t count, batch, inputs, hidden;
  int64_t gates;  // G
  bool backwards;
  const int64_t* lengths;  // [N] or null

  /// Place of the k-th step on the axis T.
  int64_t at(int64_t k) const { return backwards ? count - 1 - k : k; }
  bool runs(int64_t t, int64_t row) const { return !lengths || t < lengths[row]; }
  int64_t states() const { return batch * hidden; }  // elements of a step's state
  int64_t width() const { return gates * hidden; }   // rows of a weight; kept for a row and step
  int64_t blocks() const { return panels::countOf(hidden); }
  int64_t bands() const { return (batch + kBand - 1) / kBand; }
};

/// The views of a call that say how large it is.
struct Sized {
  const TenonTensorView &x, &inputWeight, &state, &lengths;
};

inline Steps stepsOf(const Sized& in, int64_t backwards) {
  const int64_t hidden = in.state.sizes[1];
  return {in.x.sizes[0],
          in.x.sizes[1],
          in.x.sizes[2],
          hidden,
          in.inputWeight.sizes[0] / hidden,
          backwards != 0,
          valuesOf<int64_t>(in.lengths)};
}

/// Distance of rows of `wide` floats that are read side by side: not a multiple of 4 KiB, where all
/// rows would compete for the same places of the first cache.
inline int64_t spread(int64_t wide) { return wide % 256 == 0 ? wide + kBlock : wide; }

// ---------------------------------------------------------------------------- division of steps

/// Rows [begin, end) of a call.
struct Rows {
  int64_t begin, end;
};

/// Runs body(block) for blocks of hidden units, each worth `products` multiplications.
template <class Body>
void overBlocks(int64_t blocks, int64_t products, Body&& body) {
  parallelFor(blocks, 1 + kAlone / (products + 1), [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) body(block);
  });
}

/// Whether each thread of the team takes its own rows through all steps, which needs no meeting:
/// the rows must come out nearly even, and a core's cache must hold the weight.
inline bool dividesRows(const Steps& s) {
  const int64_t team = threadCount();
  if (team == 1) return true;
  const int64_t share = (s.bands() + team - 1) / team * kBand;
  return s.width() * s.hidden <= kNear && 3 * share * team <= 4 * s.batch;
}

/// Runs body(k, block, rows) for k = 0 .. count - 1, all blocks and all rows. The bodies of a step
/// see what those of the step before wrote for the same rows.
template <class Body>
void overSteps(const Steps& s, int64_t count, Body&& body) {
  const int64_t products = s.width() * kBlock;  // of a row and block
  if (!dividesRows(s)) {
    for (int64_t k = 0; k < count; ++k)
      overBlocks(s.blocks(), products * s.batch, [&](int64_t block) {
        body(k, block, Rows{0, s.batch});
      });
    return;
  }
  const int64_t bands = 1 + kAlone / (products * s.blocks() * count * kBand + 1);
  parallelFor(s.batch, bands * kBand, [&](int64_t begin, int64_t end) {
    for (int64_t k = 0; k < count; ++k)
      for (int64_t block = 0; block < s.blocks(); ++block) body(k, block, Rows{begin, end});
  });
}

/// Runs body(first, rows) for tiles of rows.
template <class Body>
TENON_INLINE void overTiles(Rows rows, Body&& body) {
  for (int64_t row = rows.begin; row < rows.end; row += kTile)
    body(row, least(kTile, rows.end - row));
}

// ------------------------------------------------------------------------------ the hidden weight

/// The rows of a weight [G H, H] for one gate of a block's units become the columns of a panel
/// [H, 16].
inline void packGate(const Steps& s, const float* weight, int64_t block, int64_t gate, float* to) {
  const int64_t size = s.hidden;
  for (int64_t half = 0; half < kBlock; half += panels::kLanes) {
    const int64_t unit = block * kBlock + half;
    const int64_t units = unit < size ? least(panels::kLanes, size - unit) : 0;
    const float* from = weight + (gate * size + unit) * size;
    int64_t k = 0;
    if (units == panels::kLanes)
      for (; k + panels::kLanes <= size; k += panels::kLanes)
        transpose8x8(reinterpret_cast<uint32_t*>(to + k * kBlock + half), kBlock,
                     reinterpret_cast<const uint32_t*>(from + k), size);
    for (; k < size; ++k)
      for (int64_t j = 0; j < panels::kLanes; ++j)
        to[k * kBlock + half + j] = j < units ? from[j * size + k] : 0.0f;
  }
}

/// For the products h wh^T: [blocks, G, H, 16].
inline void packForGates(const Steps& s, const float* weight, float* packed) {
  overBlocks(s.blocks(), s.width() * kBlock, [&](int64_t block) {
    for (int64_t gate = 0; gate < s.gates; ++gate)
      packGate(s, weight, block, gate, packed + (block * s.gates + gate) * s.hidden * kBlock);
  });
}

/// For the products dgates wh: [blocks, G H, 16].
inline void packForState(const Steps& s, const float* weight, float* packed) {
  const int64_t size = s.hidden;
  overBlocks(s.blocks(), s.width() * kBlock, [&](int64_t block) {
    const int64_t units = least(kBlock, size - block * kBlock);
    const float* from = weight + block * kBlock;
    float* to = packed + block * s.width() * kBlock;
    for (int64_t k = 0; k < s.width(); ++k, from += size, to += kBlock)
      for (int64_t j = 0; j < kBlock; ++j) to[j] = j < units ? from[j] : 0.0f;
  });
}

inline int64_t packedSize(const Steps& s) { return s.blocks() * s.width() * kBlock; }

// --------------------------------------------------------------------------- sums of rows by band

/// `sum` becomes what a band has, or is added to it if it has something already.
TENON_INLINE void addToBand(Vec<float> sum, bool first, float* to, int64_t n) {
  put(first ? sum : take(to, n) + sum, to, n);
}

/// Sums [bands, count] over bands, in order.
inline void sumBands(const float* sums, int64_t bands, int64_t count, float* to) {
  constexpr int64_t kLanes = Vec<float>::kLanes;
  for (int64_t j = 0; j < count; j += kLanes) {
    const int64_t n = least(kLanes, count - j);
    Vec<float> sum(0.0);
    for (int64_t band = 0; band < bands; ++band) sum = sum + take(sums + band * count + j, n);
    put(sum, to + j, n);
  }
}

// -------------------------------------------------------------------------- products of all steps

inline int32_t multiply(const TenonKernelArgs& args, const GemmProblem& p, const float* a,
                        const float* b, float* c) {
  return gemm(args, p, a, b, {}, c);
}
inline int32_t multiply(const TenonKernelArgs&, const GemmProblem& p, const double* a,
                        const double* b, double* c) {
  referenceGemm<double>(p, a, b, nullptr, c);
  return TENON_OK;
}

/// What a row of `wide` values is from the next: oneDNN wants at least 1.
inline int64_t distance(int64_t wide) { return wide > 0 ? wide : 1; }

/// The gates [T N, G H] = x wi^T
template <class T>
int32_t projectInputs(const TenonKernelArgs& args, const Steps& s, const T* x, const T* weight,
                      T* gates) {
  const int64_t in = distance(s.inputs);
  return multiply(args,
                  {s.count * s.batch, s.width(), s.inputs, false, true, in, in, s.width(), false},
                  x, weight, gates);
}

/// Gradients of gates in front of their functions, rows [T N] that lie `distance` apart.
template <class T>
struct GateGradients {
  const T* values;
  int64_t distance;
};

/// dx = dgates wi
template <class T>
int32_t gradientOfInput(const TenonKernelArgs& args, const Steps& s, const GateGradients<T>& d,
                        const T* weight, T* dx) {
  const int64_t in = distance(s.inputs);
  return multiply(args,
                  {s.count * s.batch, s.inputs, s.width(), false, false, d.distance, in, in, false},
                  d.values, weight, dx);
}

/// dwi = dgates^T x
template <class T>
int32_t gradientOfInputWeight(const TenonKernelArgs& args, const Steps& s,
                              const GateGradients<T>& d, const T* x, T* dweight) {
  const int64_t in = distance(s.inputs);
  return multiply(args,
                  {s.width(), s.inputs, s.count * s.batch, true, false, d.distance, in, in, false},
                  d.values, x, dweight);
}

/// What the hidden weight was multiplied by: the state before a step is that after the one before,
/// and the given one before the first.
template <class T>
struct HiddenStates {
  const T* first;  // [N, H]
  const T* after;  // [T, N, H]
};

/// dwh = dgates^T h
template <class T>
int32_t gradientOfHiddenWeight(const TenonKernelArgs& args, const Steps& s,
                               const GateGradients<T>& d, const HiddenStates<T>& h, T* dweight) {
  const int64_t rows = (s.count - 1) * s.batch, later = s.backwards ? 0 : 1;
  GemmProblem p = {s.width(), s.hidden, rows, true, false, d.distance, s.hidden, s.hidden, false};
  const int32_t status = multiply(args, p, d.values + later * s.batch * d.distance,
                                  h.after + (1 - later) * s.states(), dweight);
  if (status != TENON_OK) return status;
  p.k = s.batch;
  p.accumulate = true;
  return multiply(args, p, d.values + s.at(0) * s.batch * d.distance, h.first, dweight);
}

}  // namespace recurrence
}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
