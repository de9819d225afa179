// SPDX-License-Identifier: GPL-3.0-or-later
// PropertyForm: a form made from a schema, the same for layers, optimizers, readers and settings.
#pragma once

#include <QHash>
#include <QList>
#include <QString>
#include <QWidget>
#include <optional>

#include "engine/schema/param_schema.h"
#include "ui/properties/param_editor.h"

class QGridLayout;
class QVBoxLayout;

namespace tenon::ui {

class PropertyRow;
class Section;

/**
 * One row a parameter: label, a dot and a reset arrow when the value is not the default, the
 * editor, errors below. Groups have a heading; parameters for experts are in a section that is
 * folded at first (it opens by itself when one of them is not at its default or has an error).
 */
class PropertyForm final : public QWidget {
  Q_OBJECT
 public:
  explicit PropertyForm(QWidget* parent = nullptr);
  explicit PropertyForm(const ParamSchema& schema, QWidget* parent = nullptr);

  /// Builds the rows anew; all values are defaults then.
  void setSchema(const ParamSchema& schema);
  /// Shows these values, defaults for the rest. Says nothing.
  void setValues(const ParamMap& values);
  /// The value of a parameter as shown.
  [[nodiscard]] ParamValue value(const QString& name) const;
  /// Errors by parameter name, shown below the field; the others are cleared.
  void setErrors(const QHash<QString, QString>& errors);
  void setReadOnly(bool readOnly);
  /// Lets path editors ask for a file.
  void setPathPicker(PathPicker picker);
  /// Names choices; before setSchema().
  void setChoiceNames(ChoiceNames names);
  /// Makes a text one to choose. The first time it builds the rows anew.
  void setChoices(const QString& name, const QList<EditorChoice>& choices);
  /// Unfolds, scrolls to and focuses the editor of a parameter; false if there is none.
  bool focusField(const QString& name);
  /// The first parameter's.
  bool focusFirst();
  [[nodiscard]] bool isEmpty() const { return rows_.isEmpty(); }
  /// For tests and accessibility walks.
  [[nodiscard]] ParamEditor* editor(const QString& name) const;

 Q_SIGNALS:
  /// Once per edit. Nothing: back to the default, to be removed from the file.
  void changed(const QString& name, const std::optional<tenon::ParamValue>& value);

 private:
  void build();
  void addRow(QGridLayout* grid, const ParamSpec& spec);
  void addGroup(QGridLayout* grid, const QString& title);
  void openAdvancedIfNeeded();

  ParamSchema schema_;
  EditorServices services_;
  QVBoxLayout* layout_;
  QWidget* body_ = nullptr;
  Section* advanced_ = nullptr;
  QList<PropertyRow*> rows_;
  bool readOnly_ = false;
};

}  // namespace tenon::ui
