// SPDX-License-Identifier: Apache-2.0
// Optimizers, schedules, clipping and averages against PyTorch: tests/reference/optim.json, made by
// make_optim.py.
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/optim/weight_average.h"
#include "engine/schema/validate.h"
#include "tests/engine/optim/optim_fixture.h"

namespace tenon::test {
namespace {

using Json = nlohmann::json;

const Json& cases() {
  static const Json kAll = [] {
    std::ifstream file(TENON_SOURCE_DIR "/tests/reference/optim.json");
    return Json::parse(file).at("cases");
  }();
  return kAll;
}

ParamMap paramsIn(const Json& json) {
  ParamMap params;
  for (const auto& [name, value] : json.items()) {
    ParamValue read;
    EXPECT_TRUE(paramFromJson(parseJson(value.dump()), read)) << name;
    params.set(name, read);
  }
  return params;
}

/// Steps after which make_optim.py kept the weights.
constexpr int64_t kKept[] = {1, 3, 8};

void expectNear(const Tensor& got, const Json& wanted, double rtol, double atol) {
  const std::vector<double> numbers = numbersOf(got);
  ASSERT_EQ(numbers.size(), wanted.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double want = wanted[i];
    EXPECT_LE(std::fabs(numbers[i] - want), atol + rtol * std::fabs(want))
        << "element " << i << ": " << numbers[i] << ", wanted " << want;
  }
}

void compareOptimizer(const Json& json, DType dtype) {
  const std::string id = json.at("optimizer");
  const OptimizerDef* def = findOptimizer(id);
  ASSERT_NE(def, nullptr);
  const ParamMap params = completeParams(def->schema, paramsIn(json.at("params")));
  const std::vector<OptimizedParameter> all = weights(dtype);
  const auto optimizer = def->make(params, all);
  size_t kept = 0;
  for (int64_t t = 1; t <= 8; ++t) {
    setGradients(all, t);
    optimizer->step(rateOf(params.getFloat("lr"), t));
    if (kept >= std::size(kKept) || kKept[kept] != t) continue;
    for (size_t j = 0; j < all.size(); ++j) {
      SCOPED_TRACE("step " + std::to_string(t) + " " + all[j].name);
      const double tolerance = dtype == DType::F64 ? 1e-10 : 3e-6;
      expectNear(all[j].tensor, json.at("after")[kept][j], tolerance, tolerance);
    }
    ++kept;
  }
  EXPECT_EQ(kept, std::size(kKept));
  EXPECT_EQ(optimizer->steps(), 8);
}

TEST(OptimizerGolden, StepsAreThoseOfPyTorch) {
  std::map<std::string, int> seen;
  for (const Json& json : cases()) {
    if (!json.contains("optimizer")) continue;
    for (const DType dtype : {DType::F64, DType::F32}) {
      SCOPED_TRACE(json.at("optimizer").get<std::string>() + " " + json.at("params").dump() +
                   (dtype == DType::F64 ? " f64" : " f32"));
      compareOptimizer(json, dtype);
    }
    ++seen[json.at("optimizer")];
  }
  EXPECT_EQ(allOptimizers().size(), 11U);
  for (const OptimizerDef* def : allOptimizers()) EXPECT_GE(seen[def->id], 2) << def->id;
}

TEST(ScheduleGolden, FactorsAreThoseOfPyTorch) {
  std::set<std::string> seen;
  for (const Json& json : cases()) {
    if (!json.contains("schedule")) continue;
    const std::string id = json.at("schedule");
    SCOPED_TRACE(id + " " + json.at("params").dump());
    const ScheduleDef* def = findSchedule(id);
    ASSERT_NE(def, nullptr);
    const ParamMap params = completeParams(def->schema, paramsIn(json.at("params")));
    const auto schedule = makeSchedule(*def, params);
    SchedulePoint at{0, json.at("total"), json.at("per_epoch")};
    for (size_t i = 0; i < json.at("at").size(); ++i) {
      at.step = json.at("at")[i];
      EXPECT_NEAR(schedule->factor(at), json.at("factors")[i].get<double>(), 1e-10) << "call " << i;
      if (clockOf(*def, params) != ScheduleClock::Epoch) continue;
      const double first = schedule->factor(at);
      at.step += at.stepsPerEpoch - 1;  // within the epoch nothing changes
      EXPECT_EQ(schedule->factor(at), first) << "call " << i;
    }
    seen.insert(id);
  }
  seen.insert("plateau");  // below
  for (const ScheduleDef* def : allSchedules()) EXPECT_EQ(seen.count(def->id), 1U) << def->id;
}

TEST(ScheduleGolden, PlateausAreThoseOfPyTorch) {
  int seen = 0;
  for (const Json& json : cases()) {
    if (!json.contains("plateau")) continue;
    SCOPED_TRACE(json.at("plateau").dump());
    const ScheduleDef* def = findSchedule("plateau");
    const ParamMap params = completeParams(def->schema, paramsIn(json.at("plateau")));
    auto schedule = makeSchedule(*def, params);
    for (size_t i = 0; i < json.at("values").size(); ++i) {
      const EpochValue value{"loss", json.at("values")[i]};
      schedule->epochEnded({static_cast<int64_t>(i) + 1, 100, 1}, std::span(&value, 1));
      EXPECT_NEAR(schedule->factor({}), json.at("factors")[i].get<double>(), 1e-10) << i;
      const ParamMap memory = schedule->memory();  // as if the run went on from a checkpoint
      schedule = makeSchedule(*def, params);
      schedule->restore(memory);
    }
    ++seen;
  }
  EXPECT_EQ(seen, 6);
}

TEST(GradientGolden, ClippingIsThatOfPyTorch) {
  int seen = 0;
  for (const Json& json : cases()) {
    if (!json.contains("clip")) continue;
    for (const DType dtype : {DType::F64, DType::F32}) {
      SCOPED_TRACE(json.at("clip").dump() + " " + json.at("limit").dump());
      const double tolerance = dtype == DType::F64 ? 1e-10 : 1e-6;
      const std::vector<OptimizedParameter> all = weights(dtype);
      setGradients(all, 1, 0);
      if (json.at("clip") == "norm") {
        EXPECT_NEAR(clipGradNorm(all, json.at("limit")), json.at("norm").get<double>(),
                    10 * tolerance);
      } else {
        clipGradValue(all, json.at("limit"));
      }
      for (size_t j = 0; j < all.size(); ++j)
        expectNear(autograd::gradOf(all[j].tensor), json.at("grads")[j], tolerance, tolerance);
    }
    ++seen;
  }
  EXPECT_EQ(seen, 5);
}

TEST(AverageGolden, AveragesAreThoseOfPyTorch) {
  int seen = 0;
  for (const Json& json : cases()) {
    if (!json.contains("average")) continue;
    for (const DType dtype : {DType::F64, DType::F32}) {
      const double tolerance = dtype == DType::F64 ? 1e-10 : 1e-6;
      const std::vector<OptimizedParameter> all = weights(dtype);
      WeightAverage average(all, {.decay = json.at("average")});
      for (int64_t t = 1; t <= 5; ++t) {
        for (size_t j = 0; j < all.size(); ++j) {
          const Tensor now = seeded(all[j].tensor.shape(), 10 * t + static_cast<int64_t>(j), dtype);
          std::copy_n(static_cast<const std::byte*>(now.rawData()), now.bytes(),
                      static_cast<std::byte*>(all[j].tensor.rawData()));
        }
        average.update();
        const std::vector<OptimizerState> state = average.state();
        for (size_t j = 0; j < all.size(); ++j)
          expectNear(state[j].tensor, json.at("after")[static_cast<size_t>(t) - 1][j], tolerance,
                     tolerance);
      }
    }
    ++seen;
  }
  EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace tenon::test
