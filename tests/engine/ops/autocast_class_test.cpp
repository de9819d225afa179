// SPDX-License-Identifier: Apache-2.0
// The classes of operators under autocast against PyTorch's lists (autocast_mode.h; the lists for
// CUDA, and those for the CPU where CUDA's say nothing).
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "engine/ops/op_def.h"

namespace tenon::test {
namespace {

/// Everything listed; what is not takes what arrives. Behind an id: PyTorch's name, where it has
/// another.
const std::map<std::string, AutocastClass>& listed() {
  constexpr auto kLow = AutocastClass::LowPrecision;
  constexpr auto kFloat = AutocastClass::Float32;
  constexpr auto kWidest = AutocastClass::Widest;
  static const std::map<std::string, AutocastClass> kAll = {
      // lower_precision_fp
      {"conv2d", kLow},                // conv1d .. conv3d, _convolution
      {"conv2d_backward_data", kLow},  // conv_transpose1d .. 3d
      {"matmul", kLow},                // mm, bmm, mv, addmm, einsum, ...
      {"linear", kLow},
      {"linear_relu", kLow},  // addmm_activation
      {"gru_cell", kLow},
      {"lstm", kLow},           // lstm_cell, _thnn_fused_lstm_cell
      {"leaky_relu_by", kLow},  // prelu
      // fp32
      {"pow", kFloat},
      {"pow_scalar", kFloat},
      {"exp", kFloat},
      {"expm1", kFloat},
      {"log", kFloat},
      {"log2", kFloat},
      {"log10", kFloat},
      {"log1p", kFloat},
      {"reciprocal", kFloat},
      {"rsqrt", kFloat},
      {"sinh", kFloat},
      {"cosh", kFloat},
      {"tan", kFloat},
      {"asin", kFloat},
      {"acos", kFloat},
      {"softplus", kFloat},
      {"layer_norm", kFloat},  // group_norm and instance norm are made of it
      {"rms_norm", kFloat},
      {"norm", kFloat},
      {"cross_entropy", kFloat},  // log_softmax, nll_loss
      {"ctc_loss", kFloat},
      {"bit_entropy", kFloat},  // binary_cross_entropy (CPU)
      {"logsumexp", kFloat},
      {"resample", kFloat},  // upsample_*
      // fp32_set_opt_dtype
      {"softmax", kFloat},
      {"log_softmax", kFloat},
      {"sum", kFloat},
      {"cumsum", kFloat},
      // promote
      {"atan2", kWidest},
      {"scatter_add", kWidest},
      {"index_add", kWidest},  // index_put with accumulation
      {"cat", kWidest},        // cat, stack (CPU)
  };
  return kAll;
}

TEST(AutocastClasses, AreThoseOfPyTorchsLists) {
  size_t found = 0;
  for (const OpDef* op : allOps()) {
    const auto entry = listed().find(op->id);
    const bool isListed = entry != listed().end();
    found += isListed ? 1 : 0;
    EXPECT_EQ(op->autocast, isListed ? entry->second : AutocastClass::AsIs) << op->id;
  }
  EXPECT_EQ(found, listed().size()) << "an operator of the table is not there";
}

TEST(AutocastClasses, ThoseThatPeopleGetWrong) {
  // facts, section 3: activations and batch norm are not forced to a type
  for (const char* id : {"relu", "gelu", "silu", "sigmoid", "tanh", "dropout", "batch_norm",
                         "max_pool2d", "add", "mul", "index_select"}) {
    const OpDef* op = findOp(id);
    ASSERT_NE(op, nullptr) << id;
    EXPECT_EQ(op->autocast, AutocastClass::AsIs) << id;
  }
}

}  // namespace
}  // namespace tenon::test
