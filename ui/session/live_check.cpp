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
                                         std::shared_ptr<const DataPipeline> data,
                                         const std::stop_token& stop) {
  auto result = std::make_shared<CheckResult>();
  result->spec = spec;
  result->data = data ? std::move(data)
                      : std::make_shared<const DataPipeline>(openData(*spec.data, folder, stop));
  result->issues = checkProject(spec, *result->data);
  result->graph = std::make_shared<const CheckedGraph>(checkGraphOf(spec, *result->data));
  result->devices = deviceList();
  return result;
}

std::shared_ptr<const CheckResult> emptyResult() {
  auto result = std::make_shared<CheckResult>();
  result->graph = std::make_shared<const CheckedGraph>();
  result->data = std::make_shared<const DataPipeline>();
  return result;
}

bool sameData(const std::shared_ptr<const DataSpec>& a, const std::shared_ptr<const DataSpec>& b) {
  return a == b || (a && b && *a == *b);
}

/// Layout and name do not matter to a check.
bool sameForCheck(const ProjectSpec& a, const ProjectSpec& b) {
  return !(changedParts(a, b) & (SpecParts(SpecPart::Data) | SpecPart::Graph | SpecPart::Train));
}

}  // namespace

/// A check as it was begun.
struct LiveCheck::Order {
  ProjectSpec spec;
  QString folder;
  std::shared_ptr<const DataPipeline> data;  ///< null: to be opened
  quint64 generation = 0;
  std::stop_token stop;
};

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

LiveCheck::~LiveCheck() { stop_.request_stop(); }

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
  stop_.request_stop();
  result_ = emptyResult();
  checkedFolder_.clear();
  reopenData_ = true;
  rest_.stop();
  Q_EMIT changed();
  if (document_.isOpen()) start();
}

void LiveCheck::start() {
  if (!document_.isOpen()) return;
  const std::shared_ptr<const DataSpec>& wanted = document_.spec().data;
  if (running_) {
    again_ = true;
    if (reopenData_ || !sameData(opening_, wanted)) stop_.request_stop();
    return;
  }
  Order order{document_.spec(), document_.folder(), nullptr, generation_, {}};
  if (!std::exchange(reopenData_, false) && checkedFolder_ == order.folder &&
      sameData(result_->spec.data, wanted))
    order.data = result_->data;
  run(std::move(order));
}

void LiveCheck::run(Order order) {
  stop_ = std::stop_source();
  order.stop = stop_.get_token();
  opening_ = order.spec.data;
  running_ = true;
  again_ = false;
  Q_EMIT checkingChanged(true);
  background_.run(
      this,
      [order] { return check(order.spec, order.folder.toStdString(), order.data, order.stop); },
      [this, order](std::shared_ptr<const CheckResult> result) {
        finish(order, std::move(result));
      },
      [this, order](const QString& reason) {
        auto failed = std::make_shared<CheckResult>(*emptyResult());
        failed->spec = order.spec;
        failed->issues.push_back(
            {Severity::Error, "check.failed", TENON_TEXT("{0}"), {reason.toStdString()}, {}});
        finish(order, std::move(failed));
      });
}

void LiveCheck::finish(const Order& order, std::shared_ptr<const CheckResult> result) {
  running_ = false;
  const bool wanted = order.generation == generation_ && !order.stop.stop_requested();
  if (wanted) {
    result_ = std::move(result);
    checkedFolder_ = order.folder;
    Q_EMIT changed();
  } else if (!order.data) {
    reopenData_ = true;  // what it was to open again has not been
  }
  if (document_.isOpen() && (again_ || !wanted)) {
    start();
  } else {
    Q_EMIT checkingChanged(false);
  }
}

}  // namespace tenon::ui
