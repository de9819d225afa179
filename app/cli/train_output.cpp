// SPDX-License-Identifier: Apache-2.0
// Lines of a training on the standard output.
#include "app/cli/train_output.h"

#include <fmt/format.h>

#include <cmath>

#include "app/cli/output.h"
#include "engine/schema/json.h"

namespace tenon::cli {
namespace {

constexpr std::chrono::seconds kBetweenLines{10};

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

void printJson(const Json& json, TrainControl& control) {
  if (!say("{}\n", writeJson(json, JsonStyle::OneLine))) control.stop();
}

void complainOf(const StoreTrouble& trouble, const char* before) {
  if (trouble.message.empty()) {
    complain("the store can be written again; going on\n");
  } else {
    complain("{}paused: {}\n{}\n", before, trouble.message,
             trouble.nothingIsLost()
                 ? "Nothing is lost; training goes on when it can be written again."
                 : "Training goes on when it can be written again.");
  }
}

std::string where(const TrainProgress& p) {
  return fmt::format("epoch {}/{}  step {}/{}  loss {:.4g}  lr {:.3g}  {:.0f} samples/s",
                     p.epoch + 1, p.epochs, p.step, p.totalSteps, p.loss, p.learningRate,
                     std::isfinite(p.samplesPerSecond) ? p.samplesPerSecond : 0.0);
}

}  // namespace

void JsonSink::onLogged(const LoggedStep& step) {
  Json json = Json::object();
  json.set("event", "step");
  json.set("run", step.run);
  json.set("step", step.step);
  json.set("epoch", step.epoch);
  json.set("loss", number(step.loss));
  json.set("lr", number(step.learningRate));
  json.set("samples_per_second", number(step.samplesPerSecond));
  printJson(json, control_);
}

void JsonSink::onEpoch(const EpochSummary& epoch) {
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
  printJson(json, control_);
}

void JsonSink::onTrouble(const StoreTrouble& trouble) { complainOf(trouble, ""); }

void TextSink::print(const std::string& text) {
  if (!sayText(text)) control_.stop();
}

std::string TextSink::firstLine(const TrainProgress& p) const {
  const std::string at = beginning_.resumed ? fmt::format(" goes on at step {}", p.step) : "";
  return fmt::format("run {}{} on {}: {} samples, {} steps an epoch, {} epochs; stored in {}\n",
                     p.run, at, beginning_.device, p.samples,
                     p.totalSteps / std::max<int64_t>(p.epochs, 1), p.epochs, beginning_.store);
}

void TextSink::onProgress(const TrainProgress& p) {
  if (p.totalSteps == 0 || p.state != TrainState::Running) return;
  if (!begun_) {
    begun_ = true;
    print(firstLine(p));
    printed_ = Clock::now();
    return;
  }
  if (terminal_) return print("\r\033[K" + where(p));
  if (Clock::now() - printed_ < kBetweenLines) return;
  printed_ = Clock::now();
  print(where(p) + "\n");
}

void TextSink::onEpoch(const EpochSummary& e) {
  std::string line = fmt::format("epoch {}: train loss {:.4g}", e.epoch + 1, e.trainLoss);
  if (std::isfinite(e.validationLoss))
    line += fmt::format(", validation loss {:.4g}", e.validationLoss);
  for (const auto& [name, value] : e.metrics) line += fmt::format(", {} {:.2f}", name, value);
  print(fmt::format("{}{} ({:.1f} s){}\n", terminal_ ? "\r\033[K" : "", line, e.seconds,
                    e.best ? "  best" : ""));
}

void TextSink::onTrouble(const StoreTrouble& trouble) {
  complainOf(trouble, terminal_ ? "\n" : "");
}

}  // namespace tenon::cli
