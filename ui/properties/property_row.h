// SPDX-License-Identifier: GPL-3.0-or-later
// One row of a PropertyForm. Inside this room only.
#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "engine/schema/param_schema.h"
#include "ui/properties/param_editor.h"

class QGridLayout;
class QLabel;
class QToolButton;

namespace tenon::ui {

class ElidedLabel;
class ChangedDot;

/// Label, dot, editor, reset arrow and a line for errors, placed in a grid of four columns.
class PropertyRow final : public QObject {
  Q_OBJECT
 public:
  PropertyRow(const ParamSpec& spec, const EditorServices& services, QGridLayout* grid,
              QWidget* parent);

  [[nodiscard]] const ParamSpec& spec() const { return editor_->spec(); }
  [[nodiscard]] QString name() const { return QString::fromStdString(spec().name); }
  [[nodiscard]] ParamEditor* editor() const { return editor_; }
  void setValue(const std::optional<ParamValue>& value);
  /// Error of the owner; empty clears it.
  void setError(const QString& text);
  void setReadOnly(bool readOnly);
  [[nodiscard]] bool isDefault() const;
  [[nodiscard]] bool hasError() const;

 Q_SIGNALS:
  void changed(const std::optional<tenon::ParamValue>& value);

 private:
  void describe();
  void showState();

  ElidedLabel* label_;
  ChangedDot* dot_;
  ParamEditor* editor_;
  QToolButton* reset_;
  QLabel* error_;
  QString ownerError_;
  QString editorError_;
  bool readOnly_ = false;
};

}  // namespace tenon::ui
