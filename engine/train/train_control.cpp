// SPDX-License-Identifier: Apache-2.0
// The mailbox between those who ask and the run's thread.
#include "engine/train/train_control.h"

#include <utility>

#include "engine/train/step_door.h"

namespace tenon {

TrainControl::TrainControl() : impl_(std::make_unique<Impl>()) {}
TrainControl::~TrainControl() = default;

void TrainControl::stop() {
  impl_->stop.request_stop();
  impl_->wake();
}

void TrainControl::pause() {
  impl_->change([](DoorState& s) { s.paused = true; });
}

void TrainControl::resume() {
  impl_->change([](DoorState& s) { s.paused = false; });
}

void TrainControl::stepOnce() {
  impl_->change([](DoorState& s) { s.singleSteps += s.paused ? 1 : 0; });
}

void TrainControl::setPeakLearningRate(double rate) {
  impl_->change([rate](DoorState& s) { s.peakLearningRate = rate; });
}

void TrainControl::recordNextStep() {
  impl_->change([](DoorState& s) { s.record = true; });
}

bool TrainControl::withdrawRecording() {
  bool waited = false;
  impl_->change([&waited](DoorState& s) { waited = std::exchange(s.record, false); });
  return waited;
}

void TrainControl::checkpointNow() {
  impl_->change([](DoorState& s) { s.checkpoint = true; });
}

void TrainControl::post(std::function<void(const RunView&)> request) {
  impl_->change([&request](DoorState& s) { s.requests.push_back(std::move(request)); });
}

void TrainControl::retryStore() {
  impl_->change([](DoorState& s) { s.retryStore = true; });
}

bool TrainControl::stopRequested() const { return impl_->stop.stop_requested(); }

bool TrainControl::paused() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->state.paused;
}

std::stop_token TrainControl::stopToken() const { return impl_->stop.get_token(); }

}  // namespace tenon
