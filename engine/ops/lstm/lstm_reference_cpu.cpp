// SPDX-License-Identifier: Apache-2.0
// The f64 kernels of lstm and its gradient: plain loops, step by step. Tensors are dense.
#include <math.h>

#include "engine/backend/cpu/workspace.h"
#include "engine/ops/lstm/lstm.h"
#include "engine/ops/lstm/products_cpu.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using recurrence::Steps;

double squash(double x) { return 1 / (1 + exp(-x)); }

/// What one row reads and writes at a step. Each has H values, gates 4 H.
struct Row {
  const double* hiddenBefore;
  const double* cellBefore;
  double* gates;
  double* hidden;
  double* cell;
};

void advance(const Row& row, int64_t size, bool runs) {
  for (int64_t j = 0; j < size; ++j) {
    double* gate = row.gates + j;
    for (int which = 0; which < 4; ++which) {
      double& value = gate[which * size];
      value = which == 2 ? tanh(value) : squash(value);
    }
    const double cell = gate[size] * row.cellBefore[j] + gate[0] * gate[2 * size];
    row.cell[j] = runs ? cell : row.cellBefore[j];
    row.hidden[j] = runs ? gate[3 * size] * tanh(cell) : row.hiddenBefore[j];
  }
}

int32_t forward(const TenonKernelArgs* args) {
  const auto& in = args->inputs;
  const Steps s = recurrence::stepsOf({in[0], in[1], in[4], in[6]},
                                      static_cast<const LstmParams*>(args->params)->backwards);
  auto* hiddens = dataOf<double>(args->outputs[0]);
  auto* cells = dataOf<double>(args->outputs[1]);
  auto* gates = dataOf<double>(args->outputs[2]);
  const double* bias = valuesOf<double>(in[3]);
  const int64_t size = s.hidden, width = 4 * size;
  recurrence::projectInputs(*args, s, valuesOf<double>(in[0]), valuesOf<double>(in[1]), gates);
  const double* hidden = valuesOf<double>(in[4]);
  const double* cell = valuesOf<double>(in[5]);
  for (int64_t k = 0; k < s.count; ++k) {
    const int64_t t = s.at(k);
    double* own = gates + t * s.batch * s.width();
    referenceGemm<double>({s.batch, width, size, false, true, size, size, width, true}, hidden,
                          valuesOf<double>(in[2]), bias, own);
    for (int64_t n = 0; n < s.batch; ++n) {
      const int64_t state = t * s.states() + n * size;
      advance({hidden + n * size, cell + n * size, own + n * width, hiddens + state, cells + state},
              size, s.runs(t, n));
    }
    hidden = hiddens + t * s.states();
    cell = cells + t * s.states();
  }
  return TENON_OK;
}

/// Gradients of one row. dh, dc: of the state after the step, and then of the state before it but
/// for what the gates hand to the hidden state.
struct RowGradient {
  const double* gates;
  const double* cell;
  const double* cellBefore;
  double* dgates;
  double* dh;
  double* dc;
};

void back(const RowGradient& row, int64_t size, double* db) {
  for (int64_t j = 0; j < size; ++j) {
    const double i = row.gates[j], f = row.gates[size + j];
    const double g = row.gates[2 * size + j], o = row.gates[3 * size + j];
    const double squashed = tanh(row.cell[j]);
    const double dc = row.dc[j] + row.dh[j] * o * (1 - squashed * squashed);
    const double all[] = {dc * g * i * (1 - i), dc * row.cellBefore[j] * f * (1 - f),
                          dc * i * (1 - g * g), row.dh[j] * squashed * o * (1 - o)};
    for (int64_t which = 0; which < 4; ++which) {
      row.dgates[which * size + j] = all[which];
      db[which * size + j] += all[which];
    }
    row.dc[j] = dc * f;
    row.dh[j] = 0;
  }
}

/// Adds what arrives at a step from outside, if anything does.
void addOutside(const double* from, int64_t count, double* to) {
  for (int64_t i = 0; from && i < count; ++i) to[i] += from[i];
}

void stepBack(const TenonKernelArgs& args, const Steps& s, int64_t k, double* dgates) {
  const auto& in = args.inputs;
  const int64_t t = s.at(k), size = s.hidden, width = 4 * size;
  const auto atStep = [&](int input) {
    const double* all = valuesOf<double>(in[input]);
    return all ? all + t * s.states() : nullptr;
  };
  const double* before =
      k > 0 ? valuesOf<double>(in[9]) + s.at(k - 1) * s.states() : valuesOf<double>(in[6]);
  const double* gates = valuesOf<double>(in[10]) + t * s.batch * s.width();
  auto* dh = dataOf<double>(args.outputs[4]);
  auto* dc = dataOf<double>(args.outputs[5]);
  addOutside(atStep(0), s.states(), dh);
  addOutside(atStep(1), s.states(), dc);
  double* own = dgates + t * s.batch * s.width();
  for (int64_t n = 0; n < s.batch; ++n) {
    const int64_t at = n * size;
    if (s.runs(t, n)) {
      back({gates + n * width, atStep(9) + at, before + at, own + n * width, dh + at, dc + at},
           size, dataOf<double>(args.outputs[3]));
    } else {
      for (int64_t j = 0; j < width; ++j) own[n * width + j] = 0;
    }
  }
  referenceGemm<double>({s.batch, size, width, false, false, width, size, size, true}, own,
                        valuesOf<double>(in[4]), nullptr, dh);
}

int32_t backward(const TenonKernelArgs* args) {
  const auto& in = args->inputs;
  const auto& p = *static_cast<const LstmGradParams*>(args->params);
  const Steps s = recurrence::stepsOf({in[2], in[3], in[5], in[7]}, p.backwards);
  const Workspace room(*args->host, bytesFor<double>(s.count * s.batch * s.width() + 1));
  auto* dgates = room.as<double>();
  if (!dgates) return TENON_OUT_OF_MEMORY;
  const int64_t sizes[] = {4 * s.hidden, s.states(), s.states()};
  for (int i = 0; i < 3; ++i)
    for (int64_t j = 0; j < sizes[i]; ++j) dataOf<double>(args->outputs[3 + i])[j] = 0;
  for (int64_t k = s.count; k-- > 0;) stepBack(*args, s, k, dgates);
  return lstm_products::gradients<double>(*args, s, {dgates, s.width()});
}

const TenonKernel kKernels[] = {
    {"lstm", "reference", 0, TENON_DTYPE_BIT(TENON_F64), nullptr, &forward},
    {"lstm_backward", "reference", 0, TENON_DTYPE_BIT(TENON_F64), nullptr, &backward},
};

}  // namespace

KernelList cpuKernels_lstm_reference();
KernelList cpuKernels_lstm_reference() { return {kKernels, sizeof kKernels / sizeof kKernels[0]}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
