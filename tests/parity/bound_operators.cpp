// SPDX-License-Identifier: Apache-2.0
// Which function's cases run which operator; ./dev parity holds these rows to what really ran.
#include <map>
#include <string_view>

#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/op_def.h"
#include "tests/parity/functions.h"

namespace tenon::parity {
namespace {

#define TENON_BOUND(name, functor, id, ...) {id, #name, nullptr},
#define TENON_CHANGING(name, functor, id, ...) {id "_", #name "InPlace", nullptr},
#define TENON_CHANGING_PAIR(name, functor, id, ...) {id, #name "InPlace", nullptr},
constexpr Bound kPointwise[] = {TENON_ARITHMETIC(
    TENON_BOUND, TENON_BOUND, TENON_BOUND) TENON_ACTIVATIONS(TENON_BOUND, TENON_BOUND, TENON_BOUND)
                                    TENON_EXPONENTIALS(TENON_BOUND, TENON_BOUND, TENON_BOUND)
                                        TENON_TRIGONOMETRIC(TENON_BOUND, TENON_BOUND, TENON_BOUND)
                                            TENON_ROUNDING(TENON_BOUND, TENON_BOUND, TENON_BOUND)
                                                TENON_COMPARISONS(TENON_BOUND)};
constexpr Bound kChanging[] = {
    TENON_ARITHMETIC(TENON_CHANGING, TENON_CHANGING, TENON_CHANGING)
        TENON_ACTIVATIONS(TENON_CHANGING, TENON_CHANGING, TENON_CHANGING)
            TENON_EXPONENTIALS(TENON_CHANGING, TENON_CHANGING, TENON_CHANGING)
                TENON_TRIGONOMETRIC(TENON_CHANGING, TENON_CHANGING, TENON_CHANGING)
                    TENON_ROUNDING(TENON_CHANGING, TENON_CHANGING, TENON_CHANGING)
                        TENON_BINARY_IN_PLACE(TENON_CHANGING_PAIR)};
#undef TENON_BOUND
#undef TENON_CHANGING
#undef TENON_CHANGING_PAIR

constexpr Bound kRows[] = {
    {"add", "add", nullptr},
    {"sub", "sub", nullptr},
    {"mul", "mul", nullptr},
    {"div", "div", nullptr},
    {"maximum", "maximum", nullptr},
    {"minimum", "minimum", nullptr},
    {"pow", "pow", nullptr},
    {"atan2", "atan2", nullptr},
    {"fmod", "fmod", nullptr},
    {"remainder", "remainder", nullptr},
    {"floor_divide", "floorDivide", nullptr},
    {"leaky_relu_by", "prelu", nullptr},
    {"bit_entropy", "bceLoss", nullptr},
    {"bitwise_and", "bitwiseAnd", nullptr},
    {"bitwise_or", "bitwiseOr", nullptr},
    {"bitwise_xor", "bitwiseXor", nullptr},
    {"bitwise_not", "bitwiseNot", nullptr},
    {"lerp", "lerp", nullptr},
    {"lerp_scalar", "lerpScalar", nullptr},
    {"glu", "glu", nullptr},
    {"where", "where", nullptr},
    {"add_", "addInPlace", nullptr},
    {"sub_", "subInPlace", nullptr},
    {"mul_", "mulInPlace", nullptr},
    {"axpy_", "axpyInPlace", nullptr},
    {"fill_", "fillInPlace", nullptr},
    {"masked_fill_", "maskedFillInPlace", nullptr},
    {"copy_", "copyInPlace", nullptr},
    {"copy", "clone", nullptr},
    {"cast", "cast", nullptr},
    {"reorder", nullptr, "the gate's change of layout: cases with blocked inputs run it unheard"},
    {"sum", "sum", nullptr},
    {"mean", "mean", nullptr},
    {"max", "maxWithIndices", nullptr},
    {"min", "minWithIndices", nullptr},
    {"argmax", "argmax", nullptr},
    {"argmin", "argmin", nullptr},
    {"amax", "amax", nullptr},
    {"amin", "amin", nullptr},
    {"var", "var", nullptr},
    {"std", "stddev", nullptr},
    {"norm", "norm", nullptr},
    {"logsumexp", "logsumexp", nullptr},
    {"cumsum", "cumsum", nullptr},
    {"pick", "pick", nullptr},
    {"place", "pick", nullptr},
    {"count_correct", "countCorrect", nullptr},
    {"sum_squares", "sumSquares", nullptr},
    {"reshape", "reshape", nullptr},
    {"expand", "expand", nullptr},
    {"permute", "permute", nullptr},
    {"slice", "slice", nullptr},
    {"unfold", "unfold", nullptr},
    {"cat", "cat", nullptr},
    {"flip", "flip", nullptr},
    {"triangle", "tril", nullptr},
    {"gather", "gather", nullptr},
    {"scatter", "scatter", nullptr},
    {"scatter_add", "scatterAdd", nullptr},
    {"index_select", "indexSelect", nullptr},
    {"index_add", "indexAdd", nullptr},
    {"sort", "sortWithIndices", nullptr},
    {"softmax", "softmax", nullptr},
    {"log_softmax", "logSoftmax", nullptr},
    {"cross_entropy", "crossEntropy", nullptr},
    {"ctc_loss", "ctcLoss", nullptr},
    {"smoothed_targets", "crossEntropy", nullptr},
    {"matmul", "matmul", nullptr},
    {"linear", "linear", nullptr},
    {"linear_relu", "linearRelu", nullptr},
    {"linear_backward_input", "linear", nullptr},
    {"linear_backward_weight", "linear", nullptr},
    {"lstm", "recurrent", nullptr},
    {"gru_cell", "recurrent", nullptr},
    {"conv2d", "conv2d", nullptr},
    {"conv2d_backward_data", "conv2d", nullptr},
    {"conv2d_backward_weight", "conv2d", nullptr},
    {"max_pool2d", "max_pool2d", nullptr},
    {"max_pool2d_gather", "max_pool2d", nullptr},
    {"avg_pool2d", "avg_pool2d", nullptr},
    {"adaptive_avg_pool2d", "adaptive_avg_pool2d", nullptr},
    {"batch_norm", "batch_norm", nullptr},
    {"batch_norm_relu", "batch_norm", nullptr},
    {"batch_norm_eval", "batch_norm", nullptr},
    {"batch_norm_eval_relu", "batch_norm", nullptr},
    {"batch_norm_update_stats", "batch_norm", nullptr},
    {"layer_norm", "layer_norm", nullptr},
    {"rms_norm", "rms_norm", nullptr},
    {"resample", "interpolate", nullptr},
    {"sgd_step", "optimizer", nullptr},
    {"adam_step", "optimizer", nullptr},
    {"amsgrad_step", "optimizer", nullptr},
    {"adamax_step", "optimizer", nullptr},
    {"nadam_step", "optimizer", nullptr},
    {"radam_step", "optimizer", nullptr},
    {"rmsprop_step", "optimizer", nullptr},
    {"adagrad_step", "optimizer", nullptr},
    {"adadelta_step", "optimizer", nullptr},
    {"lion_step", "optimizer", nullptr},
    {"lamb_step", "optimizer", nullptr},
    {"scale_", "clipGradNorm", nullptr},
    {"unscale_", nullptr, "part of a gradient scaler (tests/engine/amp)"},
    {"clip_", "clipGradValue", nullptr},
    {"average_", "weightAverage", nullptr},
};

constexpr std::string_view kBackward = "_backward";

/// Of an operator without a row: its gradient's is its own; what draws random numbers has none that
/// could be compared.
const Bound* impliedBy(const OpDef& op, const std::map<std::string_view, Bound>& rows) {
  static const Bound kRandom = {nullptr, nullptr,
                                "draws random numbers, PyTorch's are others (tests/engine/ops)"};
  std::string_view id = op.id;
  if (op.random != philox::Purpose::None) return &kRandom;
  if (!id.ends_with(kBackward)) return nullptr;
  id.remove_suffix(kBackward.size());
  const auto row = rows.find(id);
  if (row != rows.end()) return &row->second;
  const OpDef* forward = findOp(id);
  return forward && forward->random != philox::Purpose::None ? &kRandom : nullptr;
}

}  // namespace

std::span<const Bound> boundOperators() {
  static const std::vector<Bound> kAll = [] {
    std::map<std::string_view, Bound> rows;
    for (const Bound& row : kPointwise) rows.emplace(row.op, row);
    for (const Bound& row : kChanging) rows.emplace(row.op, row);
    for (const Bound& row : kRows) rows.emplace(row.op, row);
    std::vector<Bound> all;
    all.reserve(rows.size());
    for (const auto& [id, row] : rows) all.push_back(row);
    for (const OpDef* op : allOps()) {
      const Bound* implied = rows.count(op->id) ? nullptr : impliedBy(*op, rows);
      if (implied) all.push_back({op->id, implied->function, implied->reason});
    }
    return all;
  }();
  return kAll;
}

}  // namespace tenon::parity
