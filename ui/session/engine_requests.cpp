// SPDX-License-Identifier: GPL-3.0-or-later
// Questions with a generation; the newest of a slot wins.
#include "ui/session/engine_requests.h"

#include <QPointer>

#include "ui/session/run_controller.h"

namespace tenon::ui {

EngineRequests::EngineRequests(RunController& run, QObject* parent)
    : QObject(parent), run_(run), pool_(2, "tenon-look") {}

EngineRequests::~EngineRequests() = default;

RequestSlot::RequestSlot(EngineRequests& requests, QObject* parent)
    : QObject(parent), requests_(requests) {}

RequestSlot::~RequestSlot() { stop_.request_stop(); }

void RequestSlot::cancel() {
  stop_.request_stop();
  ++generation_;
  setBusy(false);
}

RequestSlot::Ticket RequestSlot::newTicket() {
  stop_.request_stop();
  stop_ = std::stop_source();
  ++generation_;
  setBusy(true);
  return {generation_, stop_.get_token()};
}

bool RequestSlot::accept(const Ticket& ticket) {
  if (ticket.generation != generation_) return false;
  setBusy(false);
  return true;
}

void RequestSlot::postToRun(const Ticket& ticket,
                            std::function<std::shared_ptr<void>(const RunView&)> work,
                            std::function<void(const std::shared_ptr<void>&)> then) {
  // The run's thread must not touch this object: it only carries the guarded pointer along.
  auto answer = [slot = QPointer<RequestSlot>(this), ticket, then = std::move(then)](
                    const std::shared_ptr<void>& result, const QString& failure) {
    if (!slot || !slot->accept(ticket)) return;
    if (result) {
      then(result);
    } else {
      Q_EMIT slot->failed(failure);
    }
  };
  QObject* mailbox = &requests_;
  const bool posted =
      requests_.run_.post([work = std::move(work), answer, ticket, mailbox](const RunView& view) {
        if (ticket.stop.stop_requested()) return;
        std::shared_ptr<void> result;
        QString failure;
        try {
          result = work(view);
        } catch (...) {
          failure = currentExceptionText();
        }
        QMetaObject::invokeMethod(
            mailbox, [answer, result, failure] { answer(result, failure); }, Qt::QueuedConnection);
      });
  if (!posted && accept(ticket)) Q_EMIT failed(tr("No training is running."));
}

void RequestSlot::setBusy(bool busy) {
  if (std::exchange(busy_, busy) != busy) Q_EMIT busyChanged(busy);
}

}  // namespace tenon::ui
