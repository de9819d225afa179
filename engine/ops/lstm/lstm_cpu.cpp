// SPDX-License-Identifier: Apache-2.0
// The f32 kernels of lstm and its gradient.
//
// Tensors are dense. All steps are multiplied by the input weight at once, into the tensor of
// gates, where each step's gates then take the place of what they are computed from. The hidden
// weight is packed into panels once. Who has computed a step's product for a block of 16 hidden
// units computes their gates and state too; how rows and blocks are divided among the team is in
// recurrence.h. The same holds for the way back, whose products for the weights run over all steps
// at once.
//
// Each element is added up in one order, whoever computes it; db adds rows in bands.
#include "engine/ops/lstm/lstm.h"

#include "engine/backend/cpu/math.h"
#include "engine/backend/cpu/panels.h"
#include "engine/backend/cpu/recurrence.h"
#include "engine/backend/cpu/tails.h"
#include "engine/backend/cpu/workspace.h"
#include "engine/ops/lstm/products_cpu.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using recurrence::kBand;
using recurrence::kBlock;
using recurrence::kTile;
using recurrence::least;
using recurrence::Rows;
using recurrence::Steps;

using V = Vec<float>;
constexpr int64_t kLanes = V::kLanes;
constexpr int64_t kGates = 4;

// ------------------------------------------------------------------------------------- forward

struct Forward {
  Steps s;
  const float* bias;             // [4 H] or null
  const float *hidden0, *cell0;  // [N, H]: before the first step
  float* packed;                 // [blocks, 4, H, 16]
  float *hiddens, *cells, *gates;

  /// The state before the k-th step of one kind.
  const float* before(const float* first, const float* after, int64_t k) const {
    return k > 0 ? after + s.at(k - 1) * s.states() : first;
  }
};

/// One row of 8 units at a step.
struct Place {
  const float* sums;  // [4, 16]: what is in front of the gates' functions
  float* gates;
  const float *hidden, *cell;  // before the step
  int64_t state, n;            // place in the states after it; how many units
  bool runs;
};

TENON_INLINE void advanceRow(const Forward& f, const Place& p) {
  const int64_t size = f.s.hidden, n = p.n;
  const V input = math::sigmoid(V::load(p.sums)), forget = math::sigmoid(V::load(p.sums + kBlock));
  const V fresh = math::tanh(V::load(p.sums + 2 * kBlock));
  const V output = math::sigmoid(V::load(p.sums + 3 * kBlock));
  put(input, p.gates, n);
  put(forget, p.gates + size, n);
  put(fresh, p.gates + 2 * size, n);
  put(output, p.gates + 3 * size, n);
  const V before = take(p.cell, n);
  const V after = mulAdd(forget, before, input * fresh);
  put(p.runs ? after : before, f.cells + p.state, n);
  put(p.runs ? output * math::tanh(after) : take(p.hidden, n), f.hiddens + p.state, n);
}

/// The 4 sums of 8 units begin with the input's product and the bias.
TENON_INLINE void beginRow(const Forward& f, const float* gates, int64_t unit, int64_t n,
                           float* sums) {
  const int64_t size = f.s.hidden;
  for (int64_t gate = 0; gate < kGates; ++gate) {
    V sum = take(gates + gate * size, n);
    if (f.bias) sum = sum + take(f.bias + gate * size + unit, n);
    sum.store(sums + gate * kBlock);
  }
}

void advanceBlock(const Forward& f, int64_t k, int64_t block, Rows all) {
  const Steps& s = f.s;
  const int64_t size = s.hidden, t = s.at(k), wide = kGates * kBlock;
  const float* panel = f.packed + block * kGates * size * kBlock;
  const float* hidden = f.before(f.hidden0, f.hiddens, k);
  const float* cell = f.before(f.cell0, f.cells, k);
  alignas(64) float sums[kTile * kGates * kBlock];
  const int64_t end = least(size, (block + 1) * kBlock);
  recurrence::overTiles(all, [&](int64_t row, int64_t rows) {
    float* gates = f.gates + (t * s.batch + row) * s.width();
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t j = 0; j < kBlock; j += kLanes) {
        const int64_t unit = block * kBlock + j;
        const int64_t n = unit < end ? least(kLanes, end - unit) : 0;
        beginRow(f, gates + r * s.width() + unit, unit, n, sums + r * wide + j);
      }
    for (int64_t gate = 0; gate < kGates; ++gate)
      panels::addProduct(hidden + row * size, size, rows, panel + gate * size * kBlock, size,
                         sums + gate * kBlock, wide);
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t unit = block * kBlock; unit < end; unit += kLanes) {
        const int64_t at = (row + r) * size + unit;
        advanceRow(f,
                   {sums + r * wide + unit % kBlock, gates + r * s.width() + unit, hidden + at,
                    cell + at, t * s.states() + at, least(kLanes, end - unit), s.runs(t, row + r)});
      }
  });
}

