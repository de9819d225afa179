// SPDX-License-Identifier: Apache-2.0
// Central differences: d f / d x = (f(x + eps) - f(x - eps)) / (2 eps), one input element at a
// time.
#include "engine/autograd/gradcheck.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"

namespace tenon::autograd {
namespace {

using Values = std::vector<std::vector<double>>;  // by output

Values valuesOf(const std::vector<Tensor>& tensors) {
  Values out;
  for (const Tensor& tensor : tensors)
    out.push_back(tensor.defined() && tensor.dtype() == DType::F64 ? tensor.toVector<double>()
                                                                   : std::vector<double>());
  return out;
}

Values evaluate(const CheckedFunction& function, std::span<const Tensor> inputs, bool record) {
  const gate::GradModeGuard mode(record);
  return valuesOf(function(inputs));
}

/// Row e: d(every output element)/d(element e of the input), by differences.
std::vector<Values> numeric(const CheckedFunction& function, std::span<const Tensor> inputs,
                            const Tensor& input, double eps, bool record) {
  std::vector<Values> rows;
  auto* x = input.data<double>();
  for (int64_t e = 0; e < input.numel(); ++e) {
    const double kept = x[e];
    x[e] = kept + eps;
    Values up = evaluate(function, inputs, record);
    x[e] = kept - eps;
    const Values down = evaluate(function, inputs, record);
    x[e] = kept;
    for (size_t o = 0; o < up.size(); ++o)
      for (size_t k = 0; k < up[o].size(); ++k) up[o][k] = (up[o][k] - down[o][k]) / (2 * eps);
    rows.push_back(std::move(up));
  }
  return rows;
}

struct Worst {
  double excess = 0;
  std::string text;
};

/// Compares the gradient of one output element with the numeric rows of every input.
void compare(const std::vector<Tensor>& analytic, const std::vector<std::vector<Values>>& rows,
             size_t output, size_t k, const GradcheckOptions& options, Worst& worst) {
  for (size_t i = 0; i < analytic.size(); ++i) {
    const bool defined = analytic[i].defined();
    const std::vector<double> values =
        defined ? analytic[i].toVector<double>() : std::vector<double>();
    for (size_t e = 0; e < rows[i].size(); ++e) {
      const double a = defined ? values[e] : 0.0;
      const double n = rows[i][e][output][k];
      const double excess = std::abs(a - n) - options.atol - options.rtol * std::abs(n);
      if (!(excess <= worst.excess)) {
        worst.excess = std::isnan(excess) ? INFINITY : excess;
        worst.text =
            fmt::format("d output {}[{}] / d input {}[{}]: analytic {:.9g}, numeric {:.9g}", output,
                        k, i, e, a, n);
      }
    }
  }
}

std::vector<Tensor> checkedInputs(std::span<const Tensor> inputs) {
  std::vector<Tensor> out;
  for (const Tensor& input : inputs) {
    if (!input.defined() || !input.requiresGrad()) continue;
    if (input.dtype() != DType::F64 || !input.isContiguous())
      throw Error(Code::Usage, "gradcheck wants dense f64 inputs, got " + describe(input));
    out.push_back(input);
  }
  return out;
}

GradcheckResult check(const CheckedFunction& function, std::span<const Tensor> inputs,
                      const GradcheckOptions& options, bool recordNumeric) {
  const std::vector<Tensor> wanted = checkedInputs(inputs);
  std::vector<std::vector<Values>> rows;
  for (const Tensor& input : wanted)
    rows.push_back(numeric(function, inputs, input, options.eps, recordNumeric));
  const gate::GradModeGuard mode(true);
  const std::vector<Tensor> outputs = function(inputs);
  Worst worst;
  for (size_t o = 0; o < outputs.size(); ++o) {
    if (!outputs[o].defined() || !outputs[o].requiresGrad()) continue;
    for (int64_t k = 0; k < outputs[o].numel(); ++k) {
      Tensor seed = Tensor::zeros(outputs[o].shape(), DType::F64);
      seed.data<double>()[k] = 1.0;
      const std::vector<Tensor> analytic =
          grad({&outputs[o], 1}, wanted, {&seed, 1}, {true, options.createGraph, true});
      compare(analytic, rows, o, static_cast<size_t>(k), options, worst);
    }
  }
  return {worst.excess <= 0, worst.text};
}

}  // namespace

GradcheckResult gradcheck(const CheckedFunction& function, std::span<const Tensor> inputs,
                          GradcheckOptions options) {
  return check(function, inputs, options, false);
}

GradcheckResult gradgradcheck(const CheckedFunction& function, std::span<const Tensor> inputs,
                              GradcheckOptions options) {
  const CheckedFunction first = [&function](std::span<const Tensor> at) {
    std::vector<Tensor> differentiable;
    std::vector<Tensor> seeds;
    for (const Tensor& output : function(at)) {
      if (!output.defined() || !output.requiresGrad()) continue;
      Tensor seed = Tensor::empty(output.shape(), DType::F64);
      for (int64_t k = 0; k < seed.numel(); ++k)
        seed.data<double>()[k] = 0.5 + 0.01 * static_cast<double>((k * 37) % 101);
      differentiable.push_back(output);
      seeds.push_back(seed);
    }
    return grad(differentiable, checkedInputs(at), seeds, {true, true, true});
  };
  return check(first, inputs, options, true);
}

}  // namespace tenon::autograd
