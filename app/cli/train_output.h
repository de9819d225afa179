// SPDX-License-Identifier: Apache-2.0
// What a training prints: lines of JSON, or text. It stops, with a checkpoint, once it cannot.
#pragma once

#include <chrono>
#include <string>

#include "engine/train/train_control.h"
#include "engine/train/train_sink.h"

namespace tenon::cli {

/// One line of JSON for each logged step and each epoch.
class JsonSink final : public TrainSink {
 public:
  explicit JsonSink(TrainControl& control) : control_(control) {}
  void onLogged(const LoggedStep& step) override;
  void onEpoch(const EpochSummary& epoch) override;
  void onTrouble(const StoreTrouble& trouble) override;

 private:
  TrainControl& control_;
};

/// What the first line tells.
struct Beginning {
  std::string device;
  std::string store;  ///< folder that the run is stored in
  bool resumed = false;
};

/// A line at the start and one an epoch. Between them a line that is drawn over (on a terminal), or
/// one every ten seconds.
class TextSink final : public TrainSink {
 public:
  TextSink(TrainControl& control, Beginning beginning, bool terminal)
      : control_(control), beginning_(std::move(beginning)), terminal_(terminal) {}
  void onProgress(const TrainProgress& progress) override;
  void onEpoch(const EpochSummary& epoch) override;
  void onTrouble(const StoreTrouble& trouble) override;

 private:
  void print(const std::string& text);
  std::string firstLine(const TrainProgress& progress) const;

  using Clock = std::chrono::steady_clock;
  TrainControl& control_;
  Beginning beginning_;
  bool terminal_;
  bool begun_ = false;
  Clock::time_point printed_{};
};

}  // namespace tenon::cli
