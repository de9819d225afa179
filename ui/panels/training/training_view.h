// SPDX-License-Identifier: GPL-3.0-or-later
// The training settings of the project that is open, in a form that scrolls.
#pragma once

#include <QWidget>

class QStackedLayout;

namespace tenon::ui {

struct Destination;
struct PanelContext;
class TrainForm;

class TrainingView final : public QWidget {
  Q_OBJECT
 public:
  explicit TrainingView(PanelContext& context, QWidget* parent = nullptr);

  [[nodiscard]] QSize sizeHint() const override { return {320, 480}; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void arrive(const Destination& destination);

  PanelContext& context_;
  QStackedLayout* stack_;
  TrainForm* form_;
};

}  // namespace tenon::ui
