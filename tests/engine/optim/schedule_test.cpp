// SPDX-License-Identifier: Apache-2.0
// Schedules beyond PyTorch's values: whole trainings, fractions, state, sequences, refusals.
#include "engine/schema/validate.h"
#include "tests/engine/optim/optim_fixture.h"

namespace tenon::test {
namespace {

using Lines = std::vector<std::string>;

TEST(Schedules, AllHaveHelpAndOneMaker) {
  ASSERT_EQ(allSchedules().size(), 12U);
  for (const ScheduleDef* def : allSchedules()) {
    SCOPED_TRACE(def->id);
    EXPECT_NE(def->factor == nullptr, def->make == nullptr);
    EXPECT_FALSE(def->help.empty());
    for (const ParamSpec& spec : def->schema) EXPECT_FALSE(spec.help.empty()) << spec.name;
    const auto schedule = makeSchedule(*def, def->schema.defaults());
    for (const int64_t step : {0, 1, 99, 100, 1000}) {
      const double factor = schedule->factor({step, 100, 10});
      EXPECT_GE(factor, 0.0);
      EXPECT_LE(factor, 1.0);
    }
  }
}

TEST(Schedules, SayWhenTheyStep) {
  const auto clock = [](const char* id, const ParamMap& changes = {}) {
    const ScheduleDef* def = findSchedule(id);
    return clockOf(*def, changed(def->schema, changes));
  };
  EXPECT_EQ(clock("step"), ScheduleClock::Epoch);
  EXPECT_EQ(clock("plateau"), ScheduleClock::Epoch);
  EXPECT_EQ(clock("cosine"), ScheduleClock::Step);
  EXPECT_EQ(clock("exponential"), ScheduleClock::Epoch);
  EXPECT_EQ(clock("exponential", {{"by", std::string("step")}}), ScheduleClock::Step);
  EXPECT_EQ(clock("linear"), ScheduleClock::Step);
  EXPECT_EQ(clock("sequence"), ScheduleClock::Step);  // as its parts may
}

TEST(Schedules, LengthZeroIsTheWholeTraining) {
  const auto linear = scheduleOf("linear", {{"start_factor", 1.0}, {"end_factor", 0.2}});
  EXPECT_NEAR(linear->factor({0, 40, 8}), 1.0, 1e-12);
  EXPECT_NEAR(linear->factor({10, 40, 8}), 0.8, 1e-12);
  EXPECT_NEAR(linear->factor({40, 40, 8}), 0.2, 1e-12);
  EXPECT_NEAR(linear->factor({400, 40, 8}), 0.2, 1e-12);
  const auto polynomial = scheduleOf("polynomial", {{"power", 2.0}, {"final_factor", 0.1}});
  EXPECT_NEAR(polynomial->factor({20, 40, 8}), 0.1 + 0.9 * 0.25, 1e-12);
}

TEST(Schedules, FractionsMoveWithinAnEpoch) {
  const auto linear =
      scheduleOf("linear", {{"start_factor", 0.0}, {"end_factor", 1.0}, {"length", 2.0}});
  for (int64_t step = 0; step <= 10; ++step)
    EXPECT_NEAR(linear->factor({step, 100, 4}), std::min(1.0, static_cast<double>(step) / 8),
                1e-12);
}

TEST(Schedules, WarmUpAndThenWhatIsLeft) {
  const auto schedule =
      scheduleOf("sequence", {{"parts", Lines{"linear 2 start_factor=0 end_factor=1", "cosine"}}});
  for (int64_t step = 0; step < 8; ++step)
    EXPECT_NEAR(schedule->factor({step, 40, 4}), static_cast<double>(step) / 8, 1e-12);
  for (int64_t step = 8; step <= 40; ++step)
    EXPECT_NEAR(schedule->factor({step, 40, 4}),
                0.5 * (1 + std::cos(M_PI * static_cast<double>(step - 8) / 32)), 1e-12);
}

TEST(Schedules, PartsOfASequenceKeepTheirState) {
  const ParamMap changes = {
      {"parts", Lines{"constant 2", "plateau 4 patience=0 factor=0.5", "plateau patience=0"}}};
  auto schedule = scheduleOf("sequence", changes);
  std::vector<double> factors;
  for (int64_t epoch = 0; epoch < 9; ++epoch) {
    factors.push_back(schedule->factor({epoch * 3, 30, 3}));
    const EpochValue value{"loss", 1.0};
    schedule->epochEnded({epoch * 3 + 3, 30, 3}, std::span(&value, 1));
    const ParamMap memory = schedule->memory();
    schedule = scheduleOf("sequence", changes);
    schedule->restore(memory);
  }
  // The first value a plateau sees is its best; each later one drops it.
  const std::vector<double> wanted = {1, 1, 1, 1, 0.5, 0.25, 1, 1, 0.1};
  ASSERT_EQ(factors.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(factors[i], wanted[i], 1e-12) << i;
}

TEST(Schedules, PlateauWatchesWhatItIsTold) {
  const auto plateau = scheduleOf(
      "plateau",
      {{"watch", std::string("accuracy")}, {"mode", std::string("max")}, {"patience", int64_t{0}}});
  std::vector<EpochValue> values = {{"loss", 1.0}, {"accuracy", 50.0}};
  plateau->epochEnded({}, values);
  values[1].value = 60;
  plateau->epochEnded({}, values);
  EXPECT_EQ(plateau->factor({}), 1.0);
  values[1].value = 55;
  plateau->epochEnded({}, values);
  EXPECT_NEAR(plateau->factor({}), 0.1, 1e-15);
  values[1].name = "f1";
  EXPECT_EQ(errorOf([&] { plateau->epochEnded({}, values); }),
            "plateau: watches 'accuracy', an epoch has loss, f1");
}

TEST(Schedules, PlateauCountsValuesThatAreNotFiniteAsBad) {
  const auto plateau = scheduleOf("plateau", {{"patience", int64_t{1}}});
  const auto tell = [&](double loss) {
    const EpochValue value{"loss", loss};
    plateau->epochEnded({}, std::span(&value, 1));
  };
  tell(NAN);
  EXPECT_FALSE(plateau->memory().contains("best"));  // JSON could not keep it
  tell(INFINITY);
  EXPECT_NEAR(plateau->factor({}), 0.1, 1e-15);
  tell(2);
  EXPECT_EQ(plateau->memory().getFloat("best"), 2.0);
}

TEST(Schedules, SequencesRefuseWhatTheyCannotRead) {
  struct Case {
    Lines parts;
    std::vector<std::string> words;
  };
  const Case cases[] = {
      {{"linear", "cosine"}, {"'linear' wants a length"}},
      {{"cosines 3", "cosine"}, {"'cosines' is no schedule"}},
      {{"sequence 3"}, {"'sequence' is no schedule"}},
      {{"linear five", "cosine"}, {"length above 0, got 'five'"}},
      {{"linear -1", "cosine"}, {"length above 0, got '-1'"}},
      {{"linear 1 2", "cosine"}, {"got '2'"}},
      {{"linear 1 end=0", "cosine"}, {"'linear'", "end"}},
      {{"linear 1 end_factor=2", "cosine"}, {"'linear'", "end_factor", "2"}},
      {{" "}, {"empty line"}},
  };
  for (const Case& c : cases) {
    const std::string text = errorOf([&] { scheduleOf("sequence", {{"parts", c.parts}}); });
    EXPECT_EQ(text.rfind("sequence: ", 0), 0U) << text;
    for (const std::string& word : c.words)
      EXPECT_NE(text.find(word), std::string::npos) << text << " lacks: " << word;
  }
  EXPECT_NE(errorOf([] {
              completeParams(findSchedule("sequence")->schema, {{"parts", Lines{}}});
            }).find("parts"),
            std::string::npos);
}

}  // namespace
}  // namespace tenon::test
