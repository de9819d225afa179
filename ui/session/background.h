// SPDX-License-Identifier: GPL-3.0-or-later
// Background: work on other threads whose answer comes back to the GUI thread, if who asked still
// lives.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>
#include <memory>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "engine/base/thread_pool.h"

namespace tenon::ui {

/// What a failed piece of work says to a person; never throws.
[[nodiscard]] QString currentExceptionText() noexcept;

/**
 * A few threads for reading and preparing. Owned by the GUI thread; destroying it drops what waits
 * and joins what runs (long work looks at its stop token).
 */
class Background final {
 public:
  Background(size_t threads, const char* name) : pool_(threads, name) {}

  /// Runs `work()` or `work(std::stop_token)` on one of the threads, then `then(result)` on the GUI
  /// thread; or `failed(QString)` if it threw. Neither is called once `receiver` is gone.
  template <class Work, class Then, class Failed>
  void run(QObject* receiver, Work work, Then then, Failed failed) {
    auto alive = QPointer<QObject>(receiver);
    pool_.submit([this, alive, work = std::move(work), then = std::move(then),
                  failed = std::move(failed)](std::stop_token stop) mutable {
      try {
        auto result = call(work, stop);
        deliver([alive, then = std::move(then),
                 result = std::make_shared<decltype(result)>(std::move(result))]() mutable {
          if (alive) then(std::move(*result));
        });
      } catch (...) {
        deliver([alive, failed = std::move(failed), text = currentExceptionText()]() mutable {
          if (alive) failed(text);
        });
      }
    });
  }

  /// Stops and joins; later work is refused. For an orderly end.
  void stop() { pool_.stop(); }

 private:
  template <class Work>
  static auto call(Work& work, const std::stop_token& stop) {
    if constexpr (std::is_invocable_v<Work&, std::stop_token>) {
      return work(stop);
    } else {
      return work();
    }
  }
  void deliver(std::function<void()> task);

  QObject mailbox_;  // lives on the GUI thread; before pool_, so that late answers find it
  ThreadPool pool_;
};

}  // namespace tenon::ui
