// SPDX-License-Identifier: GPL-3.0-or-later
// One quantity of the selected runs over each other.
#pragma once

#include <QList>
#include <QWidget>

#include "ui/panels/curves/curve_choice.h"
#include "ui/session/panel_def.h"

class QComboBox;
class QLabel;

namespace tenon::ui {

struct PanelContext;
class CurveView;

class OverlayView final : public QWidget, public PanelMemory {
  Q_OBJECT
 public:
  explicit OverlayView(PanelContext& context, QWidget* parent = nullptr);

  [[nodiscard]] QByteArray savePanel() const override;
  bool restorePanel(const QByteArray& state) override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* buildHeader();
  void takeSelection();
  void listMetrics();
  void offer(const QStringList& metrics);
  void choose(const QString& id);

  PanelContext& context_;
  CurveView* view_;
  QComboBox* metric_ = nullptr;
  QComboBox* axis_ = nullptr;
  QLabel* note_ = nullptr;
  QList<CurveChoice> choices_;
  QString chosen_ = QStringLiteral("loss");
};

}  // namespace tenon::ui
