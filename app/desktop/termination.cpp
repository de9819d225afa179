// SPDX-License-Identifier: GPL-3.0-or-later
// The handler writes a byte; the event loop reads it.
#include "app/desktop/termination.h"

#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <utility>

namespace tenon {
namespace {

int ends[2] = {-1, -1};  // written by the handler, read by the event loop

void onSignal(int) {
  const char byte = 1;
  const ssize_t written = write(ends[0], &byte, 1);
  (void)written;
}

}  // namespace

Termination::Termination(QObject* parent) : QObject(parent) {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) return;
  notifier_ = new QSocketNotifier(ends[1], QSocketNotifier::Read, this);
  connect(notifier_, &QSocketNotifier::activated, this, [this] {
    char byte = 0;
    while (read(ends[1], &byte, 1) > 0) {
    }
    Q_EMIT requested();
  });
  struct sigaction action = {};
  action.sa_handler = &onSignal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaction(number, &action, nullptr);
}

Termination::~Termination() {
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) std::signal(number, SIG_DFL);
  delete notifier_;
  for (int& end : ends)
    if (end >= 0) close(std::exchange(end, -1));
}

}  // namespace tenon
