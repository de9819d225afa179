// SPDX-License-Identifier: Apache-2.0
// Schedule "sequence": schedules one after the other, each counting from its own beginning, as
// PyTorch's SequentialLR.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "engine/base/error.h"
#include "engine/optim/part_line.h"
#include "engine/optim/schedule_count.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {
      stringListParam("parts", {"linear 5 start_factor=0.1 end_factor=1", "cosine"})
          .count(1, 64)
          .describe(TENON_TEXT("One schedule a line: its name, how long it lasts (the last one may "
                               "take what is left) and its settings, e.g. \"linear 5 "
                               "start_factor=0.1 end_factor=1\".")),
      byParam("epoch", false)};
}

struct Part {
  std::unique_ptr<Schedule> schedule;
  double length = 0;  ///< in the sequence's unit; 0: what is left
};

double lengthOf(const PartLine& line) {
  const std::string& text = line.words.front();
  double length = 0;
  const char* end = text.data() + text.size();
  const auto [at, fault] = std::from_chars(text.data(), end, length);
  if (fault != std::errc() || at != end || !(length > 0) || !std::isfinite(length))
    throw Error(Code::Input,
                fmt::format("sequence: '{}' wants a length above 0, got '{}'", line.name, text));
  return length;
}

Part partOf(const std::string& text, bool bySteps) {
  const PartLine line = parsePartLine("sequence", text);
  const ScheduleDef* def = findSchedule(line.name);
  if (!def || line.name == "sequence")
    throw Error(Code::Input,
                fmt::format("sequence: '{}' is no schedule that can be part of one", line.name));
  if (line.words.size() > 1)
    throw Error(Code::Input,
                fmt::format("sequence: '{}' wants 'schedule length key=value ...', got "
                            "'{}'",
                            text, line.words[1]));
  const ParamMap given = settingsOf("sequence", line, def->schema);
  ParamMap params = def->schema.defaults();
  if (bySteps && params.contains("by")) params.set("by", std::string("step"));
  for (const auto& [name, value] : given) params.set(name, value);
  return {makeSchedule(*def, std::move(params)), line.words.empty() ? 0 : lengthOf(line)};
}

class Sequence final : public Schedule {
 public:
  explicit Sequence(const ParamMap& params) : bySteps_(params.getString("by") == "step") {
    const std::vector<std::string> lines = params.getStrings("parts");
    for (const std::string& line : lines) {
      parts_.push_back(partOf(line, bySteps_));
      if (parts_.back().length == 0 && parts_.size() < lines.size())
        throw Error(Code::Input,
                    fmt::format("sequence: '{}' wants a length: another schedule follows", line));
    }
  }

  double factor(const SchedulePoint& at) const override {
    const auto [part, point] = activeAt(at);
    return parts_[part].schedule->factor(point);
  }

  void epochEnded(const SchedulePoint& at, std::span<const EpochValue> values) override {
    SchedulePoint last = at;  // the epoch belongs to the part that made its last step
    if (last.step > 0) --last.step;
    auto [part, point] = activeAt(last);
    ++point.step;
    parts_[part].schedule->epochEnded(point, values);
  }

  ParamMap memory() const override {
    ParamMap all;
    for (size_t i = 0; i < parts_.size(); ++i)
      for (const auto& [name, value] : parts_[i].schedule->memory())
        all.set(fmt::format("{}/{}", i, name), value);
    return all;
  }
  void restore(const ParamMap& memory) override {
    for (size_t i = 0; i < parts_.size(); ++i) {
      const std::string prefix = fmt::format("{}/", i);
      ParamMap own;
      for (const auto& [name, value] : memory)
        if (name.starts_with(prefix)) own.set(name.substr(prefix.size()), value);
      parts_[i].schedule->restore(own);
    }
  }

 private:
  struct Active {
    size_t part;
    SchedulePoint point;  ///< as the part counts
  };
  Active activeAt(const SchedulePoint& at) const {
    const double unit = bySteps_ ? 1.0 : static_cast<double>(at.stepsPerEpoch);
    int64_t begin = 0;
    for (size_t i = 0; i < parts_.size(); ++i) {
      const bool last = i + 1 == parts_.size();
      const int64_t steps = parts_[i].length > 0 ? std::llround(parts_[i].length * unit)
                                                 : std::max<int64_t>(at.totalSteps - begin, 1);
      if (last || at.step < begin + steps)
        return {i, {at.step - begin, std::max<int64_t>(steps, 1), at.stepsPerEpoch}};
      begin += steps;
    }
    return {0, at};
  }

  bool bySteps_;
  std::vector<Part> parts_;
};

std::unique_ptr<Schedule> make(const ParamMap& params) {
  return std::make_unique<Sequence>(params);
}

}  // namespace

const ScheduleDef& scheduleDef_sequence();
const ScheduleDef& scheduleDef_sequence() {
  static const ScheduleDef kDef = {
      .id = "sequence",
      .title = "Sequence",
      .help = TENON_TEXT("Several schedules one after the other, such as a warm-up and a decay; "
                         "each begins anew."),
      .schema = schema(),
      .make = &make};
  return kDef;
}

}  // namespace tenon
