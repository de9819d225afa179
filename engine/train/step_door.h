// SPDX-License-Identifier: Apache-2.0
// StepDoor: the place between two steps where requests are served, pauses are waited out and
// trouble is waited for.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/store/store.h"
#include "engine/train/train_control.h"

namespace tenon {

/// What was asked for and not yet served. Guarded by TrainControl::Impl::mutex.
struct DoorState {
  bool paused = false;
  int singleSteps = 0;
  bool record = false;
  bool checkpoint = false;
  bool retryStore = false;
  std::optional<double> peakLearningRate;
  std::vector<std::function<void(const RunView&)>> requests;
};

struct TrainControl::Impl {
  std::mutex mutex;
  std::condition_variable changed;
  std::stop_source stop;
  DoorState state;
  int trouble = 0;  ///< writers of the store that cannot write now

  void wake() {
    const std::lock_guard lock(mutex);  // a waiter is either before its check or already waiting
    changed.notify_all();
  }
  template <class F>
  void change(F&& f) {
    const std::lock_guard lock(mutex);
    f(state);
    changed.notify_all();
  }
};

/// What came through the door for the next step.
struct StepOrders {
  bool stop = false;
  bool record = false;
  bool checkpoint = false;
  std::optional<double> peakLearningRate;
};

/// @thread the run's thread, but for troubleBegan and troubleEnded
class StepDoor {
 public:
  /// Told when waiting begins and ends, with the reason.
  enum class Waiting { No, Paused, Trouble };
  using WaitingChanged = std::function<void(Waiting)>;

  StepDoor(TrainControl& control, WaitingChanged waitingChanged);

  /// Serves posted requests and waits while paused or in trouble. `retry` runs when a retry of the
  /// store was asked for.
  StepOrders pass(const RunView& view, const std::function<void()>& retry);
  /// Waits as long as the store cannot be written. False if a stop was requested meanwhile.
  bool waitOutTrouble(const std::function<void()>& retry);
  void troubleBegan();
  void troubleEnded();
  bool stopRequested() const;

 private:
  void serveRequests(std::unique_lock<std::mutex>& lock, const RunView& view);
  Waiting reasonToWait() const;

  TrainControl::Impl& impl_;
  WaitingChanged waitingChanged_;
};

}  // namespace tenon
