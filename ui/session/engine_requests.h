// SPDX-License-Identifier: GPL-3.0-or-later
// The second road: what a person asks of data and engine memory. The newest question of a slot
// wins, late answers are dropped.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "engine/train/train_control.h"
#include "ui/session/background.h"

namespace tenon::ui {

class RunController;

/// Serves the slots: between steps of a live run, or on an idle pool.
class EngineRequests final : public QObject {
  Q_OBJECT
 public:
  explicit EngineRequests(RunController& run, QObject* parent = nullptr);
  ~EngineRequests() override;

 private:
  friend class RequestSlot;
  RunController& run_;
  Background pool_;
};

/**
 * The place of one asker: a thumbnail loader, "first batch", "weights of this layer". A new
 * question stops the one before and voids its answer. Answers are immutable values; keep them
 * below 64 MiB. Destroying the slot voids everything.
 *
 *     slot_->ask([data](std::stop_token stop) { return firstBatch(*data, stop); },
 *                [this](FirstBatch batch) { show(std::move(batch)); });
 */
class RequestSlot final : public QObject {
  Q_OBJECT
 public:
  explicit RequestSlot(EngineRequests& requests, QObject* parent = nullptr);
  ~RequestSlot() override;

  /// True from ask() until the answer, a failure or cancel().
  [[nodiscard]] bool isBusy() const { return busy_; }
  void cancel();

  /// `work(std::stop_token)` runs on an idle thread and touches only immutable or thread-safe
  /// things (data sets, checked graphs, the store). `then(result)` runs on the GUI thread.
  template <class Work, class Then>
  void ask(Work work, Then then) {
    const Ticket ticket = newTicket();
    requests_.pool_.run(
        this, [work = std::move(work), stop = ticket.stop]() mutable { return work(stop); },
        [this, ticket, then = std::move(then)](auto result) mutable {
          if (accept(ticket)) then(std::move(result));
        },
        [this, ticket](const QString& text) {
          if (accept(ticket)) Q_EMIT failed(text);
        });
  }

  /// `work(const RunView&)` runs on the run's thread between two steps, also while paused; be
  /// quick. Without a live run failed() comes at once.
  template <class Work, class Then>
  void askRun(Work work, Then then) {
    using Result = std::invoke_result_t<Work&, const RunView&>;
    const Ticket ticket = newTicket();
    postToRun(
        ticket,
        [work = std::move(work)](const RunView& view) mutable -> std::shared_ptr<void> {
          return std::make_shared<Result>(work(view));
        },
        [then = std::move(then)](const std::shared_ptr<void>& result) mutable {
          then(std::move(*std::static_pointer_cast<Result>(result)));
        });
  }

 Q_SIGNALS:
  void failed(const QString& text);
  void busyChanged(bool busy);

 private:
  struct Ticket {
    quint64 generation = 0;
    std::stop_token stop;
  };
  Ticket newTicket();
  bool accept(const Ticket& ticket);
  void postToRun(const Ticket& ticket, std::function<std::shared_ptr<void>(const RunView&)> work,
                 std::function<void(const std::shared_ptr<void>&)> then);
  void setBusy(bool busy);

  EngineRequests& requests_;
  std::stop_source stop_;
  quint64 generation_ = 0;
  bool busy_ = false;
};

}  // namespace tenon::ui
