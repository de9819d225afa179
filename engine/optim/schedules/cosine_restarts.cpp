// SPDX-License-Identifier: Apache-2.0
// Schedule "cosine_restarts" (Loshchilov and Hutter 2017, SGDR, arXiv:1608.03983).
#include <cmath>
#include <numbers>

#include "engine/base/error.h"
#include "engine/optim/schedule_count.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("first", 10.0).above(0).describe(TENON_TEXT("Length of the first fall.")),
          intParam("multiplier", 1)
              .atLeast(1)
              .describe(TENON_TEXT("Each fall is this many times as long as the one before.")),
          floatParam("final_factor", 0.0)
              .called(TENON_TEXT("End factor"))
              .range(0, 1)
              .describe(TENON_TEXT("Share of the peak at the end of each fall.")),
          byParam("fraction")};
}

double factor(const ParamMap& params, const SchedulePoint& at) {
  double length = params.getFloat("first");
  const auto multiplier = static_cast<double>(params.getInt("multiplier"));
  double count = countOf(params, at);
  if (multiplier == 1) count = std::fmod(count, length);
  while (count >= length) {
    count -= length;
    length *= multiplier;
  }
  const double last = params.getFloat("final_factor");
  return last + (1 - last) * 0.5 * (1 + std::cos(std::numbers::pi * count / length));
}

}  // namespace

const ScheduleDef& scheduleDef_cosine_restarts();
const ScheduleDef& scheduleDef_cosine_restarts() {
  static const ScheduleDef kDef = {
      .id = "cosine_restarts",
      .title = "Cosine with restarts",
      .help = TENON_TEXT("Falls along half a cosine, jumps back to the peak, and again, each time "
                         "more slowly if wanted."),
      .schema = schema(),
      .factor = &factor};
  return kDef;
}

}  // namespace tenon
