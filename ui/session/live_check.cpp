// SPDX-License-Identifier: GPL-3.0-or-later
// Checks off the GUI thread, one at a time; what changes meanwhile is checked right after.
#include "ui/session/live_check.h"

#include <algorithm>
#include <utility>

#include "engine/train/run_setup.h"
#include "ui/session/background.h"

namespace tenon::ui {
namespace {

std::shared_ptr<const CheckResult> check(const ProjectSpec& spec, const std::string& folder,
                                         std::shared_ptr<const DataPipeline> data) {
  auto result = std::make_shared<CheckResult>();
  result->spec = spec;
  result->data =
      data ? std::move(data) : std::make_shared<const DataPipeline>(openData(*spec.data, folder));
  result->issues = checkProject(spec, *result->data);
  result->graph = std::make_shared<const CheckedGraph>(checkGraphOf(spec, *result->data));
  return result;
}

std::shared_ptr<const CheckResult> emptyResult() {
  auto result = std::make_shared<CheckResult>();
  result->graph = std::make_shared<const CheckedGraph>();
  result->data = std::make_shared<const DataPipeline>();
  return result;
}

/// Layout and name do not matter to a check.
bool sameForCheck(const ProjectSpec& a, const ProjectSpec& b) {
  return !(changedParts(a, b) & (SpecParts(SpecPart::Data) | SpecPart::Graph | SpecPart::Train));
}

}  // namespace

LiveCheck::LiveCheck(Document& document, Background& background, QObject* parent)
    : QObject(parent), document_(document), background_(background), result_(emptyResult()) {
  rest_.setSingleShot(true);
  rest_.setInterval(150);
  connect(&rest_, &QTimer::timeout, this, &LiveCheck::start);
  connect(&document_, &Document::specChanged, this, [this](SpecParts parts) {
    if (parts & (SpecParts(SpecPart::Data) | SpecPart::Graph | SpecPart::Train)) rest_.start();
  });
  connect(&document_, &Document::opened, this, [this] { restart(); });
  connect(&document_, &Document::closed, this, [this] { restart(); });
}

bool LiveCheck::isCurrent() const {
  return document_.isOpen() && checkedFolder_ == document_.folder() &&
         sameForCheck(result_->spec, document_.spec());
}

int LiveCheck::errorCount() const {
  return static_cast<int>(
      std::count_if(result_->issues.begin(), result_->issues.end(),
                    [](const Issue& issue) { return issue.severity == Severity::Error; }));
}

int LiveCheck::warningCount() const {
  return static_cast<int>(
      std::count_if(result_->issues.begin(), result_->issues.end(),
                    [](const Issue& issue) { return issue.severity == Severity::Warning; }));
}

void LiveCheck::checkNow() {
  reopenData_ = true;
  rest_.stop();
  start();
}

void LiveCheck::restart() {
  ++generation_;
  result_ = emptyResult();
  checkedFolder_.clear();
  reopenData_ = true;
  rest_.stop();
  Q_EMIT changed();
  if (document_.isOpen()) start();
}

void LiveCheck::start() {
  if (!document_.isOpen()) return;
  if (running_) {
    again_ = true;
    return;
  }
  std::shared_ptr<const DataPipeline> data;
  const auto& before = result_->spec.data;
  if (!std::exchange(reopenData_, false) && checkedFolder_ == document_.folder() &&
      (before == document_.spec().data || *before == *document_.spec().data))
    data = result_->data;
  running_ = true;
  again_ = false;
  Q_EMIT checkingChanged(true);
  background_.run(
      this,
      [spec = document_.spec(), folder = document_.folder(), data = std::move(data)]() mutable {
        return check(spec, folder.toStdString(), std::move(data));
      },
      [this, generation = generation_,
       folder = document_.folder()](std::shared_ptr<const CheckResult> result) {
        finish(generation, folder, std::move(result));
      },
      [this, generation = generation_, folder = document_.folder(),
       spec = document_.spec()](const QString& reason) {
        auto failed = std::make_shared<CheckResult>(*emptyResult());
        failed->spec = spec;
        failed->issues.push_back(
            {Severity::Error, "check.failed", TENON_TEXT("{0}"), {reason.toStdString()}, {}});
        finish(generation, folder, std::move(failed));
      });
}

void LiveCheck::finish(quint64 generation, const QString& folder,
                       std::shared_ptr<const CheckResult> result) {
  running_ = false;
  if (generation == generation_) {
    result_ = std::move(result);
    checkedFolder_ = folder;
    Q_EMIT changed();
  }
  if (again_ || generation != generation_) {
    start();
  } else {
    Q_EMIT checkingChanged(false);
  }
}

}  // namespace tenon::ui
