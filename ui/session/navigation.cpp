// SPDX-License-Identifier: GPL-3.0-or-later
// Places and the way back.
#include "ui/session/navigation.h"

namespace tenon::ui {

namespace {
constexpr qsizetype kMostPlaces = 100;
}

Destination destinationOf(const Issue& issue) {
  Destination to;
  to.node = QString::fromStdString(issue.place.node);
  to.field = QString::fromStdString(issue.place.field);
  if (!to.node.isEmpty() || to.field.startsWith(QLatin1String("graph"))) {
    to.mode = Mode::Model;
    const QString prefix = QStringLiteral("graph.nodes.%1.").arg(to.node);
    if (to.field.startsWith(prefix)) to.field = to.field.mid(prefix.size());
    if (!to.node.isEmpty() && !to.field.isEmpty()) to.panel = QStringLiteral("properties");
  } else if (to.field.startsWith(QLatin1String("data")) || issue.place.row >= 0) {
    to.mode = Mode::Data;
    if (to.field.startsWith(QLatin1String("data"))) to.panel = QStringLiteral("data_source");
  } else if (to.field.startsWith(QLatin1String("train"))) {
    to.mode = Mode::Train;
    to.panel = QStringLiteral("training");
  } else {
    to.mode = Mode::Model;
  }
  return to;
}

Destination destinationOf(const QString& field) {
  Issue issue;
  issue.place.field = field.toStdString();
  return destinationOf(issue);
}

Navigation::Navigation(Selection& selection, QObject* parent)
    : QObject(parent), selection_(selection) {}

void Navigation::go(const Destination& destination) {
  const Destination& here = current();
  // The same mode without anything else wanted is no new place, but focus may have to move.
  if (destination == here) {
    arrive();
    return;
  }
  places_.resize(at_ + 1);
  places_.append(destination);
  if (places_.size() > kMostPlaces) places_.removeFirst();
  at_ = places_.size() - 1;
  arrive();
  Q_EMIT historyChanged();
}

void Navigation::go(Mode mode) {
  Destination to;
  to.mode = mode;
  go(to);
}

void Navigation::back() {
  if (!canGoBack()) return;
  --at_;
  arrive();
  Q_EMIT historyChanged();
}

void Navigation::forward() {
  if (!canGoForward()) return;
  ++at_;
  arrive();
  Q_EMIT historyChanged();
}

void Navigation::clear(Mode mode) {
  Destination start;
  start.mode = mode;
  places_ = {start};
  at_ = 0;
  arrive();
  Q_EMIT historyChanged();
}

void Navigation::arrive() {
  const Destination to = current();
  if (!to.node.isEmpty()) selection_.setNodes({to.node});
  if (to.run > 0) selection_.setRuns({to.run});
  if (to.recording.isValid()) selection_.setRecording(to.recording);
  Q_EMIT arrived(to);
  Q_EMIT focusWanted(to);
}

}  // namespace tenon::ui
