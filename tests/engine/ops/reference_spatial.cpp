// SPDX-License-Identifier: Apache-2.0
// Convolution, pooling and resizing over one to three axes for cases of tests/reference/nn.json.
#include <nlohmann/json.hpp>

#include "engine/ops/conv/conv.h"
#include "engine/ops/pool/pool.h"
#include "engine/ops/resize/resize.h"
#include "tests/engine/ops/reference_cases.h"

namespace tenon::test::reference {
namespace {

ConvOptions convOptions(const Json& p) {
  const std::map<std::string, PadMode> modes = {{"zeros", PadMode::Constant},
                                                {"reflect", PadMode::Reflect},
                                                {"replicate", PadMode::Replicate},
                                                {"circular", PadMode::Circular}};
  ConvOptions options;
  options.stride = perAxis(p.at("stride"));
  options.padding = perAxis(p.at("padding"));
  options.dilation = perAxis(p.at("dilation"));
  options.groups = p.at("groups");
  options.paddingMode = modes.at(p.at("mode"));
  return options;
}

ConvTransposeOptions transposeOptions(const Json& p) {
  ConvTransposeOptions options;
  options.stride = perAxis(p.at("stride"));
  options.padding = perAxis(p.at("padding"));
  options.outputPadding = perAxis(p.at("output_padding"));
  options.dilation = perAxis(p.at("dilation"));
  options.groups = p.at("groups");
  return options;
}

PoolOptions poolOptions(const Json& p) {
  PoolOptions options;
  options.kernel = perAxis(p.at("kernel"));
  options.stride = perAxis(p.at("stride"));
  options.padding = perAxis(p.at("padding"));
  options.ceilMode = p.at("ceil");
  options.countIncludesPadding = p.at("count");
  return options;
}

Inputs maxPoolOf(const Json& p, const Inputs& in) {
  const ValuesAndIndices found = maxPoolWithIndices(in[0], poolOptions(p));
  return {maxPool(in[0], poolOptions(p)), found.indices};
}

Inputs interpolateOf(const Json& p, const Inputs& in) {
  const std::map<std::string, Interpolation> modes = {
      {"nearest", Interpolation::Nearest},  {"nearest-exact", Interpolation::NearestExact},
      {"linear", Interpolation::Linear},    {"bilinear", Interpolation::Linear},
      {"trilinear", Interpolation::Linear}, {"bicubic", Interpolation::Cubic},
      {"area", Interpolation::Area}};
  InterpolateOptions options;
  options.mode = modes.at(p.at("mode"));
  options.alignCorners = p.at("align");
  options.antialias = p.at("antialias");
  return {interpolate(in[0], perAxis(p.at("size")), options)};
}

}  // namespace

void addSpatial(Functions& all) {
  all["conv"] = [](const Json& p, const Inputs& in) {
    return Inputs{conv(in[0], in[1], at(in, 2), convOptions(p))};
  };
  all["conv_transpose"] = [](const Json& p, const Inputs& in) {
    return Inputs{convTranspose(in[0], in[1], at(in, 2), transposeOptions(p))};
  };
  all["max_pool"] = &maxPoolOf;
  all["avg_pool"] = [](const Json& p, const Inputs& in) {
    return Inputs{avgPool(in[0], poolOptions(p))};
  };
  all["adaptive_avg_pool"] = [](const Json& p, const Inputs& in) {
    return Inputs{adaptiveAvgPool(in[0], perAxis(p.at("size")))};
  };
  all["adaptive_max_pool"] = [](const Json& p, const Inputs& in) {
    return Inputs{adaptiveMaxPool(in[0], perAxis(p.at("size")))};
  };
  all["interpolate"] = &interpolateOf;
  all["pixel_shuffle"] = [](const Json& p, const Inputs& in) {
    return Inputs{pixelShuffle(in[0], p.at("factor"))};
  };
  all["pixel_unshuffle"] = [](const Json& p, const Inputs& in) {
    return Inputs{pixelUnshuffle(in[0], p.at("factor"))};
  };
}

}  // namespace tenon::test::reference
