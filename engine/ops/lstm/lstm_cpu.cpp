// SPDX-License-Identifier: Apache-2.0
// The f32 kernels of lstm and its gradient.
//
// Tensors are dense. All steps are multiplied by the input weight at once, into the tensor of
// gates, where each step's gates then take the place of what they are computed from. The hidden
// weight is packed into panels once. A step is divided among the team by hidden units: who has
// computed the product for a unit computes its gates and state too, so that there is one meeting of
// the team a step. The same holds for the way back, whose products for the weights run over all
// steps at once.
//
// Each element is added up in one order, whoever computes it; db adds rows in bands of 48.
#include "engine/ops/lstm/lstm.h"

#include "engine/backend/cpu/math.h"
#include "engine/backend/cpu/panels.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/tails.h"
#include "engine/backend/cpu/transpose.h"
#include "engine/backend/cpu/workspace.h"
#include "engine/ops/lstm/steps_cpu.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using lstm_steps::Steps;

using V = Vec<float>;
constexpr int64_t kLanes = V::kLanes;
constexpr int64_t kPanel = panels::kWidth;
constexpr int64_t kBand = 48;          // rows that are worked on together
constexpr int64_t kAlone = 128 << 10;  // products; less is not worth waking the team

int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/// Runs body(block) for blocks of hidden units, each worth `products` multiplications.
template <class Body>
void overBlocks(int64_t blocks, int64_t products, Body&& body) {
  parallelFor(blocks, 1 + kAlone / (products + 1), [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) body(block);
  });
}

// ------------------------------------------------------------------------------------- forward

/// Hidden units come in blocks of 8 with two panels: input and forget gates, fresh and output ones.
struct Forward {
  Steps s;
  const float* weight;  // [4 H, H]
  const float* bias;    // [4 H] or null
  float* packed;        // [blocks, 2, H, 16]
  float *hiddens, *cells, *gates;

  int64_t blocks() const { return (s.hidden + kLanes - 1) / kLanes; }
  int64_t products() const { return s.batch * s.hidden * 4 * kLanes; }
};

/// State before a step, [N, H] each.
struct Before {
  const float *hidden, *cell;
};

/// The rows of the weight for one gate of a block's units become 8 columns of a panel.
void packGate(const Forward& f, int64_t unit, int64_t gate) {
  const int64_t size = f.s.hidden, units = least(kLanes, size - unit);
  const float* from = f.weight + (gate * size + unit) * size;
  float* to = f.packed + (unit / kLanes * 2 + gate / 2) * size * kPanel + gate % 2 * kLanes;
  int64_t k = 0;
  if (units == kLanes)
    for (; k + kLanes <= size; k += kLanes)
      transpose8x8(reinterpret_cast<uint32_t*>(to + k * kPanel), kPanel,
                   reinterpret_cast<const uint32_t*>(from + k), size);
  for (; k < size; ++k)
    for (int64_t j = 0; j < kLanes; ++j) to[k * kPanel + j] = j < units ? from[j * size + k] : 0.0f;
}

/// Gates and state of one row from what is in front of the gates' functions, 4 x 8 values.
TENON_INLINE void advanceRow(const Forward& f, const float* sums, float* gates, const float* hidden,
                             const float* cell, int64_t state, int64_t n, bool runs) {
  const V input = math::sigmoid(V::load(sums)), forget = math::sigmoid(V::load(sums + kLanes));
  const V fresh = math::tanh(V::load(sums + 2 * kLanes));
  const V output = math::sigmoid(V::load(sums + 3 * kLanes));
  put(input, gates, n);
  put(forget, gates + f.s.hidden, n);
  put(fresh, gates + 2 * f.s.hidden, n);
  put(output, gates + 3 * f.s.hidden, n);
  const V before = take(cell, n);
  const V after = mulAdd(forget, before, input * fresh);
  put(runs ? after : before, f.cells + state, n);
  put(runs ? output * math::tanh(after) : take(hidden, n), f.hiddens + state, n);
}

void advanceBlock(const Forward& f, int64_t block, int64_t t, const Before& before) {
  const int64_t size = f.s.hidden, width = 4 * size, unit = block * kLanes;
  const int64_t n = least(kLanes, size - unit);
  const float* panel = f.packed + block * 2 * size * kPanel;
  float* gates = f.gates + t * f.s.gates() + unit;
  alignas(32) float sums[kBand * 2 * kPanel];
  for (int64_t row = 0; row < f.s.batch; row += kBand) {
    const int64_t rows = least(kBand, f.s.batch - row);
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t gate = 0; gate < 4; ++gate) {
        V sum = take(gates + (row + r) * width + gate * size, n);
        if (f.bias) sum = sum + take(f.bias + gate * size + unit, n);
        sum.store(sums + r * 2 * kPanel + gate * kLanes);
      }
    for (int64_t half = 0; half < 2; ++half)
      panels::addProduct(before.hidden + row * size, size, rows, panel + half * size * kPanel, size,
                         sums + half * kPanel, 2 * kPanel);
    for (int64_t r = 0; r < rows; ++r) {
      const int64_t at = (row + r) * size + unit;
      advanceRow(f, sums + r * 2 * kPanel, gates + (row + r) * width, before.hidden + at,
                 before.cell + at, t * f.s.states() + at, n, f.s.runs(t, row + r));
    }
  }
}

