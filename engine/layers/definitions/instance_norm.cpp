// SPDX-License-Identifier: Apache-2.0
// Layer "instance_norm": normalizes each channel of each sample on its own (Ulyanov et al. 2016,
// arXiv:1607.08022).
#include "engine/layers/batch_norm.h"
#include "engine/ops/batch_norm/batch_norm.h"
#include "engine/ops/layer_norm/group_norm.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {affineParam(false),
          boolParam("track_running_stats", false)
              .called(TENON_TEXT("Running statistics"))
              .describe(TENON_TEXT(
                  "Collects means and variances while training and uses them otherwise."))
              .forExperts(),
          momentumParam().forExperts(), epsilonParam(1e-5)};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantAtLeast(request, 3, result) || !wantKnownSizes(request, result)) return result;
  const PortShape& in = request.inputs[0];
  const int64_t channels = in.sizes[1];
  if (in.perSample() == channels) {
    result.issues.push_back(layerIssue(
        "graph.size", TENON_TEXT("wants more than one place a channel, got {0}"), {toString(in)}));
    return result;
  }
  result.outputs = {in};
  if (request.params.getBool("affine")) addScaleAndShift(channels, "", result);
  if (request.params.getBool("track_running_stats")) addRunningStatistics(channels, result);
  result.flops = 8.0 * static_cast<double>(in.perSample());
  result.summary = std::to_string(channels);
  return result;
}

class InstanceNorm final : public Layer {
 public:
  explicit InstanceNorm(const ParamMap& params)
      : momentum_(params.getFloat("momentum")),
        eps_(params.getFloat("eps")),
        affine_(params.getBool("affine")),
        tracks_(params.getBool("track_running_stats")) {}

  void forward(LayerCall& call) const override {
    const Tensor& x = call.inputs[0];
    WeightCursor weights(call.weights);
    const Tensor gamma = weights.next(affine_), beta = weights.next(affine_);
    // A third buffer follows that stays 0: PyTorch has num_batches_tracked here too, uncounted.
    const Tensor mean = weights.next(tracks_), var = weights.next(tracks_);
    if (tracks_ && !call.training) {
      call.outputs[0] = batchNormEval(x, gamma, beta, mean, var, eps_);
      return;
    }
    if (!tracks_) {
      call.outputs[0] = instanceNorm(x, gamma, beta, eps_);
      return;
    }
    const InstanceNormResult batch = instanceNormTraining(x, gamma, beta, eps_);
    call.outputs[0] = batch.y;
    if (x.size(0) == 0) return;  // no sample to learn from
    instanceNormUpdateStats(mean, var, batch, momentum_, x.numel() / (x.size(0) * x.size(1)));
  }

 private:
  double momentum_;
  double eps_;
  bool affine_;
  bool tracks_;
};

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return std::make_unique<InstanceNorm>(request.params);
}

}  // namespace

const LayerDef& layerDef_instance_norm();
const LayerDef& layerDef_instance_norm() {
  static const LayerDef kDef = {
      .id = "instance_norm",
      .title = "Instance norm",
      .family = LayerFamily::Normalization,
      .help = TENON_TEXT("Brings each channel of each sample to mean 0 and variance 1; usual where "
                         "the style of an image must not matter."),
      .icon = "norm",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
