// SPDX-License-Identifier: Apache-2.0
// Between steps: requests first, then wait as long as there is a reason to.
#include "engine/train/step_door.h"

#include <utility>

namespace tenon {

StepDoor::StepDoor(TrainControl& control, WaitingChanged waitingChanged)
    : impl_(*control.impl_), waitingChanged_(std::move(waitingChanged)) {}

bool StepDoor::stopRequested() const { return impl_.stop.stop_requested(); }

void StepDoor::troubleBegan() {
  const std::lock_guard lock(impl_.mutex);
  ++impl_.trouble;
  impl_.changed.notify_all();  // who waits while paused has another reason now
}

void StepDoor::troubleEnded() {
  const std::lock_guard lock(impl_.mutex);
  --impl_.trouble;
  impl_.changed.notify_all();
}

StepDoor::Waiting StepDoor::reasonToWait() const {
  if (impl_.stop.stop_requested()) return Waiting::No;
  if (impl_.trouble > 0) return Waiting::Trouble;
  return impl_.state.paused && impl_.state.singleSteps == 0 ? Waiting::Paused : Waiting::No;
}

void StepDoor::serveRequests(std::unique_lock<std::mutex>& lock, const RunView& view) {
  while (!impl_.state.requests.empty()) {
    auto requests = std::exchange(impl_.state.requests, {});
    lock.unlock();  // a request may ask for more
    for (const auto& request : requests) request(view);
    lock.lock();
  }
}

bool StepDoor::waitOutTrouble(const std::function<void()>& retry) {
  std::unique_lock lock(impl_.mutex);
  if (impl_.trouble == 0) return true;
  lock.unlock();
  waitingChanged_(Waiting::Trouble);
  lock.lock();
  while (impl_.trouble > 0 && !impl_.stop.stop_requested()) {
    if (std::exchange(impl_.state.retryStore, false)) {
      lock.unlock();
      retry();
      lock.lock();
      continue;
    }
    impl_.changed.wait(lock);
  }
  const bool over = impl_.trouble == 0;
  lock.unlock();
  waitingChanged_(Waiting::No);
  return over;
}

StepOrders StepDoor::pass(const RunView& view, const std::function<void()>& retry) {
  std::unique_lock lock(impl_.mutex);
  Waiting told = Waiting::No;
  while (true) {
    serveRequests(lock, view);
    if (std::exchange(impl_.state.retryStore, false)) {
      lock.unlock();
      retry();
      lock.lock();
    }
    const Waiting waiting = reasonToWait();
    if (waiting != told) {
      told = waiting;
      lock.unlock();
      waitingChanged_(waiting);
      lock.lock();
      continue;  // something may have been asked for meanwhile
    }
    if (waiting == Waiting::No) break;
    impl_.changed.wait(lock);
  }
  DoorState& state = impl_.state;
  if (state.singleSteps > 0) --state.singleSteps;
  return {impl_.stop.stop_requested(), std::exchange(state.record, false),
          std::exchange(state.checkpoint, false),
          std::exchange(state.peakLearningRate, std::nullopt)};
}

}  // namespace tenon
