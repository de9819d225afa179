// SPDX-License-Identifier: GPL-3.0-or-later
// How many samples the project has, and how many of each class.
#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>
#include <cstdint>
#include <vector>

#include "engine/data/dataset.h"
#include "ui/plot/bar_chart.h"

class QComboBox;
class QStackedLayout;

namespace tenon::ui {

struct PanelContext;
class EmptyState;
class RequestSlot;
class StatTile;

/// A bar for each class, named where a name is known.
[[nodiscard]] QList<BarRow> classRows(const std::vector<int64_t>& counts,
                                      const QStringList& classes);

/// Counts off the GUI thread, once for each data set.
class ClassCountsView final : public QWidget {
  Q_OBJECT
 public:
  explicit ClassCountsView(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void build();
  void refresh();
  void count(const DatasetPtr& dataset, const QStringList& classes);
  void takeTheme();
  void showEmpty();

  PanelContext& context_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  StatTile* training_;
  StatTile* validation_;
  QComboBox* part_;
  BarChart* chart_;
  RequestSlot* counter_;
  DatasetPtr counted_;  ///< what the chart shows, or will
};

}  // namespace tenon::ui
