// SPDX-License-Identifier: Apache-2.0
// Outputs and gradients of the network operators against PyTorch (tests/reference/nn.json, made by
// make_nn.py), in f64 and f32.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/autograd/autograd.h"
#include "engine/ops/batch_norm/batch_norm.h"
#include "engine/ops/conv2d/conv2d.h"
#include "engine/ops/layer_norm/layer_norm.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/matmul/matmul.h"
#include "engine/ops/pool2d/pool2d.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

using Json = nlohmann::json;

Shape shapeOf(const Json& sizes) {
  Shape shape;
  for (const Json& size : sizes) shape.push(size.get<int64_t>());
  return shape;
}

/// The generator of make_nn.py.
Tensor drawn(const Shape& shape, int64_t seed, double scale, double offset, DType dtype) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < shape.numel(); ++i)
    numbers.push_back(static_cast<double>((211 * i + 97 * seed) % 1021 - 510) / 512 * scale +
                      offset);
  return fromNumbers(numbers, shape, dtype);
}

void readPair(const Json& params, const char* name, int64_t (&pair)[2]) {
  for (int a = 0; a < 2; ++a) pair[a] = params.at(name).at(static_cast<size_t>(a));
}

Conv2dParams convParams(const Json& p) {
  Conv2dParams params;
  readPair(p, "stride", params.stride);
  readPair(p, "padding", params.padding);
  readPair(p, "dilation", params.dilation);
  params.groups = p.at("groups");
  return params;
}

Pool2dParams poolParams(const Json& p) {
  Pool2dParams params;
  readPair(p, "kernel", params.kernel);
  readPair(p, "stride", params.stride);
  readPair(p, "padding", params.padding);
  params.ceilMode = p.at("ceil").get<bool>();
  params.countIncludesPadding = p.at("count").get<bool>();
  return params;
}

Tensor at(const std::vector<Tensor>& in, size_t i) { return i < in.size() ? in[i] : Tensor(); }

int64_t perChannel(const Tensor& x) { return x.numel() / x.size(1); }

std::vector<Tensor> batchNorm(const Json& p, const std::vector<Tensor>& in) {
  const bool relu = p.at("relu");
  const double eps = p.at("eps");
  const Tensor gamma = at(in, 3), beta = at(in, 4);
  if (!p.at("training"))
    return {batchNormEval(in[0], gamma, beta, in[1], in[2], eps, relu), in[1], in[2]};
  const BatchNormResult batch = batchNormTraining(in[0], gamma, beta, eps, relu);
  batchNormUpdateStats(in[1], in[2], batch, p.at("momentum"), perChannel(in[0]));
  return {batch.y, in[1], in[2]};
}

std::vector<Tensor> callCase(const Json& c, const std::vector<Tensor>& in) {
  const std::string op = c.at("op");
  const Json& p = c.at("params");
  if (op == "conv2d") return {conv2d(in[0], in[1], at(in, 2), convParams(p))};
  if (op == "linear") return {linear(in[0], in[1], at(in, 2))};
  if (op == "matmul") return {matmul(in[0], in[1])};
  if (op == "max_pool2d") return {maxPool2d(in[0], poolParams(p))};
  if (op == "avg_pool2d") return {avgPool2d(in[0], poolParams(p))};
  if (op == "batch_norm") return batchNorm(p, in);
  if (op == "adaptive_avg_pool2d") {
    int64_t size[2];
    readPair(p, "size", size);
    return {adaptiveAvgPool2d(in[0], size[0], size[1])};
  }
  if (op == "layer_norm")
    return {layerNorm(in[0], at(in, 1), at(in, 2), {p.at("eps"), p.at("axes")})};
  ADD_FAILURE() << "unknown operator " << op;
  return {};
}

Tensor numbersTensor(const Json& values, const Shape& shape) {
  return fromNumbers(values.get<std::vector<double>>(), shape, DType::F64);
}

void checkCase(const Json& c, DType dtype, Tolerance tolerance) {
  std::vector<Tensor> inputs, leaves;
  for (const Json& in : c.at("inputs")) {
    inputs.push_back(
        drawn(shapeOf(in.at("shape")), in.at("seed"), in.at("scale"), in.at("offset"), dtype));
    if (!in.at("grad").get<bool>()) continue;
    autograd::setRequiresGrad(inputs.back());
    leaves.push_back(inputs.back());
  }
  const std::vector<Tensor> outputs = callCase(c, inputs);
  ASSERT_EQ(outputs.size(), c.at("outputs").size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Json& wanted = c.at("outputs")[i];
    EXPECT_TRUE(near(outputs[i], numbersTensor(wanted.at("values"), shapeOf(wanted.at("shape"))),
                     tolerance))
        << "output " << i;
  }
  const Tensor dy = drawn(outputs[0].shape(), 50, 1, 0, dtype);
  const std::vector<Tensor> roots = {outputs[0]}, gradients = {dy};
  const std::vector<Tensor> grads = autograd::grad(roots, leaves, gradients);
  ASSERT_EQ(grads.size(), c.at("grads").size());
  for (size_t i = 0; i < grads.size(); ++i)
    EXPECT_TRUE(near(grads[i], numbersTensor(c.at("grads")[i], leaves[i].shape()), tolerance))
        << "gradient " << i;
}

void checkAll(DType dtype, Tolerance tolerance) {
  std::ifstream file(TENON_SOURCE_DIR "/tests/reference/nn.json");
  ASSERT_TRUE(file) << "tests/reference/nn.json";
  const Json all = Json::parse(file);
  EXPECT_GE(all.at("cases").size(), 34u);
  for (const Json& c : all.at("cases")) {
    SCOPED_TRACE(c.at("op").get<std::string>() + ": " + c.at("name").get<std::string>());
    checkCase(c, dtype, tolerance);
  }
}

// The file holds 8 significant digits.
TEST(NnReference, F64AgreesWithPyTorch) { checkAll(DType::F64, {1e-7, 1e-9}); }

TEST(NnReference, F32AgreesWithPyTorchAtEveryLevel) {
  for (const std::string& level : levels()) {
    SCOPED_TRACE(level);
    const LevelGuard guard(level.c_str());
    checkAll(DType::F32, {2e-5, 2e-5});
  }
}

}  // namespace
}  // namespace tenon::test