int32_t forward(const TenonKernelArgs* args) {
  const auto& in = args->inputs;
  const Steps s = recurrence::stepsOf({in[0], in[1], in[4], in[6]},
                                      static_cast<const LstmParams*>(args->params)->backwards);
  const Workspace packed(*args->host, bytesFor<float>(recurrence::packedSize(s)));
  if (!packed.as<float>()) return TENON_OUT_OF_MEMORY;
  const Forward f = {s,
                     valuesOf<float>(in[3]),
                     valuesOf<float>(in[4]),
                     valuesOf<float>(in[5]),
                     packed.as<float>(),
                     dataOf<float>(args->outputs[0]),
                     dataOf<float>(args->outputs[1]),
                     dataOf<float>(args->outputs[2])};
  const int32_t status =
      recurrence::projectInputs(*args, s, valuesOf<float>(in[0]), valuesOf<float>(in[1]), f.gates);
  if (status != TENON_OK) return status;
  recurrence::packForGates(s, valuesOf<float>(in[2]), f.packed);
  recurrence::overSteps(
      s, s.count, [&](int64_t k, int64_t block, Rows rows) { advanceBlock(f, k, block, rows); });
  return TENON_OK;
}

// ------------------------------------------------------------------------------------- backward

struct Backward {
  Steps s;
  const float *dhiddens, *dcells;  // [T, N, H] or null
  const float* cell0;              // [N, H] before the first step
  const float *cells, *gates;
  float* packed;     // [blocks, 4 H, 16]
  float* dgates;     // [T, N, distance], before the gates' functions
  int64_t distance;  // of its rows
  float* db;         // [bands, 4 H]
  float *dh, *dc;    // dh: of sequences that do not run; dc: of the state between two steps
};

/// What the gates of the k-th step hand to the hidden state before it: [rows, 16].
void carry(const Backward& b, int64_t block, int64_t k, int64_t row, int64_t rows, float* sums) {
  for (int64_t i = 0; i < rows * kBlock; ++i) sums[i] = 0;
  if (k == b.s.count) return;
  const int64_t width = b.s.width();
  panels::addProduct(b.dgates + (b.s.at(k) * b.s.batch + row) * b.distance, b.distance, rows,
                     b.packed + block * width * kBlock, width, sums, kBlock);
}

/// 8 units at a step.
struct Units {
  int64_t t, at, n;         // step, first unit, how many
  const float* cellBefore;  // [N, H]
};

/// One row of 8 units: gradients of the gates before their functions, added to db, and of the cell
/// before the step. `carried` came from the step after it.
TENON_INLINE void backRow(const Backward& b, const Units& u, int64_t row, V carried,
                          V (&db)[kGates]) {
  const int64_t size = b.s.hidden, state = row * size + u.at, n = u.n;
  const int64_t place = u.t * b.s.states() + state;
  const float* gates = b.gates + (u.t * b.s.batch + row) * b.s.width() + u.at;
  float* dgates = b.dgates + (u.t * b.s.batch + row) * b.distance + u.at;
  V dh = carried, dc = take(b.dc + state, n);
  if (b.s.lengths) dh = dh + take(b.dh + state, n);
  if (b.dhiddens) dh = dh + take(b.dhiddens + place, n);
  if (b.dcells) dc = dc + take(b.dcells + place, n);
  if (!b.s.runs(u.t, row)) {
    for (int64_t gate = 0; gate < kGates; ++gate) put(V(0.0), dgates + gate * size, n);
    put(dh, b.dh + state, n);
    put(dc, b.dc + state, n);
    return;
  }
  const V input = take(gates, n), forget = take(gates + size, n);
  const V fresh = take(gates + 2 * size, n), output = take(gates + 3 * size, n);
  const V one(1.0), squashed = math::tanh(take(b.cells + place, n));
  dc = mulAdd(dh * output, one - squashed * squashed, dc);
  const V all[kGates] = {dc * fresh * (input * (one - input)),
                         dc * take(u.cellBefore + state, n) * (forget * (one - forget)),
                         dc * input * (one - fresh * fresh),
                         dh * squashed * (output * (one - output))};
  for (int64_t gate = 0; gate < kGates; ++gate) {
    put(all[gate], dgates + gate * size, n);
    db[gate] = db[gate] + all[gate];
  }
  put(dc * forget, b.dc + state, n);
  if (b.s.lengths) put(V(0.0), b.dh + state, n);
}

