// SPDX-License-Identifier: Apache-2.0
// Metric "accuracy": share of samples whose largest logit is at the target.
#include <limits>

#include "engine/base/error.h"
#include "engine/metrics/metric_def.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon {
namespace {

class Accuracy final : public Metric {
 public:
  void reset() override { right_ = seen_ = 0; }
  void add(const Tensor& output, const Tensor& targets) override {
    const gate::NoGradGuard noGrad;
    right_ += countCorrect(output, targets).data<int64_t>()[0];
    seen_ += targets.numel();
  }
  double value() const override {
    return seen_ > 0 ? 100.0 * static_cast<double>(right_) / static_cast<double>(seen_)
                     : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  int64_t right_ = 0;
  int64_t seen_ = 0;
};

}  // namespace

const MetricDef& metricDef_accuracy();
const MetricDef& metricDef_accuracy() {
  static const MetricDef kDef = {
      .id = "accuracy",
      .title = "Accuracy",
      .unit = "%",
      .higherIsBetter = true,
      .help = TENON_TEXT("Share of samples whose most likely class is the right one."),
      .make = [] { return std::unique_ptr<Metric>(new Accuracy); }};
  return kDef;
}

}  // namespace tenon
