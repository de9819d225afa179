// SPDX-License-Identifier: Apache-2.0
// Metric "accuracy": share of samples whose predicted class is the target; ignored targets do not
// count.
#include <limits>

#include "engine/base/error.h"
#include "engine/metrics/metric_def.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon {
namespace {

class Accuracy final : public Metric {
 public:
  explicit Accuracy(const OutputMeaning& meaning) : meaning_(meaning) {}
  void reset() override { right_ = seen_ = 0; }
  void add(const Tensor& output, const Tensor& targets) override {
    const gate::NoGradGuard noGrad;
    constexpr int64_t kNone = std::numeric_limits<int64_t>::min();
    right_ += countCorrect(rankedClasses(output, meaning_.reading), targets,
                           meaning_.ignoreIndex.value_or(kNone))
                  .data<int64_t>()[0];
    seen_ += countedTargets(targets, meaning_.ignoreIndex);
  }
  double value() const override {
    return seen_ > 0 ? 100.0 * static_cast<double>(right_) / static_cast<double>(seen_)
                     : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  OutputMeaning meaning_;
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
      .make = [](const OutputMeaning& meaning) {
        return std::unique_ptr<Metric>(new Accuracy(meaning));
      }};
  return kDef;
}

}  // namespace tenon
