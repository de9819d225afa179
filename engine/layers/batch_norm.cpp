// SPDX-License-Identifier: Apache-2.0
// Normalization over the batch: its own statistics in training, running ones otherwise.
#include "engine/layers/batch_norm.h"

#include "engine/ops/batch_norm/batch_norm.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/thread_state.h"

namespace tenon {
namespace {

bool rankFits(const PlanRequest& request, int axes, LayerPlan& plan) {
  const PortShape& in = request.inputs[0];
  if (axes > 1) return wantRank(request, static_cast<size_t>(axes) + 2, plan);
  if (in.sizes.size() == 2 || in.sizes.size() == 3) return true;
  plan.issues.push_back(layerIssue(
      "graph.rank", TENON_TEXT("wants an input with 2 or 3 axes (N×C or N×C×L), got {0} ({1})"),
      {std::to_string(in.sizes.size()), toString(in)}));
  return false;
}

class BatchNorm final : public Layer {
 public:
  explicit BatchNorm(const ParamMap& params)
      : momentum_(params.getFloat("momentum")),
        cumulative_(params.getBool("cumulative")),
        eps_(params.getFloat("eps")),
        affine_(params.getBool("affine")) {}

  void forward(LayerCall& call) const override {
    const Tensor& x = call.inputs[0];
    WeightCursor weights(call.weights);
    const Tensor gamma = weights.next(affine_), beta = weights.next(affine_);
    const Tensor mean = weights.next(), var = weights.next(), batches = weights.next();
    if (!call.training) {
      call.outputs[0] = batchNormEval(x, gamma, beta, mean, var, eps_, relu_);
      return;
    }
    const BatchNormResult batch = batchNormTraining(x, gamma, beta, eps_, relu_);
    const gate::NoGradGuard noGrad;
    addScalarInPlace(batches, 1);
    const double momentum =
        cumulative_ ? 1.0 / static_cast<double>(batches.toVector<int64_t>()[0]) : momentum_;
    batchNormUpdateStats(mean, var, batch, momentum, x.numel() / x.size(1));
    call.outputs[0] = batch.y;
  }

  bool absorb(std::string_view type) override { return type == "relu" && (relu_ = true); }

 private:
  double momentum_;
  bool cumulative_;
  double eps_;
  bool affine_;
  bool relu_ = false;
};

}  // namespace

ParamSpec momentumParam() {
  return floatParam("momentum", 0.1)
      .range(0, 1)
      .describe(TENON_TEXT("Share of the new batch in the running statistics."));
}

ParamSpec affineParam(bool value) {
  return boolParam("affine", value)
      .describe(TENON_TEXT("Scales and shifts each channel with learned numbers."));
}

void addRunningStatistics(int64_t channels, LayerPlan& plan) {
  plan.weights.push_back({"running_mean", {channels}, {Init::Kind::Zeros}, false, false});
  plan.weights.push_back({"running_var", {channels}, {Init::Kind::Ones}, false, false});
  plan.weights.push_back({.name = "num_batches_tracked",
                          .shape = {},
                          .init = {Init::Kind::Zeros},
                          .trainable = false,
                          .decays = false,
                          .dtype = DType::I64,
                          .optional = true});
}

ParamSchema batchNormSchema() {
  return {momentumParam(),
          boolParam("cumulative", false)
              .called(TENON_TEXT("Cumulative average"))
              .describe(TENON_TEXT("Running statistics are the plain average over all batches so "
                                   "far (PyTorch's momentum=None); the momentum is not used."))
              .forExperts(),
          epsilonParam(1e-5), affineParam(true).forExperts()};
}

LayerPlan planBatchNorm(const PlanRequest& request, int axes) {
  LayerPlan result;
  if (!rankFits(request, axes, result) || !wantKnownSizes(request, result)) return result;
  const PortShape& in = request.inputs[0];
  const int64_t channels = in.sizes[1];
  result.outputs = {in};
  if (request.params.getBool("affine")) addScaleAndShift(channels, "", result);
  addRunningStatistics(channels, result);
  result.flops = 4.0 * static_cast<double>(in.perSample());
  result.summary = std::to_string(channels);
  return result;
}

std::unique_ptr<Layer> makeBatchNorm(const PlanRequest& request, int) {
  return std::make_unique<BatchNorm>(request.params);
}

}  // namespace tenon
