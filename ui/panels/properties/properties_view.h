// SPDX-License-Identifier: GPL-3.0-or-later
// Properties of the selected layer.
#pragma once

#include <QWidget>

class QStackedLayout;

namespace tenon::ui {

struct Destination;
struct PanelContext;
class EmptyState;
class LayerForm;

class PropertiesView final : public QWidget {
  Q_OBJECT
 public:
  explicit PropertiesView(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void showNothing(const QString& title, const QString& text);
  void arrive(const Destination& destination);

  PanelContext& context_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  LayerForm* layer_;
};

}  // namespace tenon::ui