void backBlock(const Backward& b, int64_t k, int64_t block, Rows all) {
  const int64_t size = b.s.hidden, end = least(size, (block + 1) * kBlock);
  const float* before = k > 0 ? b.cells + b.s.at(k - 1) * b.s.states() : b.cell0;
  alignas(64) float sums[kTile * kBlock];
  recurrence::overTiles(all, [&](int64_t row, int64_t rows) {
    carry(b, block, k + 1, row, rows, sums);
    for (int64_t unit = block * kBlock; unit < end; unit += kLanes) {
      const Units u = {b.s.at(k), unit, least(kLanes, end - unit), before};
      for (int64_t band = 0; band < rows; band += kBand) {
        V db[kGates] = {V(0.0), V(0.0), V(0.0), V(0.0)};
        for (int64_t r = band; r < least(rows, band + kBand); ++r)
          backRow(b, u, row + r, V::load(sums + r * kBlock + unit % kBlock), db);
        float* to = b.db + (row + band) / kBand * b.s.width() + unit;
        for (int64_t gate = 0; gate < kGates; ++gate)
          recurrence::addToBand(db[gate], k == b.s.count - 1, to + gate * size, u.n);
      }
    }
  });
}

/// dh becomes the gradient of the hidden state before the first step.
void finishBlock(const Backward& b, int64_t block, Rows all) {
  const int64_t size = b.s.hidden;
  alignas(64) float sums[kTile * kBlock];
  recurrence::overTiles(all, [&](int64_t row, int64_t rows) {
    carry(b, block, 0, row, rows, sums);
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t j = 0; j < kBlock && block * kBlock + j < size; ++j)
        b.dh[(row + r) * size + block * kBlock + j] += sums[r * kBlock + j];
  });
}

int32_t backward(const TenonKernelArgs* args) {
  const auto& in = args->inputs;
  const auto& p = *static_cast<const LstmGradParams*>(args->params);
  const Steps s = recurrence::stepsOf({in[2], in[3], in[5], in[7]}, p.backwards);
  Backward b = {};
  b.s = s;
  b.dhiddens = valuesOf<float>(in[0]);
  b.dcells = valuesOf<float>(in[1]);
  b.cell0 = valuesOf<float>(in[6]);
  b.cells = valuesOf<float>(in[9]);
  b.gates = valuesOf<float>(in[10]);
  b.distance = recurrence::spread(s.width());
  const int64_t packed = recurrence::packedSize(s), dgates = s.count * s.batch * b.distance;
  const Workspace room(*args->host, bytesFor<float>(packed + dgates + s.bands() * s.width()));
  if (!room.as<float>()) return TENON_OUT_OF_MEMORY;
  b.packed = room.as<float>();
  b.dgates = b.packed + packed;
  b.db = b.dgates + dgates;
  b.dh = dataOf<float>(args->outputs[4]);
  b.dc = dataOf<float>(args->outputs[5]);
  for (int64_t i = 0; i < s.states(); ++i) b.dh[i] = b.dc[i] = 0;
  recurrence::packForState(s, valuesOf<float>(in[4]), b.packed);
  recurrence::overSteps(s, s.count + 1, [&](int64_t i, int64_t block, Rows rows) {
    if (i < s.count) return backBlock(b, s.count - 1 - i, block, rows);
    finishBlock(b, block, rows);
  });
  recurrence::sumBands(b.db, s.bands(), s.width(), dataOf<float>(args->outputs[3]));
  return lstm_products::gradients<float>(*args, s, {b.dgates, b.distance});
}

const TenonKernel kKernels[] = {
    {"lstm", "panels", 10, TENON_DTYPE_BIT(TENON_F32), nullptr, &forward},
    {"lstm_backward", "panels", 10, TENON_DTYPE_BIT(TENON_F32), nullptr, &backward},
};

}  // namespace

KernelList cpuKernels_lstm();
KernelList cpuKernels_lstm() { return {kKernels, sizeof kKernels / sizeof kKernels[0]}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
