// SPDX-License-Identifier: Apache-2.0
// tenon-cli train: runs the trainer with progress on the terminal; Ctrl+C and SIGTERM stop it with
// a checkpoint.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <thread>

#include "app/cli/cli.h"
#include "engine/project/project_file.h"
#include "engine/project/settings.h"
#include "engine/schema/json.h"
#include "engine/store/project_lock.h"
#include "engine/train/engine_catalog.h"
#include "engine/train/trainer.h"

namespace tenon::cli {
namespace {

struct TrainOptions {
  std::string project;
  int64_t epochs = 0;
  int64_t steps = 0;
  std::string seed;
  std::string device;
  int threads = -1;
  std::string resume;
  std::vector<std::string> settings;
  bool json = false;
  bool record = false;
};

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

void printJson(const Json& json) {
  fmt::print("{}\n", writeJson(json, JsonStyle::OneLine));
  std::fflush(stdout);
}

/// One line of JSON for each logged step and each epoch.
class JsonSink final : public TrainSink {
 public:
  void onLogged(const LoggedStep& step) override {
    Json json = Json::object();
    json.set("event", "step");
    json.set("run", step.run);
    json.set("step", step.step);
    json.set("epoch", step.epoch);
    json.set("loss", number(step.loss));
    json.set("lr", number(step.learningRate));
    json.set("samples_per_second", number(step.samplesPerSecond));
    printJson(json);
  }
  void onEpoch(const EpochSummary& epoch) override {
    Json json = Json::object();
    json.set("event", "epoch");
    json.set("run", epoch.run);
    json.set("step", epoch.step);
    json.set("epoch", epoch.epoch);
    json.set("loss", number(epoch.trainLoss));
    json.set("validation_loss", number(epoch.validationLoss));
    for (const auto& [name, value] : epoch.metrics) json.set(name, number(value));
    json.set("seconds", number(epoch.seconds));
    json.set("best", epoch.best);
    printJson(json);
  }
};

/// A line that is drawn over, and one line an epoch.
class TextSink final : public TrainSink {
 public:
  explicit TextSink(bool live) : live_(live) {}
  void onProgress(const TrainProgress& p) override {
    if (!live_ || p.totalSteps == 0 || p.state != TrainState::Running) return;
    fmt::print("\r\033[Kepoch {}/{}  step {}/{}  loss {:.4g}  lr {:.3g}  {:.0f} samples/s",
               p.epoch + 1, p.epochs, p.step, p.totalSteps, p.loss, p.learningRate,
               std::isfinite(p.samplesPerSecond) ? p.samplesPerSecond : 0.0);
    std::fflush(stdout);
  }
  void onEpoch(const EpochSummary& e) override {
    std::string line = fmt::format("epoch {}: train loss {:.4g}", e.epoch + 1, e.trainLoss);
    if (std::isfinite(e.validationLoss))
      line += fmt::format(", validation loss {:.4g}", e.validationLoss);
    for (const auto& [name, value] : e.metrics) line += fmt::format(", {} {:.2f}", name, value);
    fmt::print("{}{} ({:.1f} s){}\n", live_ ? "\r\033[K" : "", line, e.seconds,
               e.best ? "  best" : "");
    std::fflush(stdout);
  }
  void onTrouble(const StoreTrouble& trouble) override {
    if (trouble.message.empty()) {
      fmt::print(stderr, "the store can be written again; going on\n");
    } else {
      fmt::print(stderr,
                 "{}paused: {}\nNothing is lost; training goes on when it can be written again.\n",
                 live_ ? "\n" : "", trouble.message);
    }
  }

 private:
  bool live_;
};

/// Waits for SIGINT and SIGTERM on a thread of its own, so that nothing runs inside a signal
/// handler.
class StopOnSignal {
 public:
  explicit StopOnSignal(TrainControl& control) {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    sigaddset(&signals_, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    thread_ = std::thread([this, &control] {
      int signal = 0;
      while (!done_ && sigwait(&signals_, &signal) == 0 && !done_) control.stop();
    });
  }
  ~StopOnSignal() {
    done_ = true;
    pthread_kill(thread_.native_handle(), SIGUSR1);
    thread_.join();
  }
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

 private:
  sigset_t signals_{};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

ProjectSpec configured(const OpenedProject& opened, const TrainOptions& options, RunId resume,
                       Store& store) {
  ProjectSpec project =
      resume ? projectOfRun(store.runs().get(resume), opened.project) : opened.project;
  std::vector<std::string> settings = options.settings;
  if (options.epochs > 0) settings.push_back("train.epochs=" + std::to_string(options.epochs));
  if (!options.seed.empty()) settings.push_back("train.seed=" + options.seed);
  if (!options.device.empty()) settings.push_back("train.device=" + options.device);
  if (options.threads >= 0) settings.push_back("train.threads=" + std::to_string(options.threads));
  return applySettings(project, settings);
}

int train(const TrainOptions& options) {
  const OpenedProject opened = openProject(options.project);
  const ProjectLock lock(opened.folder);
  TrainControl control;
  const StopOnSignal signals(control);  // before anything that is worth ending in order
  const std::shared_ptr<Store> store = Store::open(opened.folder);
  TrainRequest request;
  request.resume = options.resume.empty() ? 0 : runNumber(options.resume, opened.folder);
  request.project = configured(opened, options, request.resume, *store);
  request.folder = opened.folder;
  request.maxSteps = options.steps;
  if (options.record) control.recordNextStep();
  JsonSink json;
  TextSink text(isatty(STDOUT_FILENO) != 0);
  Trainer trainer(request, store, control, options.json ? static_cast<TrainSink&>(json) : text);
  const TrainResult result = trainer.run();
  if (!options.json)
    fmt::print("run {} {} at step {}\n", result.run, runStatusName(result.status), result.step);
  return control.stopRequested() ? kStopped : kOk;
}

}  // namespace

void addTrain(CLI::App& app, int& exitCode) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* command =
      app.add_subcommand("train", "Trains a project and keeps the run in its store");
  command->add_option("project", options->project, "Project folder or file")->required();
  command->add_option("--epochs", options->epochs, "Epochs instead of the project's")
      ->check(CLI::PositiveNumber);
  command->add_option("--steps", options->steps, "Stop after so many steps in all")
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", options->seed, "Seed instead of the project's");
  command->add_option("--device", options->device, "cpu, cuda or cuda:N");
  command->add_option("--threads", options->threads, "CPU threads, 0: one per core")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--resume", options->resume,
                      "Go on with this run (number or 'last') from its newest checkpoint");
  command->add_option("--set", options->settings,
                      "Change a setting: path=value, e.g. train.optimizer.lr=0.001");
  command->add_flag("--record", options->record, "Record graph and memory of the first step");
  command->add_flag("--json", options->json, "One line of JSON per logged step and epoch");
  command->callback([options, &exitCode] { exitCode = train(*options); });
}

}  // namespace tenon::cli
