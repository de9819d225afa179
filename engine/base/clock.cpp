// SPDX-License-Identifier: Apache-2.0
// The system's clocks and the ISO 8601 text of a wall time.
#include "engine/base/clock.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "engine/base/error.h"

namespace tenon {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;

int64_t readClock(clockid_t id) noexcept {
  timespec t{};
  clock_gettime(id, &t);
  return static_cast<int64_t>(t.tv_sec) * kNsPerSecond + t.tv_nsec;
}

class SystemClock final : public Clock {
 public:
  int64_t monotonicNs() const noexcept override { return tenon::monotonicNs(); }
  int64_t wallNs() const noexcept override { return tenon::wallNs(); }
};

[[noreturn]] void refuseTime(std::string_view text) {
  throw Error(Code::Input,
              fmt::format("wanted a time like 2026-11-29T16:46:01.250Z, got '{}'", text));
}

/// Reads exactly `count` digits at `at` and moves on; refuses anything else.
int readDigits(std::string_view text, size_t& at, size_t count) {
  int value = 0;
  for (size_t end = at + count; at < end; ++at) {
    if (at >= text.size() || text[at] < '0' || text[at] > '9') refuseTime(text);
    value = value * 10 + (text[at] - '0');
  }
  return value;
}

void readChar(std::string_view text, size_t& at, char wanted) {
  if (at >= text.size() || text[at] != wanted) refuseTime(text);
  ++at;
}

}  // namespace

int64_t monotonicNs() noexcept { return readClock(CLOCK_MONOTONIC); }
int64_t wallNs() noexcept { return readClock(CLOCK_REALTIME); }

Clock::~Clock() = default;

const Clock& systemClock() noexcept {
  static const SystemClock kClock;
  return kClock;
}

void ManualClock::advance(int64_t ns) noexcept {
  monotonic_.fetch_add(ns);
  wall_.fetch_add(ns);
}

std::string isoTime(int64_t wallNs) {
  namespace chrono = std::chrono;
  auto time = chrono::sys_time<chrono::nanoseconds>(chrono::nanoseconds(wallNs));
  auto day = chrono::floor<chrono::days>(time);
  chrono::year_month_day date(day);
  chrono::hh_mm_ss clock(chrono::floor<chrono::milliseconds>(time - day));
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

int64_t parseIsoTime(std::string_view text) {
  namespace chrono = std::chrono;
  size_t at = 0;
  int year = readDigits(text, at, 4);
  readChar(text, at, '-');
  int month = readDigits(text, at, 2);
  readChar(text, at, '-');
  int day = readDigits(text, at, 2);
  readChar(text, at, 'T');
  int hour = readDigits(text, at, 2);
  readChar(text, at, ':');
  int minute = readDigits(text, at, 2);
  readChar(text, at, ':');
  int second = readDigits(text, at, 2);
  int64_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    int64_t scale = kNsPerSecond / 10;
    for (; scale > 0 && at < text.size() && text[at] != 'Z'; scale /= 10)
      fraction += scale * readDigits(text, at, 1);
  }
  readChar(text, at, 'Z');
  chrono::year_month_day date{chrono::year(year), chrono::month(static_cast<unsigned>(month)),
                              chrono::day(static_cast<unsigned>(day))};
  bool inRange = year >= 1678 && year <= 2261;  // what 64 bits of nanoseconds hold
  if (at != text.size() || !date.ok() || !inRange || hour > 23 || minute > 59 || second > 59)
    refuseTime(text);
  int64_t days = chrono::sys_days(date).time_since_epoch().count();
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * kNsPerSecond + fraction;
}

}  // namespace tenon
