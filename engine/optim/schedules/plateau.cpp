// SPDX-License-Identifier: Apache-2.0
// Schedule "plateau", as PyTorch's ReduceLROnPlateau; limits are shares of the peak.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/base/error.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {
      stringParam("watch", "loss")
          .describe(TENON_TEXT("The value that should improve: loss (of validation, if there is "
                               "one) or a metric.")),
      choiceParam("mode", "min", {"min", "max"})
          .called(TENON_TEXT("Better is"))
          .describe(TENON_TEXT("min: smaller is better; max: larger is better.")),
      floatParam("factor", 0.1).range(0, 1).below(1).describe(TENON_TEXT("Factor of one drop.")),
      intParam("patience", 10)
          .atLeast(0)
          .inUnit("epochs")
          .describe(TENON_TEXT("Epochs without improvement that are borne.")),
      floatParam("threshold", 1e-4)
          .atLeast(0)
          .describe(TENON_TEXT("What counts as improvement."))
          .forExperts(),
      choiceParam("threshold_mode", "rel", {"rel", "abs"})
          .describe(TENON_TEXT("rel: the threshold is a share of the best value; abs: it is a "
                               "difference."))
          .forExperts(),
      intParam("cooldown", 0)
          .atLeast(0)
          .inUnit("epochs")
          .describe(TENON_TEXT("Epochs after a drop that do not count."))
          .forExperts(),
      floatParam("min_factor", 0.0)
          .range(0, 1)
          .describe(TENON_TEXT("Share of the peak below which it does not fall."))
          .forExperts(),
      floatParam("eps", 1e-8)
          .atLeast(0)
          .called(TENON_TEXT("Smallest drop"))
          .describe(TENON_TEXT("Drops of the share by less are left out."))
          .forExperts()};
}

class Plateau final : public Schedule {
 public:
  explicit Plateau(const ParamMap& params) : params_(params) {}

  double factor(const SchedulePoint&) const override { return factor_; }

  void epochEnded(const SchedulePoint&, std::span<const EpochValue> values) override {
    const double value = watched(values);
    if (isBetter(value)) {
      best_ = value;
      badEpochs_ = 0;
    } else {
      ++badEpochs_;
    }
    if (cooldown_ > 0) {
      --cooldown_;
      badEpochs_ = 0;
    }
    if (badEpochs_ > params_.getInt("patience")) drop();
  }

  ParamMap memory() const override {
    ParamMap memory = {{"factor", factor_}, {"bad_epochs", badEpochs_}, {"cooldown", cooldown_}};
    if (best_) memory.set("best", *best_);
    return memory;
  }
  void restore(const ParamMap& memory) override {
    factor_ = memory.contains("factor") ? memory.getFloat("factor") : 1.0;
    badEpochs_ = memory.contains("bad_epochs") ? memory.getInt("bad_epochs") : 0;
    cooldown_ = memory.contains("cooldown") ? memory.getInt("cooldown") : 0;
    best_.reset();
    if (memory.contains("best")) best_ = memory.getFloat("best");
  }

 private:
  double watched(std::span<const EpochValue> values) const {
    const std::string& name = params_.getString("watch");
    std::string known;
    for (const EpochValue& value : values) {
      if (value.name == name) return value.value;
      known += (known.empty() ? "" : ", ") + value.name;
    }
    throw Error(Code::Input, fmt::format("plateau: watches '{}', an epoch has {}", name, known));
  }

  bool isBetter(double value) const {
    if (!std::isfinite(value)) return false;
    if (!best_) return true;
    const bool smaller = params_.getString("mode") == "min";
    const double threshold = params_.getFloat("threshold") * (smaller ? -1 : 1);
    const bool relative = params_.getString("threshold_mode") == "rel";
    const double limit = relative ? *best_ * (1 + threshold) : *best_ + threshold;
    return smaller ? value < limit : value > limit;
  }

  void drop() {
    const double next =
        std::max(factor_ * params_.getFloat("factor"), params_.getFloat("min_factor"));
    if (factor_ - next > params_.getFloat("eps")) factor_ = next;
    cooldown_ = params_.getInt("cooldown");
    badEpochs_ = 0;
  }

  ParamMap params_;
  double factor_ = 1;
  std::optional<double> best_;
  int64_t badEpochs_ = 0;
  int64_t cooldown_ = 0;  ///< epochs left
};

std::unique_ptr<Schedule> make(const ParamMap& params) { return std::make_unique<Plateau>(params); }

}  // namespace

const ScheduleDef& scheduleDef_plateau();
const ScheduleDef& scheduleDef_plateau() {
  static const ScheduleDef kDef = {
      .id = "plateau",
      .title = "Plateau",
      .help = TENON_TEXT("Multiplies the learning rate by a factor when a value has not improved "
                         "for some epochs."),
      .schema = schema(),
      .clock = ScheduleClock::Epoch,
      .make = &make};
  return kDef;
}

}  // namespace tenon