int32_t forward(const TenonKernelArgs* args) {
  const auto& in = args->inputs;
  const Steps s = lstm_steps::stepsOf(in[0], in[4], in[6],
                                      static_cast<const LstmParams*>(args->params)->backwards);
  Forward f = {s,
               valuesOf<float>(in[2]),
               valuesOf<float>(in[3]),
               nullptr,
               dataOf<float>(args->outputs[0]),
               dataOf<float>(args->outputs[1]),
               dataOf<float>(args->outputs[2])};
  const Workspace packed(*args->host, bytesFor<float>(f.blocks() * 2 * s.hidden * kPanel));
  if (!packed.as<float>()) return TENON_OUT_OF_MEMORY;
  f.packed = packed.as<float>();
  const int32_t status =
      lstm_steps::projectInputs(*args, s, valuesOf<float>(in[0]), valuesOf<float>(in[1]), f.gates);
  if (status != TENON_OK) return status;
  overBlocks(f.blocks(), f.products(), [&](int64_t block) {
    for (int64_t gate = 0; gate < 4; ++gate) packGate(f, block * kLanes, gate);
  });
  Before before = {valuesOf<float>(in[4]), valuesOf<float>(in[5])};
  for (int64_t k = 0; k < s.count; ++k) {
    const int64_t t = s.at(k);
    overBlocks(f.blocks(), f.products(), [&](int64_t b) { advanceBlock(f, b, t, before); });
    before = {f.hiddens + t * s.states(), f.cells + t * s.states()};
  }
  return TENON_OK;
}

// ------------------------------------------------------------------------------------- backward

/// Hidden units come in blocks of 16 with one panel.
struct Backward {
  Steps s;
  const float *dhiddens, *dcells;  // [T, N, H] or null
  const float* weight;             // [4 H, H]
  const float* cell;               // [N, H] before the first step
  const float *cells, *gates;
  float* packed;        // [blocks, 4 H, 16]
  float* dgates;        // [T, N, 4 H], before the gates' functions
  float *db, *dh, *dc;  // dh: of sequences that do not run; dc: of the state between two steps

  int64_t blocks() const { return panels::countOf(s.hidden); }
  int64_t products() const { return s.batch * s.hidden * 4 * kPanel; }
};

void packPanel(const Backward& b, int64_t block) {
  const int64_t size = b.s.hidden, units = least(kPanel, size - block * kPanel);
  const float* from = b.weight + block * kPanel;
  float* to = b.packed + block * 4 * size * kPanel;
  for (int64_t k = 0; k < 4 * size; ++k, from += size, to += kPanel)
    for (int64_t j = 0; j < kPanel; ++j) to[j] = j < units ? from[j] : 0.0f;
}

/// What the gates of the k-th step hand to the hidden state before it: [rows, 16].
void carry(const Backward& b, int64_t block, int64_t k, int64_t row, int64_t rows, float* sums) {
  for (int64_t i = 0; i < rows * kPanel; ++i) sums[i] = 0;
  if (k == b.s.count) return;
  const int64_t width = 4 * b.s.hidden;
  panels::addProduct(b.dgates + b.s.at(k) * b.s.gates() + row * width, width, rows,
                     b.packed + block * width * kPanel, width, sums, kPanel);
}

/// 8 units at a step.
struct Units {
  int64_t t, at, n;         // step, first unit, how many
  const float* cellBefore;  // [N, H]
};

/// One row of 8 units: gradients of the gates before their functions, added to db, and of the cell
/// before the step. `carried` came from the step after it.
TENON_INLINE void backRow(const Backward& b, const Units& u, int64_t row, V carried, V (&db)[4]) {
  const int64_t size = b.s.hidden, state = row * size + u.at, n = u.n;
  const int64_t place = u.t * b.s.states() + state;
  const int64_t first = u.t * b.s.gates() + row * 4 * size + u.at;
  V dh = carried, dc = take(b.dc + state, n);
  if (b.s.lengths) dh = dh + take(b.dh + state, n);
  if (b.dhiddens) dh = dh + take(b.dhiddens + place, n);
  if (b.dcells) dc = dc + take(b.dcells + place, n);
  if (!b.s.runs(u.t, row)) {
    for (int64_t gate = 0; gate < 4; ++gate) put(V(0.0), b.dgates + first + gate * size, n);
    put(dh, b.dh + state, n);
    put(dc, b.dc + state, n);
    return;
  }
  const float* gates = b.gates + first;
  const V input = take(gates, n), forget = take(gates + size, n);
  const V fresh = take(gates + 2 * size, n), output = take(gates + 3 * size, n);
  const V one(1.0), squashed = math::tanh(take(b.cells + place, n));
  dc = mulAdd(dh * output, one - squashed * squashed, dc);
  const V all[4] = {dc * fresh * (input * (one - input)),
                    dc * take(u.cellBefore + state, n) * (forget * (one - forget)),
                    dc * input * (one - fresh * fresh), dh * squashed * (output * (one - output))};
  for (int64_t gate = 0; gate < 4; ++gate) {
    put(all[gate], b.dgates + first + gate * size, n);
    db[gate] = db[gate] + all[gate];
  }
  put(dc * forget, b.dc + state, n);
  if (b.s.lengths) put(V(0.0), b.dh + state, n);
}

