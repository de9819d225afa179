// SPDX-License-Identifier: GPL-3.0-or-later
// Ties the x-axes and the hover line of several plots together.
#pragma once

#include <QList>
#include <QObject>

namespace tenon::ui {

class LinePlot;

/// Plots that show the same stretch of the same x-axis. Plots whose axis counts something else are
/// left alone until it is the same again. A plot leaves by itself when it is destroyed.
class LinkGroup : public QObject {
  Q_OBJECT

 public:
  explicit LinkGroup(QObject* parent = nullptr);
  ~LinkGroup() override;

  void add(LinePlot* plot);
  void remove(LinePlot* plot);
  const QList<LinePlot*>& plots() const { return plots_; }

 private:
  friend class LinePlot;
  QList<LinePlot*> plots_;
};

}  // namespace tenon::ui
