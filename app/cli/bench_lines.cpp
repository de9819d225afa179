// SPDX-License-Identifier: Apache-2.0
// Medians stand in front, smallest and largest windows behind them.
#include "app/cli/bench_lines.h"

#include <algorithm>

#include "app/cli/output.h"
#include "engine/backend/registry/devices.h"
#include "engine/schema/json.h"

namespace tenon::cli {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Json lineOf(const std::string& name) {
  Json line = Json::object();
  line.set("system", "tenon " TENON_VERSION);
  line.set("workload", name);
  return line;
}

void setWindows(Json& line, const std::vector<double>& perSecond) {
  const auto [low, high] = std::minmax_element(perSecond.begin(), perSecond.end());
  line.set("windows", static_cast<int64_t>(perSecond.size()));
  line.set("per_second", median(perSecond));
  line.set("min", *low);
  line.set("max", *high);
}

void print(const Json& line) { say("{}\n", writeJson(line, JsonStyle::OneLine)); }

}  // namespace

void tell(const Workload& workload, const std::vector<double>& windows, bool json) {
  if (!json) {
    const auto [low, high] = std::minmax_element(windows.begin(), windows.end());
    say("{:<14} {:>12.1f} samples/s  [{:.1f} .. {:.1f}]  loss {:.4f} -> {:.4f}\n", workload.name(),
        median(windows), *low, *high, workload.losses()[0], workload.losses()[1]);
    return;
  }
  Json line = lineOf(workload.name());
  line.set("threads", static_cast<int64_t>(backend::threads()));
  line.set("device", "cpu");
  line.set("amp", "none");
  line.set("channels_last", false);
  line.set("optim", "fused");
  line.set("parameters", workload.parameters());
  line.set("loss_step_1", workload.losses()[0]);
  line.set("loss_step_20", workload.losses()[1]);
  setWindows(line, windows);
  line.set("peak_bytes", workload.peakBytes());
  line.set("reorders", workload.reorders());
  print(line);
}

void tell(const KernelMeasure& measure, const std::vector<KernelWindow>& windows, bool json) {
  std::vector<double> speeds, shares, probes;
  for (const KernelWindow& window : windows) {
    speeds.push_back(window.perSecond);
    shares.push_back(measure.roofline(window));
    probes.push_back(window.probe);
  }
  const Kernel& kernel = measure.kernel();
  const bool memory = kernel.roof == Roof::Memory;
  if (!json) {
    const double reached = median(speeds) * kernel.work * 1e-9;
    say("{:<28} {:>10.1f} us  {:>6.1f} {}, {:.0f} % of the {} probe\n", kernel.name,
        1e6 / median(speeds), reached, memory ? "GB/s" : "GFLOP/s", 100 * median(shares),
        memory ? "copy" : "multiply-add");
    return;
  }
  Json line = lineOf(kernel.name);
  line.set("threads", static_cast<int64_t>(backend::threads()));
  line.set("device", "cpu");
  setWindows(line, speeds);
  line.set("ns", 1e9 / median(speeds));
  line.set("roof", memory ? "memory" : "arithmetic");
  line.set("work", kernel.work);
  line.set("probe_per_second", median(probes));
  line.set("roofline", median(shares));
  print(line);
}

void tell(const std::string& micro, const MicroTimes& times, bool json) {
  if (!json) {
    say("{:<12} {:>12.1f} ns a call  (median {:.1f})\n", micro, times.least, times.median);
    return;
  }
  Json line = lineOf(micro);
  line.set("device", "cpu");
  line.set("ns", times.least);
  line.set("median_ns", times.median);
  print(line);
}

void tell(int randomSteps, const RandomStepsMemory& memory, bool json) {
  const double live = static_cast<double>(memory.live);
  const double ratio = static_cast<double>(memory.reserved) / live;
  const double lessPages = static_cast<double>(memory.reserved - memory.pages) / live;
  if (!json) {
    say("alloc-random  peak reserved / peak live {:.4f} ({:.4f} without one page a pool) of {:.0f} "
        "MiB in {} steps\n",
        ratio, lessPages, live / (1 << 20), randomSteps);
    return;
  }
  Json line = lineOf("alloc-random");
  line.set("device", "cpu");
  line.set("steps", randomSteps);
  line.set("peak_live_bytes", memory.live);
  line.set("peak_reserved_bytes", memory.reserved);
  line.set("page_bytes", memory.pages);
  line.set("ratio", ratio);
  line.set("ratio_less_pages", lessPages);
  print(line);
}

void tellSize(const Workload& workload, bool json) {
  if (!json) {
    say("{:<14} {:>10} parameters, {} samples a step\n", workload.name(), workload.parameters(),
        workload.count());
    return;
  }
  Json line = lineOf(workload.name());
  line.set("parameters", workload.parameters());
  line.set("count", workload.count());
  print(line);
}

}  // namespace tenon::cli
