// SPDX-License-Identifier: Apache-2.0
// Cases made of samples, of forward passes, and their numbers as each type.
#include "tests/engine/ops/kernel_cases.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/backend/registry/devices.h"
#include "engine/ops/gate/reorder.h"
#include "engine/ops/pool2d/pool2d.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

using Values = SampleInput::Values;

KernelCase caseOf(const OpSample& sample) {
  KernelCase made{sample.name, makeInputs(sample), {}, sample.params};
  for (const SampleInput& input : sample.inputs) {
    made.positive.push_back(input.values == Values::Positive);
    made.constant.push_back(!input.differentiable);
  }
  return made;
}

std::vector<KernelCase> reorderCases() {
  std::vector<KernelCase> all;
  for (int32_t blocked : {0, 1})
    for (int64_t channels : {5, 16}) {
      const OpSample sample{blocked ? "to blocks" : "to dense",
                            {{{2, channels, 3, 2}}},
                            sampleParams(ReorderParams{blocked}),
                            {}};
      all.push_back(caseOf(sample));
    }
  return all;
}

/// The places of maxima come from max_pool2d itself.
std::vector<KernelCase> poolCases(bool backward) {
  const OpDef& pool = *findOp("max_pool2d");
  std::vector<KernelCase> all;
  for (const KernelCase& forward : casesOf(pool)) {
    const std::vector<Tensor> outputs = callOp(pool, forward.inputs, forward.parameters());
    const Shape& x = forward.inputs[0].shape();
    KernelCase made{forward.name, {}, {false, false}, forward.params};
    made.inputs = {makeInput({backward ? outputs[0].shape() : x}, 7), outputs[1]};
    if (backward) {
      Pool2dGradParams params{{}, {x[2], x[3]}};
      std::memcpy(&params.pool, forward.params.data(), sizeof(params.pool));
      made.params = sampleParams(params);
    }
    all.push_back(std::move(made));
  }
  return all;
}

/// The logarithms of the forward pass come from ctc_loss itself.
std::vector<KernelCase> ctcCases() {
  const OpDef& ctc = *findOp("ctc_loss");
  std::vector<KernelCase> all;
  for (KernelCase made : casesOf(ctc)) {
    const std::vector<Tensor> outputs = callOp(ctc, made.inputs, made.parameters());
    made.inputs.insert(made.inputs.begin(), makeInput({outputs[0].shape()}, 7));
    made.inputs.push_back(outputs[1]);
    made.positive.assign(made.inputs.size(), false);
    made.alwaysF64 = made.inputs.size() - 1;
    all.push_back(std::move(made));
  }
  return all;
}

double wholeNumber(double number, DType dtype, bool positive) {
  if (dtype == DType::Bool) return positive || number > 0 ? 1 : 0;
  const double whole = std::round(number * 3);
  if (positive) return std::max(whole, 1.0);
  return dtype == DType::U8 ? std::fabs(whole) : whole;
}

bool isF64(const Tensor& t) { return t.defined() && t.dtype() == DType::F64; }

bool hasF64Kernel(const OpDef& op) {
  const auto kernels = backend::kernelsFor(0, op.id);
  return std::any_of(kernels.begin(), kernels.end(),
                     [](const TenonKernel* kernel) { return takes(*kernel, DType::F64); });
}

double wrappedNumber(double number, DType dtype) {
  if (dtype == DType::Bool) return number != 0 ? 1 : 0;
  if (isFloating(dtype) || dtype == DType::I64 || !std::isfinite(number)) return number;
  const double span = std::ldexp(1.0, dtypeBits(dtype));
  const double low = dtype == DType::U8 ? 0 : -span / 2;
  const double whole = std::trunc(number);
  return whole - span * std::floor((whole - low) / span);
}

}  // namespace

std::vector<KernelCase> casesOf(const OpDef& op) {
  const std::string id = op.id;
  if (id == "reorder") return reorderCases();
  if (id == "max_pool2d_backward" || id == "max_pool2d_gather")
    return poolCases(id == "max_pool2d_backward");
  if (id == "ctc_loss_backward") return ctcCases();
  std::vector<KernelCase> all;
  for (const OpSample& sample : op.samples())
    if (sample.refusedWith.empty()) all.push_back(caseOf(sample));
  return all;
}

std::vector<Tensor> inputsAs(const KernelCase& made, DType dtype) {
  const DType first = firstType(made.inputs);
  const bool numbers = std::any_of(made.inputs.begin(), made.inputs.end(), isF64);
  const bool indices = first == DType::I64 && !isFloating(dtype) && dtype != DType::Bool;
  if (!numbers && !indices && dtype != first) return {};
  std::vector<Tensor> all = made.inputs;
  for (size_t i = 0; i < all.size(); ++i) {
    Tensor& t = all[i];
    if (indices && t.defined() && t.dtype() == DType::I64) t = converted(t, dtype);
    if (!isF64(made.inputs[i]) || i == made.alwaysF64) continue;
    std::vector<double> values = numbersOf(t);
    if (!isFloating(dtype))
      for (double& number : values) number = wholeNumber(number, dtype, made.positive[i]);
    t = fromNumbers(values, t.shape(), dtype);
  }
  return all;
}

std::vector<Tensor> exactly(const OpDef& op, const KernelCase& made,
                            const std::vector<Tensor>& inputs) {
  const DType first = firstType(made.inputs);
  const bool firstIsNumber = first != DType::F64 && hasF64Kernel(op);
  std::vector<Tensor> all;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool number = isF64(made.inputs[i]) || (firstIsNumber && made.inputs[i].defined() &&
                                                  made.inputs[i].dtype() == first);
    all.push_back(number ? converted(inputs[i], DType::F64) : made.inputs[i]);
  }
  return all;
}

Tensor bitsWanted(const OpDef& op, const std::vector<Tensor>& inputs) {
  const std::string id = op.id;
  if (id.rfind("bitwise_", 0) != 0) return {};
  const Tensor& a = inputs[0];
  const Tensor& b = inputs.back();
  const Shape shape = broadcastShapes(a.shape(), b.shape(), op.id);
  const auto numbers = [&](const Tensor& t) {
    Shape strides = shape;
    for (int i = 0; i < shape.ndim(); ++i) {
      const int own = i - (shape.ndim() - t.ndim());
      strides[i] = own < 0 || t.shape()[own] == 1 ? 0 : t.strides()[own];
    }
    return numbersOf(t.aliasWith(shape, strides, 0));
  };
  std::vector<double> results = numbers(a);
  const std::vector<double> others = numbers(b);
  for (size_t i = 0; i < results.size(); ++i) {
    const auto x = static_cast<int64_t>(results[i]);
    const auto y = static_cast<int64_t>(others[i]);
    const int64_t turned = a.dtype() == DType::Bool ? 1 - x : ~x;
    results[i] = static_cast<double>(id == "bitwise_and"   ? x & y
                                     : id == "bitwise_or"  ? x | y
                                     : id == "bitwise_xor" ? x ^ y
                                                           : turned);
  }
  return fromNumbers(results, shape, DType::I64);
}

DType firstType(const std::vector<Tensor>& inputs) {
  for (const Tensor& t : inputs)
    if (t.defined()) return t.dtype();
  return DType::F64;
}

Tensor wrapped(const Tensor& numbers, DType dtype) {
  std::vector<double> values = numbersOf(numbers);
  for (double& number : values) number = wrappedNumber(number, dtype);
  return fromNumbers(values, numbers.shape(), isFloating(dtype) ? DType::F64 : dtype);
}

}  // namespace tenon::test
