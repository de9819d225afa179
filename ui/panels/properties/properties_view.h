// SPDX-License-Identifier: GPL-3.0-or-later
// Properties of what is selected: a layer, several, or (nothing selected) the training.
#pragma once

#include <QWidget>

class QStackedLayout;

namespace tenon::ui {

struct Destination;
struct PanelContext;
class EmptyState;
class LayerForm;
class TrainForm;

class PropertiesView final : public QWidget {
  Q_OBJECT
 public:
  explicit PropertiesView(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void arrive(const Destination& destination);

  PanelContext& context_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  LayerForm* layer_;
  TrainForm* train_;
};

}  // namespace tenon::ui
