// SPDX-License-Identifier: GPL-3.0-or-later
// LiveCheck: what is wrong with the project as it stands, and its checked graph and opened data,
// kept up to date off the GUI thread.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <stop_token>

#include "engine/base/error.h"
#include "engine/data/pipeline.h"
#include "engine/graph/check.h"
#include "engine/project/specs.h"
#include "ui/session/device_list.h"
#include "ui/session/document.h"

namespace tenon::ui {

/// The outcome of one check. Immutable, safe on any thread.
struct CheckResult {
  ProjectSpec spec;  ///< what was checked
  Issues issues;     ///< everything, errors and warnings
  std::shared_ptr<const CheckedGraph> graph;
  std::shared_ptr<const DataPipeline> data;
  QList<DeviceEntry> devices;  ///< what could train it here
  [[nodiscard]] bool ok() const { return !hasErrors(issues); }
};

/**
 * Checks the document 150 ms after its last change. A graph edit does not open the data again; data
 * that is no longer wanted (another project, another file) is not opened to the end.
 * result() may be older than the document; isCurrent() tells.
 */
class LiveCheck final : public QObject {
  Q_OBJECT
 public:
  LiveCheck(Document& document, Background& background, QObject* parent = nullptr);
  /// A check that is under way ends soon.
  ~LiveCheck() override;

  /// The newest result; never null (empty before the first check).
  [[nodiscard]] const std::shared_ptr<const CheckResult>& result() const { return result_; }
  /// True if result() is of the document as it stands.
  [[nodiscard]] bool isCurrent() const;
  [[nodiscard]] bool isChecking() const { return running_; }
  [[nodiscard]] int errorCount() const;
  [[nodiscard]] int warningCount() const;
  /// Checks at once, opening the data anew (a file may have come back).
  void checkNow();

 Q_SIGNALS:
  /// A newer result().
  void changed();
  void checkingChanged(bool checking);

 private:
  void start();
  void restart();
  struct Order;
  void run(Order order);
  void finish(const Order& order, std::shared_ptr<const CheckResult> result);

  Document& document_;
  Background& background_;
  QTimer rest_;
  std::shared_ptr<const CheckResult> result_;
  QString checkedFolder_;
  bool running_ = false;
  bool again_ = false;
  bool reopenData_ = true;
  quint64 generation_ = 0;
  std::shared_ptr<const DataSpec> opening_;  ///< of the check that runs
  std::stop_source stop_;                    ///< of the check that runs
};

}  // namespace tenon::ui
