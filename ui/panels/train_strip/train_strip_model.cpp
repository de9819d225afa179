// SPDX-License-Identifier: GPL-3.0-or-later
// States and numbers of a run as texts.
#include "ui/panels/train_strip/train_strip_model.h"

#include <QCoreApplication>
#include <algorithm>
#include <cerrno>
#include <cmath>

#include "engine/schema/json.h"
#include "ui/session/runs_model.h"
#include "ui/widgets/format.h"

namespace tenon::ui {
namespace {

struct StripText {
  Q_DECLARE_TR_FUNCTIONS(tenon::ui::StripText)
};

const QString& unknown() {
  static const QString dash(QChar(0x2013));
  return dash;
}

/// `epoch` from 1; `epochs` 0: how many there are to be is not known.
QString epochText(qint64 epoch, qint64 epochs) {
  if (epochs <= 0) return epoch < 1 ? unknown() : QString::number(epoch);
  return QStringLiteral("%1 / %2").arg(std::clamp<qint64>(epoch, 0, epochs)).arg(epochs);
}

StateText text(const QString& words, const char* icon, Tint tint) {
  return {words, QLatin1String(icon), tint};
}

}  // namespace

StateText stateText(RunState state) {
  switch (state) {
    case RunState::Idle:
      return text(StripText::tr("Idle"), "clock", Tint::Secondary);
    case RunState::Starting:
      return text(StripText::tr("Starting"), "clock", Tint::Secondary);
    case RunState::Preparing:
      return text(StripText::tr("Preparing"), "clock", Tint::Secondary);
    case RunState::Running:
      return text(StripText::tr("Training"), "run", Tint::Good);
    case RunState::Paused:
      return text(StripText::tr("Paused"), "pause", Tint::Warn);
    case RunState::Validating:
      return text(StripText::tr("Validating"), "check", Tint::Good);
    case RunState::Saving:
      return text(StripText::tr("Saving"), "save", Tint::Secondary);
    case RunState::Trouble:
      return text(StripText::tr("Cannot save"), "warning", Tint::Bad);
    case RunState::Stopping:
      return text(StripText::tr("Stopping"), "stop", Tint::Secondary);
  }
  return {};
}

StateText stateText(RunStatus status) {
  Tint tint = Tint::Secondary;
  if (status == RunStatus::Finished || status == RunStatus::Running) tint = Tint::Good;
  if (status == RunStatus::Failed) tint = Tint::Bad;
  if (status == RunStatus::Interrupted || status == RunStatus::Paused) tint = Tint::Warn;
  return {runStatusText(status), runStatusIcon(status), tint};
}

StateText unreadableState() { return text(StripText::tr("Cannot read"), "error", Tint::Bad); }

QStringList stateWords() {
  QStringList words{unreadableState().text, troubleOf({Code::Io, ENOSPC, "full"}, {}).word};
  for (const RunState state : {RunState::Idle, RunState::Starting, RunState::Preparing,
                               RunState::Running, RunState::Paused, RunState::Validating,
                               RunState::Saving, RunState::Trouble, RunState::Stopping})
    words.append(stateText(state).text);
  for (const RunStatus status : {RunStatus::Running, RunStatus::Paused, RunStatus::Finished,
                                 RunStatus::Stopped, RunStatus::Failed, RunStatus::Interrupted})
    words.append(stateText(status).text);
  return words;
}

StripValues liveValues(RunState state, const TrainProgress& progress, const RunTrouble& trouble) {
  StripValues values;
  values.state = stateText(state);
  if (state == RunState::Trouble && !trouble.isEmpty()) values.state.text = trouble.word;
  const bool known = progress.totalSteps > 0;
  values.epoch = known ? epochText(epochOf(progress), progress.epochs) : unknown();
  values.step = known ? formatCount(progress.step) : unknown();
  values.done = known ? std::clamp(static_cast<double>(progress.step) /
                                       static_cast<double>(progress.totalSteps),
                                   0.0, 1.0)
                      : 0;
  values.busy = !known;
  const auto has = [known](double number) { return known && std::isfinite(number); };
  const double left = timeLeft(state, progress);
  values.eta = std::isfinite(left) ? formatDuration(left) : unknown();
  const bool measured = has(progress.samplesPerSecond) && progress.samplesPerSecond > 0;
  values.speed = measured ? formatCompact(progress.samplesPerSecond) : unknown();
  values.wait = measured && has(progress.dataWaitShare)
                    ? QString::number(progress.dataWaitShare * 100, 'f', 1)
                    : unknown();
  return values;
}

StripValues storedValues(const RunInfo* run, qint64 epochs) {
  StripValues values;
  values.epoch = values.step = values.eta = values.speed = values.wait = unknown();
  if (!run) {
    values.state = text(StripText::tr("No run yet"), "clock", Tint::Secondary);
    return values;
  }
  values.state = stateText(run->status);
  values.epoch = epochText(run->epoch + 1, epochs);
  if (run->step >= 0) values.step = formatCount(run->step);
  if (run->status == RunStatus::Finished) {
    values.done = 1;
  } else if (epochs > 0 && run->epoch >= 0) {
    values.done = std::clamp(static_cast<double>(run->epoch) / static_cast<double>(epochs), 0., 1.);
  }
  return values;
}

qint64 epochsWanted(const RunInfo& run) {
  const JsonResult settings = readJson(run.settings);
  const Json* train = settings.ok() ? settings.value.find("train") : nullptr;
  const Json* epochs = train ? train->find("epochs") : nullptr;
  return epochs && epochs->isInt() ? epochs->asInt() : 0;
}

}  // namespace tenon::ui
