// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of one layer: its id, its parameters, what it makes of its inputs.
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace tenon {
struct LayerDef;
}

namespace tenon::ui {

struct PanelContext;
class InlineMessage;
class PropertyForm;
class Section;

class LayerForm final : public QWidget {
  Q_OBJECT
 public:
  explicit LayerForm(PanelContext& context, QWidget* parent = nullptr);

  /// Shows a layer of the document; false, and nothing changes, if it has none of that id.
  bool showNode(const QString& id);
  /// Shapes, costs and errors of the newest check.
  void showChecked();
  bool focusField(const QString& name);

 private:
  void build();
  void rename();
  void showHelp(const LayerDef* def);

  PanelContext& context_;
  QLineEdit* name_;
  QLabel* kind_;
  InlineMessage* problems_;
  InlineMessage* warnings_;
  PropertyForm* form_;
  QLabel* inputs_;
  QLabel* outputs_;
  QLabel* costs_;
  Section* about_;
  QLabel* help_;
  QString node_;
  const LayerDef* def_ = nullptr;
};

}  // namespace tenon::ui
