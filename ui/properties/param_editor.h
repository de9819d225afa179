// SPDX-License-Identifier: GPL-3.0-or-later
// ParamEditor: the widget for one parameter, and the table from a parameter's type to its widget.
#pragma once

#include <QHash>
#include <QList>
#include <QString>
#include <QWidget>
#include <functional>

#include "engine/schema/param_schema.h"

namespace tenon {
struct ParamCheck;
}

namespace tenon::ui {

/// Asks for a file or folder: begins at the first argument, gives the answer to the second (which
/// is not called when cancelled).
using PathPicker = std::function<void(const QString&, std::function<void(const QString&)>)>;

/// What a choice of a parameter is called; nothing where its own word will do ("Linear").
using ChoiceNames = std::function<QString(const QString& parameter, const QString& choice)>;

/// A value to choose and how a person reads it.
struct EditorChoice {
  QString value;
  QString label;
  friend bool operator==(const EditorChoice&, const EditorChoice&) = default;
};

/// What an editor may use of the form it is in.
struct EditorServices {
  PathPicker pickPath;      ///< empty: paths are typed only
  ChoiceNames choiceNames;  ///< empty: their own words
  /// Texts that are chosen rather than typed, by parameter; what a file holds besides is kept.
  QHash<QString, QList<EditorChoice>> choices;
};

/**
 * Shows and edits one value. edited() comes once per edit (Enter or leaving the field, a click, a
 * burst of arrows) and only with values that the schema takes; what it refuses stays visible with
 * an error and the old value counts.
 */
class ParamEditor : public QWidget {
  Q_OBJECT
 public:
  ParamEditor(const ParamSpec& spec, QWidget* parent) : QWidget(parent), spec_(spec) {}

  [[nodiscard]] const ParamSpec& spec() const { return spec_; }
  [[nodiscard]] const ParamValue& value() const { return value_; }
  /// From outside: says nothing, and leaves typed text alone if the value is the one it has.
  void setValue(const ParamValue& value);
  virtual void setReadOnly(bool readOnly) = 0;
  /// The widget that takes the focus and carries name and tooltip.
  [[nodiscard]] virtual QWidget* focusTarget() = 0;
  /// Other values to choose from, for an editor that began with some.
  virtual void setChoices(const QList<EditorChoice>& choices) { (void)choices; }

 Q_SIGNALS:
  void edited(const tenon::ParamValue& value);
  /// Text that cannot be taken; empty when it is over.
  void refused(const QString& reason);

 protected:
  /// Shows value(); called by setValue.
  virtual void show(const ParamValue& value) = 0;
  /// An edit by a person. Checks it, keeps it and says edited(), or refused().
  void commit(const ParamValue& value);
  void commitText(const QString& text);

 private:
  void take(const ParamCheck& check);

  ParamSpec spec_;
  ParamValue value_;
  bool shown_ = false;
};

/// The editor for a parameter, by its type.
[[nodiscard]] ParamEditor* newParamEditor(const ParamSpec& spec, const EditorServices& services,
                                          QWidget* parent);

/// A text of a schema (label, help, unit) in the language in force.
[[nodiscard]] QString schemaLabel(const ParamSpec& spec);
[[nodiscard]] QString schemaHelp(const ParamSpec& spec);
[[nodiscard]] QString schemaUnit(const ParamSpec& spec);

// The entries of the table; one file each in editors/.
ParamEditor* newBoolEditor(const ParamSpec&, const EditorServices&, QWidget*);
ParamEditor* newNumberEditor(const ParamSpec&, const EditorServices&, QWidget*);
ParamEditor* newNumberListEditor(const ParamSpec&, const EditorServices&, QWidget*);
ParamEditor* newTextEditor(const ParamSpec&, const EditorServices&, QWidget*);
ParamEditor* newChoiceEditor(const ParamSpec&, const EditorServices&, QWidget*);
ParamEditor* newPathEditor(const ParamSpec&, const EditorServices&, QWidget*);

}  // namespace tenon::ui
