// SPDX-License-Identifier: Apache-2.0
// Layer "batch_norm2d": normalizes each channel over the batch (Ioffe and Szegedy 2015,
// arXiv:1502.03167).
#include "engine/layers/planning.h"
#include "engine/ops/batch_norm/batch_norm.h"
#include "engine/ops/gate/thread_state.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("momentum", 0.1)
              .range(0, 1)
              .describe(TENON_TEXT("Share of the new batch in the running statistics.")),
          floatParam("eps", 1e-5)
              .called(TENON_TEXT("Epsilon"))
              .above(0)
              .onLogScale()
              .describe(TENON_TEXT("Added to the variance."))
              .forExperts()};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantRank(request, 4, result) || !wantKnownSizes(request, result)) return result;
  const PortShape& in = request.inputs[0];
  const int64_t channels = in.sizes[1];
  result.outputs = {in};
  result.weights = {{"weight", {channels}, {Init::Kind::Ones}, true, false},
                    {"bias", {channels}, {Init::Kind::Zeros}, true, false},
                    {"running_mean", {channels}, {Init::Kind::Zeros}, false, false},
                    {"running_var", {channels}, {Init::Kind::Ones}, false, false}};
  result.flops = 4.0 * static_cast<double>(in.perSample());
  result.summary = std::to_string(channels);
  return result;
}

class BatchNorm2d final : public Layer {
 public:
  explicit BatchNorm2d(const ParamMap& params)
      : momentum_(params.getFloat("momentum")), eps_(params.getFloat("eps")) {}

  void forward(LayerCall& call) const override {
    const Tensor& x = call.inputs[0];
    const auto& w = call.weights;
    if (!call.training) {
      call.outputs[0] = batchNormEval(x, w[0], w[1], w[2], w[3], eps_, relu_);
      return;
    }
    const BatchNormResult batch = batchNormTraining(x, w[0], w[1], eps_, relu_);
    const gate::NoGradGuard noGrad;
    batchNormUpdateStats(w[2], w[3], batch, momentum_, x.numel() / x.size(1));
    call.outputs[0] = batch.y;
  }

  bool absorb(std::string_view type) override { return type == "relu" && (relu_ = true); }

 private:
  double momentum_;
  double eps_;
  bool relu_ = false;
};

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return std::make_unique<BatchNorm2d>(request.params);
}

}  // namespace

const LayerDef& layerDef_batch_norm2d();
const LayerDef& layerDef_batch_norm2d() {
  static const LayerDef kDef = {
      .id = "batch_norm2d",
      .title = "Batch norm 2D",
      .family = LayerFamily::Normalization,
      .help = TENON_TEXT(
          "Brings each channel to mean 0 and variance 1 over the batch, then scales and shifts it. "
          "Uses running statistics when not training."),
      .icon = "norm",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
