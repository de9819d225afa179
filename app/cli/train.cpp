// SPDX-License-Identifier: Apache-2.0
// tenon-cli train: runs the trainer with progress on the terminal; Ctrl+C and SIGTERM stop it with
// a checkpoint.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <thread>

#include "app/cli/arguments.h"
#include "app/cli/cli.h"
#include "app/cli/output.h"
#include "app/cli/train_output.h"
#include "engine/project/project_file.h"
#include "engine/project/settings.h"
#include "engine/schema/json.h"
#include "engine/store/checkpoints.h"
#include "engine/store/project_lock.h"
#include "engine/train/engine_catalog.h"
#include "engine/train/resume.h"
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

/// All that the command line sets.
std::vector<Setting> settingsOf(const TrainOptions& options) {
  std::vector<Setting> settings;
  for (const std::string& text : options.settings) settings.push_back(readSetting(text));
  const auto add = [&settings](const std::string& name, const std::string& value) {
    settings.push_back({"train." + name, value, "--" + name + " " + value});
  };
  if (options.epochs > 0) add("epochs", std::to_string(options.epochs));
  if (!options.seed.empty()) add("seed", options.seed);
  if (!options.device.empty()) add("device", options.device);
  if (options.threads >= 0) add("threads", std::to_string(options.threads));
  return settings;
}

/// The run to its end; what is wrong with the project is said with its places.
TrainResult runToItsEnd(Trainer& trainer, const OpenedProject& opened, const TrainRequest& request,
                        const std::vector<Setting>& settings) {
  try {
    return trainer.run();
  } catch (const Error& error) {
    if (error.code() == Code::Input || error.code() == Code::Device)
      refuseWithPlaces(opened, request.project, settings, request.resume);
    throw;
  }
}

/// True, and said, if a run that is to go on has done what is asked for; it stays as it is.
/// @throws Error(Code::Usage) if it has done more, or cannot go on with these settings
bool nothingIsLeft(const TrainRequest& request, Store& store) {
  const RunInfo run = store.runs().get(request.resume);
  changesOnResume(run, writeJson(settingsJson(request.project, engineCatalog())));
  const auto newest = store.checkpoints().newestWhole(run.id);
  if (!newest) return false;  // the trainer refuses it
  if (request.maxSteps > 0 && request.maxSteps < newest->step)
    throw Error(Code::Usage, fmt::format("run {} has done {} steps and cannot stop after {}",
                                         run.id, newest->step, request.maxSteps));
  const bool epochsDone =
      run.status == RunStatus::Finished && request.project.train->epochs == int64_t{run.epoch} + 1;
  if (!epochsDone && request.maxSteps != newest->step) return false;
  complain("run {} has done {} steps in {} epochs: nothing is left to do; {} asks for more\n",
           run.id, newest->step, run.epoch + 1, epochsDone ? "--epochs" : "--steps");
  return true;
}

Beginning beginningOf(const TrainRequest& request) {
  Beginning out;
  out.device = request.project.train->device;
  out.store = request.folder;
  out.resumed = request.resume != 0;
  return out;
}

int train(const TrainOptions& options) {
  const OpenedProject opened = openProject(options.project);
  const ProjectLock lock(opened.folder);
  TrainControl control;
  const StopOnSignal signals(control);  // before anything that is worth ending in order
  const std::shared_ptr<Store> store = Store::open(opened.folder);
  TrainRequest request;
  request.resume = options.resume.empty() ? 0 : runNumber(options.resume, opened.folder);
  const std::vector<Setting> settings = settingsOf(options);
  request.project =
      applySettings(request.resume ? projectOfRun(store->runs().get(request.resume), opened.project)
                                   : opened.project,
                    settings);
  request.folder = opened.folder;
  request.maxSteps = options.steps;
  if (request.resume != 0 && nothingIsLeft(request, *store)) return kOk;
  if (options.record) control.recordNextStep();
  JsonSink json(control);
  TextSink text(control, beginningOf(request), isatty(STDOUT_FILENO) != 0);
  Trainer trainer(request, store, control, options.json ? static_cast<TrainSink&>(json) : text);
  const TrainResult result = runToItsEnd(trainer, opened, request, settings);
  if (!options.json)
    say("run {} {} at step {}\n", result.run, runStatusName(result.status), result.step);
  return control.stopRequested() ? kStopped : kOk;
}

}  // namespace

void addTrain(CLI::App& app, int& exitCode) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* command =
      app.add_subcommand("train", "Trains a project and keeps the run in its store");
  command->add_option("project", options->project, "Project folder or file")->required();
  command->add_option("--epochs", options->epochs, "Epochs instead of the project's")
      ->check(wholeNumber(1));
  command->add_option("--steps", options->steps, "Stop after so many steps in all")
      ->check(wholeNumber(1));
  command->add_option("--seed", options->seed, "Seed instead of the project's")
      ->check(wholeNumber(0));
  command->add_option("--device", options->device, "cpu, cuda or cuda:N");
  command->add_option("--threads", options->threads, "CPU threads, 0: one per core")
      ->check(wholeNumber(0, kMostThreads));
  command->add_option("--resume", options->resume,
                      "Go on with this run (number or 'last') from its newest checkpoint");
  command->add_option("--set", options->settings,
                      "Change a setting: path=value, e.g. train.optimizer.lr=0.001");
  command->add_flag("--record", options->record, "Record graph and memory of the first step");
  command->add_flag("--json", options->json, "One line of JSON per logged step and epoch");
  command->callback([options, &exitCode] { exitCode = train(*options); });
}

}  // namespace tenon::cli
