// SPDX-License-Identifier: Apache-2.0
// tenon-cli bench: the training workloads of the peer script with the same names, shapes, fields
// and serve protocol.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>

#include "app/cli/arguments.h"
#include "app/cli/cli.h"
#include "app/cli/micro.h"
#include "app/cli/output.h"
#include "app/cli/workloads.h"
#include "engine/backend/registry/devices.h"
#include "engine/base/error.h"
#include "engine/schema/json.h"

namespace tenon::cli {
namespace {

constexpr double kMicroSeconds = 1;  // are enough for one small measure

struct BenchOptions {
  std::string workloads = "all";
  int threads = 0;
  double seconds = 8;
  bool json = false;
  bool serve = false;
};

/// Samples a second over about `seconds` of steps.
double window(Workload& workload, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  int64_t steps = 0;
  double passed = 0;
  do {
    workload.step();
    ++steps;
    passed = std::chrono::duration<double>(Clock::now() - start).count();
  } while (passed < seconds);
  return static_cast<double>(steps * workload.count()) / passed;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void report(const Workload& workload, const std::vector<double>& windows, bool json) {
  const auto [low, high] = std::minmax_element(windows.begin(), windows.end());
  if (!json) {
    say("{:<12} {:>12.1f} samples/s  [{:.1f} .. {:.1f}]  loss {:.4f} -> {:.4f}\n", workload.name(),
        median(windows), *low, *high, workload.losses()[0], workload.losses()[1]);
    return;
  }
  Json line = Json::object();
  line.set("system", "tenon " TENON_VERSION);
  line.set("workload", workload.name());
  line.set("threads", static_cast<int64_t>(backend::threads()));
  line.set("device", "cpu");
  line.set("amp", "none");
  line.set("channels_last", false);
  line.set("optim", "fused");
  line.set("loss_step_1", workload.losses()[0]);
  line.set("loss_step_20", workload.losses()[1]);
  line.set("windows", static_cast<int64_t>(windows.size()));
  line.set("per_second", median(windows));
  line.set("min", *low);
  line.set("max", *high);
  line.set("peak_bytes", workload.peakBytes());
  say("{}\n", writeJson(line, JsonStyle::OneLine));
}

bool isMicro(const std::string& name) {
  const std::vector<std::string> known = microNames();
  return std::find(known.begin(), known.end(), name) != known.end();
}

void reportMicro(const std::string& name, double seconds, bool json) {
  const MicroTimes times = measureMicro(name, std::min(seconds, kMicroSeconds));
  if (!json) {
    say("{:<12} {:>12.1f} ns a call  (median {:.1f})\n", name, times.least, times.median);
  } else {
    Json line = Json::object();
    line.set("system", "tenon " TENON_VERSION);
    line.set("workload", name);
    line.set("device", "cpu");
    line.set("ns", times.least);
    line.set("median_ns", times.median);
    say("{}\n", writeJson(line, JsonStyle::OneLine));
  }
}

/// "all" are the workloads, whose lines have the peer's fields; "micro" are the small measures.
/// @throws Error(Code::Usage) for a name that is neither a workload nor a small measure.
std::vector<std::string> names(const std::string& list) {
  std::vector<std::string> known = workloadNames();
  if (list == "all") return known;
  if (list == "micro") return microNames();
  for (const std::string& name : microNames()) known.push_back(name);
  std::vector<std::string> out;
  size_t at = 0;
  while (at <= list.size()) {
    const size_t end = std::min(list.find(',', at), list.size());
    out.push_back(list.substr(at, end - at));
    at = end + 1;
    if (std::find(known.begin(), known.end(), out.back()) == known.end())
      throw Error(Code::Usage, fmt::format("unknown workload '{}': known are {}", out.back(),
                                           fmt::join(known, ", ")));
  }
  return out;
}

/// Seconds of a window as the peer reads them: blanks around do not matter, and 0 is one step.
/// @throws Error(Code::Usage) if the line is no such number
double secondsOf(const std::string& line) {
  constexpr const char* kBlanks = " \t\r";
  const size_t from = line.find_first_not_of(kBlanks);
  const std::string text =
      from == std::string::npos ? "" : line.substr(from, line.find_last_not_of(kBlanks) + 1 - from);
  if (const std::optional<double> seconds = secondsFrom(text)) return *seconds;
  throw Error(Code::Usage,
              fmt::format("a window wants a number of seconds, 0 or more, got '{}'", line));
}

int serve(const BenchOptions& options) {
  const std::string& list = options.workloads;  // of several the first, as the peer does
  Workload workload(list == "all" ? workloadNames().front() : list.substr(0, list.find(',')));
  say("{{\"ready\": true}}\n");
  for (std::string line; outputWorks() && std::getline(std::cin, line);)
    report(workload, {window(workload, secondsOf(line))}, true);
  return kOk;
}

int bench(const BenchOptions& options) {
  backend::setThreads(options.threads);
  if (options.serve) return serve(options);
  for (const std::string& name : names(options.workloads)) {
    if (!outputWorks()) break;  // nobody would see it
    if (isMicro(name)) {
      reportMicro(name, options.seconds, options.json);
      continue;
    }
    Workload workload(name);
    std::vector<double> windows;
    for (int i = 0; i < 7; ++i) windows.push_back(window(workload, options.seconds / 7));
    report(workload, windows, options.json);
  }
  return kOk;
}

}  // namespace

void addBench(CLI::App& app, int& exitCode) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      app.add_subcommand("bench", "Measures training steps on synthetic data: median of 7 windows");
  command->add_option("--workload", options->workloads,
                      "Names with commas between, 'all', or 'micro' for single calls");
  command->add_option("--threads", options->threads, "CPU threads, 0: one per core")
      ->check(wholeNumber(0, kMostThreads));
  command->add_option("--seconds", options->seconds, "Time for each workload")->check(seconds());
  command->add_flag("--json", options->json, "One line of JSON per workload");
  command->add_flag("--serve", options->serve,
                    "One workload; a window for each line (seconds) of standard input");
  command->callback([options, &exitCode] { exitCode = bench(*options); });
}

}  // namespace tenon::cli
