// SPDX-License-Identifier: Apache-2.0
// tenon-cli bench: the training workloads of the peer script with the same names, shapes, fields
// and serve protocol; single kernels, small calls and the allocator beside them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>

#include "app/cli/arguments.h"
#include "app/cli/bench_lines.h"
#include "app/cli/cli.h"
#include "app/cli/output.h"
#include "engine/backend/registry/devices.h"
#include "engine/base/error.h"

namespace tenon::cli {
namespace {

constexpr double kMicroSeconds = 1;  // are enough for one small measure
constexpr int kWindows = 7;
constexpr int kRandomSteps = 10'000;
constexpr const char* kRandomStepsName = "alloc-random";

struct BenchOptions {
  std::string workloads = "all";
  int threads = 0;
  double seconds = 8;
  bool json = false;
  bool serve = false;
  bool list = false;
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

bool isOneOf(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// "all" are the workloads, whose lines have the peer's fields, "kernels" single operators and
/// "micro" the small measures.
/// @throws Error(Code::Usage) for a name that is nothing of these.
std::vector<std::string> names(const std::string& list) {
  if (list == "all") return workloadNames();
  if (list == "kernels") return kernelNames();
  if (list == "micro") return microNames();
  std::vector<std::string> known = workloadNames();
  for (const auto& more : {kernelNames(), microNames()})
    known.insert(known.end(), more.begin(), more.end());
  known.emplace_back(kRandomStepsName);
  std::vector<std::string> out;
  size_t at = 0;
  while (at <= list.size()) {
    const size_t end = std::min(list.find(',', at), list.size());
    out.push_back(list.substr(at, end - at));
    at = end + 1;
    if (!isOneOf(known, out.back()))
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

/// `answer(seconds)` for each line of the standard input.
template <class Answer>
int serveWindows(Answer&& answer) {
  say("{{\"ready\": true}}\n");
  for (std::string line; outputWorks() && std::getline(std::cin, line);) answer(secondsOf(line));
  return kOk;
}

int serve(const BenchOptions& options) {
  const std::string name = names(options.workloads).front();  // of several, as the peer does
  if (isOneOf(kernelNames(), name)) {
    KernelMeasure kernel(name);
    return serveWindows(
        [&kernel](double seconds) { tell(kernel, {kernel.window(seconds)}, true); });
  }
  Workload workload(name);
  workload.warmUp();
  return serveWindows(
      [&workload](double seconds) { tell(workload, {window(workload, seconds)}, true); });
}

void measureWorkload(const std::string& name, const BenchOptions& options) {
  Workload workload(name);
  workload.warmUp();
  std::vector<double> windows;
  windows.reserve(kWindows);
  for (int i = 0; i < kWindows; ++i)
    windows.push_back(window(workload, options.seconds / kWindows));
  tell(workload, windows, options.json);
}

void measureKernel(const std::string& name, const BenchOptions& options) {
  KernelMeasure kernel(name);
  std::vector<KernelWindow> windows;
  windows.reserve(kWindows);
  for (int i = 0; i < kWindows; ++i) windows.push_back(kernel.window(options.seconds / kWindows));
  tell(kernel, windows, options.json);
}

int bench(const BenchOptions& options) {
  backend::setThreads(options.threads);
  if (options.serve) return serve(options);
  for (const std::string& name : names(options.workloads)) {
    if (!outputWorks()) break;  // nobody would see it
    if (options.list) {
      tellSize(Workload(name), options.json);
    } else if (isOneOf(microNames(), name)) {
      tell(name, measureMicro(name, std::min(options.seconds, kMicroSeconds)), options.json);
    } else if (isOneOf(kernelNames(), name)) {
      measureKernel(name, options);
    } else if (name == kRandomStepsName) {
      tell(kRandomSteps, runRandomSteps(kRandomSteps), options.json);
    } else {
      measureWorkload(name, options);
    }
  }
  return kOk;
}

}  // namespace

void addBench(CLI::App& app, int& exitCode) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      app.add_subcommand("bench", "Measures training steps on synthetic data: median of 7 windows");
  command->add_option("--workload", options->workloads,
                      "Names with commas between; 'all' networks, 'kernels' for single operators, "
                      "'micro' for small calls");
  command->add_option("--threads", options->threads, "CPU threads, 0: one per core")
      ->check(wholeNumber(0, kMostThreads));
  command->add_option("--seconds", options->seconds, "Time for each workload")->check(seconds());
  command->add_flag("--json", options->json, "One line of JSON per workload");
  CLI::Option* serves =
      command->add_flag("--serve", options->serve,
                        "One workload; a window for each line (seconds) of standard input");
  command->add_flag("--list", options->list, "Tells the networks' sizes and trains nothing")
      ->excludes(serves);
  command->callback([options, &exitCode] { exitCode = bench(*options); });
}

}  // namespace tenon::cli
