// SPDX-License-Identifier: Apache-2.0
// Gradient check: analytic gradients against central differences, in f64.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/tensor/tensor.h"

namespace tenon::autograd {

using CheckedFunction = std::function<std::vector<Tensor>(std::span<const Tensor> inputs)>;

/// Defaults are PyTorch's (torch.autograd.gradcheck).
struct GradcheckOptions {
  double eps = 1e-6;
  double atol = 1e-5;
  double rtol = 1e-3;
  bool createGraph = false;  ///< use the differentiable gradient rules
};

struct GradcheckResult {
  bool ok = true;
  std::string text;  ///< the worst element: which output, input, place, analytic and numeric value
};

/// Checks d(outputs)/d(inputs) for every input that wants a gradient.
/// @param inputs f64, dense; changed while the check runs and put back.
TENON_API GradcheckResult gradcheck(const CheckedFunction& function, std::span<const Tensor> inputs,
                                    GradcheckOptions options = {});
/// The same for the gradients themselves (second order), at fixed pseudo-random output gradients.
TENON_API GradcheckResult gradgradcheck(const CheckedFunction& function,
                                        std::span<const Tensor> inputs,
                                        GradcheckOptions options = {});

}  // namespace tenon::autograd
