// SPDX-License-Identifier: Apache-2.0
// Products, convolutions, norms and poolings that cases of tests/reference/nn.json call.
#include <nlohmann/json.hpp>

#include "engine/ops/batch_norm/batch_norm.h"
#include "engine/ops/conv2d/conv2d.h"
#include "engine/ops/layer_norm/group_norm.h"
#include "engine/ops/layer_norm/layer_norm.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/matmul/einsum.h"
#include "engine/ops/matmul/matmul.h"
#include "engine/ops/pool2d/pool2d.h"
#include "engine/ops/rms_norm/rms_norm.h"
#include "tests/engine/ops/reference_cases.h"

namespace tenon::test::reference {
namespace {

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

Inputs batchNorm(const Json& p, const Inputs& in) {
  const bool relu = p.at("relu");
  const double eps = p.at("eps");
  const Tensor gamma = at(in, 3), beta = at(in, 4);
  if (!p.at("training"))
    return {batchNormEval(in[0], gamma, beta, in[1], in[2], eps, relu), in[1], in[2]};
  const BatchNormResult batch = batchNormTraining(in[0], gamma, beta, eps, relu);
  batchNormUpdateStats(in[1], in[2], batch, p.at("momentum"), in[0].numel() / in[0].size(1));
  return {batch.y, in[1], in[2]};
}

Inputs instanceNormOf(const Json& p, const Inputs& in) {
  const InstanceNormResult batch = instanceNormTraining(in[0], at(in, 3), at(in, 4), p.at("eps"));
  instanceNormUpdateStats(in[1], in[2], batch, p.at("momentum"),
                          in[0].numel() / (in[0].size(0) * in[0].size(1)));
  return {batch.y, in[1], in[2]};
}

Inputs adaptiveAvgPool2dOf(const Json& p, const Inputs& in) {
  int64_t size[2];
  readPair(p, "size", size);
  return {adaptiveAvgPool2d(in[0], size[0], size[1])};
}

}  // namespace

void addLayers(Functions& all) {
  all["conv2d"] = [](const Json& p, const Inputs& in) {
    return Inputs{conv2d(in[0], in[1], at(in, 2), convParams(p))};
  };
  all["linear"] = [](const Json&, const Inputs& in) {
    return Inputs{linear(in[0], in[1], at(in, 2))};
  };
  all["matmul"] = [](const Json&, const Inputs& in) { return Inputs{matmul(in[0], in[1])}; };
  all["outer"] = [](const Json&, const Inputs& in) { return Inputs{outer(in[0], in[1])}; };
  all["einsum"] = [](const Json& p, const Inputs& in) {
    return Inputs{einsum(p.at("equation").get<std::string>(), in)};
  };
  all["max_pool2d"] = [](const Json& p, const Inputs& in) {
    return Inputs{maxPool2d(in[0], poolParams(p))};
  };
  all["avg_pool2d"] = [](const Json& p, const Inputs& in) {
    return Inputs{avgPool2d(in[0], poolParams(p))};
  };
  all["adaptive_avg_pool2d"] = &adaptiveAvgPool2dOf;
  all["batch_norm"] = &batchNorm;
  all["layer_norm"] = [](const Json& p, const Inputs& in) {
    return Inputs{layerNorm(in[0], at(in, 1), at(in, 2), {p.at("eps"), p.at("axes")})};
  };
  all["group_norm"] = [](const Json& p, const Inputs& in) {
    return Inputs{groupNorm(in[0], p.at("groups"), at(in, 1), at(in, 2), p.at("eps"))};
  };
  all["instance_norm"] = &instanceNormOf;
  all["rms_norm"] = [](const Json& p, const Inputs& in) {
    return Inputs{rmsNorm(in[0], at(in, 1), {p.at("eps"), p.at("axes")})};
  };
}

}  // namespace tenon::test::reference