void backBlock(const Backward& b, int64_t block, int64_t k) {
  const int64_t size = b.s.hidden;
  const float* before = k > 0 ? b.cells + b.s.at(k - 1) * b.s.states() : b.cell;
  alignas(32) float sums[kBand * kPanel];
  for (int64_t row = 0; row < b.s.batch; row += kBand) {
    const int64_t rows = least(kBand, b.s.batch - row);
    carry(b, block, k + 1, row, rows, sums);
    for (int64_t half = 0; half < kPanel; half += kLanes) {
      const int64_t unit = block * kPanel + half;
      if (unit >= size) break;
      const Units u = {b.s.at(k), unit, least(kLanes, size - unit), before};
      V db[4] = {V(0.0), V(0.0), V(0.0), V(0.0)};
      for (int64_t r = 0; r < rows; ++r)
        backRow(b, u, row + r, V::load(sums + r * kPanel + half), db);
      for (int64_t gate = 0; gate < 4; ++gate) {
        float* to = b.db + gate * size + unit;
        put(take(to, u.n) + db[gate], to, u.n);
      }
    }
  }
}

/// dh becomes the gradient of the hidden state before the first step.
void finishBlock(const Backward& b, int64_t block) {
  const int64_t size = b.s.hidden;
  alignas(32) float sums[kBand * kPanel];
  for (int64_t row = 0; row < b.s.batch; row += kBand) {
    const int64_t rows = least(kBand, b.s.batch - row);
    carry(b, block, 0, row, rows, sums);
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t j = 0; j < kPanel && block * kPanel + j < size; ++j)
        b.dh[(row + r) * size + block * kPanel + j] += sums[r * kPanel + j];
  }
}

int32_t backward(const TenonKernelArgs* args) {
  const auto& in = args->inputs;
  const auto& p = *static_cast<const LstmGradParams*>(args->params);
  const Steps s = lstm_steps::stepsOf(in[2], in[5], in[7], p.backwards);
  Backward b = {};
  b.s = s;
  b.dhiddens = valuesOf<float>(in[0]);
  b.dcells = valuesOf<float>(in[1]);
  b.weight = valuesOf<float>(in[4]);
  b.cell = valuesOf<float>(in[6]);
  b.cells = valuesOf<float>(in[9]);
  b.gates = valuesOf<float>(in[10]);
  const int64_t packed = b.blocks() * 4 * s.hidden * kPanel;
  const Workspace room(*args->host, bytesFor<float>(packed + s.count * s.gates()));
  if (!room.as<float>()) return TENON_OUT_OF_MEMORY;
  b.packed = room.as<float>();
  b.dgates = b.packed + packed;
  b.db = dataOf<float>(args->outputs[3]);
  b.dh = dataOf<float>(args->outputs[4]);
  b.dc = dataOf<float>(args->outputs[5]);
  for (int64_t i = 0; i < 4 * s.hidden; ++i) b.db[i] = 0;
  for (int64_t i = 0; i < s.states(); ++i) b.dh[i] = b.dc[i] = 0;
  overBlocks(b.blocks(), b.products(), [&](int64_t block) { packPanel(b, block); });
  for (int64_t k = s.count; k-- > 0;)
    overBlocks(b.blocks(), b.products(), [&](int64_t block) { backBlock(b, block, k); });
  overBlocks(b.blocks(), b.products(), [&](int64_t block) { finishBlock(b, block); });
  return lstm_steps::gradientsOfProducts<float>(*args, s, p.inputGradient != 0, b.dgates);
}

const TenonKernel kKernels[] = {
    {"lstm", "panels", 10, TENON_DTYPE_BIT(TENON_F32), nullptr, &forward},
    {"lstm_backward", "panels", 10, TENON_DTYPE_BIT(TENON_F32), nullptr, &backward},
};

}  // namespace

KernelList cpuKernels_lstm();
KernelList cpuKernels_lstm() { return {kKernels, sizeof kKernels / sizeof kKernels[0]}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
