// SPDX-License-Identifier: Apache-2.0
// tenon-cli evaluate, runs, check, devices: looks at a project without training it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "app/cli/cli.h"
#include "app/cli/output.h"
#include "engine/backend/registry/devices.h"
#include "engine/base/duration.h"
#include "engine/schema/json.h"
#include "engine/store/checkpoints.h"
#include "engine/store/runs.h"
#include "engine/store/store.h"
#include "engine/train/evaluate.h"
#include "engine/train/run_setup.h"
#include "engine/train/trainer.h"

namespace tenon::cli {
namespace {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

/// Says which checkpoint there is instead.
void refuseMissingCheckpoint(Store& store, RunId run, CheckpointKind kind) {
  const RunInfo info = store.runs().get(run);  // an unknown run is another fault
  const auto newest = store.checkpoints().newestWhole(info.id);
  if (!newest) throw Error(Code::Input, fmt::format("run {} has no checkpoint at all", run));
  if (kind == CheckpointKind::Best && !store.checkpoints().best(run))
    throw Error(Code::Input, fmt::format("run {} has no best checkpoint: --checkpoint last takes "
                                         "its newest one, of step {}",
                                         run, newest->step));
}

int evaluateProject(const std::string& path, const std::string& run, const std::string& which,
                    bool asJson) {
  const OpenedProject opened = openProject(path);
  const RunId id = runNumber(run, opened.folder);
  const auto store = storeToRead(opened.folder);
  if (!store) throw Error(Code::Input, "the project has no runs yet");
  const CheckpointKind kind = which == "best" ? CheckpointKind::Best : CheckpointKind::Last;
  refuseMissingCheckpoint(*store, id, kind);
  const Evaluation result = [&] {
    try {
      return evaluateRun(*store, id, kind, opened.project, opened.folder);
    } catch (const Error& error) {
      if (error.code() == Code::Input || error.code() == Code::Device)
        refuseWithPlaces(opened, projectOfRun(store->runs().get(id), opened.project), {}, id);
      throw;
    }
  }();
  if (asJson) {
    Json json = Json::object();
    json.set("run", id);
    json.set("checkpoint", which);
    json.set("samples", result.samples);
    json.set("loss", number(result.loss));
    for (const auto& [name, value] : result.metrics) json.set(name, number(value));
    say("{}\n", writeJson(json, JsonStyle::OneLine));
    return kOk;
  }
  say("run {}, {} checkpoint, {} samples: loss {:.4g}", id, which, result.samples, result.loss);
  for (const auto& [name, value] : result.metrics) say(", {} {:.2f}", name, value);
  say("\n");
  return kOk;
}

Json runJson(const RunInfo& run) {
  Json json = Json::object();
  json.set("id", run.id);
  json.set("name", run.name);
  json.set("status", runStatusName(run.status));
  json.set("started_us", run.startedUs);
  json.set("ended_us", run.endedUs);
  json.set("heartbeat_us", run.heartbeatUs);
  json.set("trained_seconds", static_cast<double>(run.trainedUs) * 1e-6);
  json.set("seed", static_cast<int64_t>(run.seed));
  json.set("device", run.device);
  json.set("step", run.step);
  json.set("epoch", static_cast<int64_t>(run.epoch));
  json.set("best_metric", run.bestName);
  json.set("best_value", run.bestStep >= 0 ? number(run.bestValue) : Json());
  json.set("best_step", run.bestStep);
  json.set("failure", run.failure);
  return json;
}

int listRuns(const std::string& path, bool asJson) {
  const OpenedProject opened = openProject(path);
  const std::shared_ptr<Store> store = storeToRead(opened.folder);
  const std::vector<RunInfo> runs = store ? store->runs().list() : std::vector<RunInfo>();
  for (const RunInfo& run : runs) {
    if (asJson) {
      say("{}\n", writeJson(runJson(run), JsonStyle::OneLine));
      continue;
    }
    say("{:>4}  {:<12} step {:>8}  {:>12}  {}", run.id, runStatusName(run.status), run.step,
        durationText(run.trainedUs), run.name);
    if (run.bestStep >= 0) say("  {} {:.4g} at step {}", run.bestName, run.bestValue, run.bestStep);
    say("\n");
  }
  if (runs.empty() && !asJson) say("no runs yet: tenon-cli train {}\n", path);
  return kOk;
}

void printTotals(const CheckedGraph& graph) {
  say("{:<14} {:<16} {:>18} {:>12} {:>14}\n", "node", "layer", "output", "parameters",
      "FLOPs/sample");
  for (const CheckedNode& node : graph.nodes)
    say("{:<14} {:<16} {:>18} {:>12} {:>14.0f}\n", node.spec->id, node.spec->type,
        node.planned && !node.plan.outputs.empty() ? toString(node.plan.outputs[0]) : "?",
        node.trainableCount(), node.plan.flops);
  say("{} parameters, {:.4g} FLOPs forward per sample\n", graph.totals.parameters,
      graph.totals.flops);
}

int check(const std::string& path) {
  const OpenedProject opened = openProject(path);
  Issues issues = checkProject(opened.project, opened.folder);
  locateIssues(issues, opened.positions, opened.file);
  for (const Issue& issue : issues)
    complain("{}: {}\n",
             issue.severity == Severity::Error     ? "error"
             : issue.severity == Severity::Warning ? "warning"
                                                   : "hint",
             issueLine(issue));
  if (hasErrors(issues)) return exitCodeOf(codeOfIssues(issues));
  printTotals(checkGraphOf(opened.project, openData(*opened.project.data, opened.folder)));
  return kOk;
}

int listDevices(bool asJson) {
  for (const backend::DeviceInfo& device : backend::devices()) {
    const std::string id =
        device.kind == 0 ? std::string("cpu") : fmt::format("cuda:{}", device.index);
    if (asJson) {
      Json json = Json::object();
      json.set("id", id);
      json.set("available", true);
      json.set("name", device.name);
      json.set("description", device.description);
      json.set("total_bytes", static_cast<int64_t>(device.totalBytes));
      json.set("free_bytes", static_cast<int64_t>(device.freeBytes));
      say("{}\n", writeJson(json, JsonStyle::OneLine));
    } else {
      say("{:<8} {} ({}), {:.1f} of {:.1f} GiB free\n", id, device.name, device.description,
          static_cast<double>(device.freeBytes) / (1 << 30),
          static_cast<double>(device.totalBytes) / (1 << 30));
    }
  }
  for (const backend::KindStatus& kind : backend::deviceKinds()) {
    if (kind.available) continue;
    if (asJson) {
      Json json = Json::object();
      json.set("id", kind.kind);
      json.set("available", false);
      json.set("reason", kind.reason);
      say("{}\n", writeJson(json, JsonStyle::OneLine));
    } else {
      say("{:<8} not available: {}\n", kind.kind, kind.reason);
    }
  }
  return kOk;
}

struct InspectOptions {
  std::string project;
  std::string run;
  std::string checkpoint = "best";
  bool json = false;
};

}  // namespace

void addEvaluate(CLI::App& app, int& exitCode) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command =
      app.add_subcommand("evaluate", "Evaluates a run's checkpoint on the validation data");
  command->add_option("project", options->project, "Project folder or file")->required();
  command->add_option("--run", options->run, "Number of the run, or 'last'")->required();
  command->add_option("--checkpoint", options->checkpoint, "best or last")
      ->check(CLI::IsMember({"best", "last"}));
  command->add_flag("--json", options->json, "One line of JSON");
  command->callback([options, &exitCode] {
    exitCode = evaluateProject(options->project, options->run, options->checkpoint, options->json);
  });
}

void addRuns(CLI::App& app, int& exitCode) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand("runs", "Lists the runs of a project, newest first");
  command->add_option("project", options->project, "Project folder or file")->required();
  command->add_flag("--json", options->json, "One line of JSON per run");
  command->callback([options, &exitCode] { exitCode = listRuns(options->project, options->json); });
}

void addCheck(CLI::App& app, int& exitCode) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand(
      "check",
      "Checks a project and shows its model; exit code 3 if there are errors, 4 if it wants a "
      "device that is not there");
  command->add_option("project", options->project, "Project folder or file")->required();
  command->callback([options, &exitCode] { exitCode = check(options->project); });
}

void addDevices(CLI::App& app, int& exitCode) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command =
      app.add_subcommand("devices", "Lists devices, and why a kind is not available");
  command->add_flag("--json", options->json, "One line of JSON per device");
  command->callback([options, &exitCode] { exitCode = listDevices(options->json); });
}

}  // namespace tenon::cli
