// SPDX-License-Identifier: GPL-3.0-or-later
// From a parameter's type to its editor.
#include "ui/properties/param_editor.h"

#include <QCoreApplication>

#include "engine/schema/validate.h"

namespace tenon::ui {
namespace {

QString translated(const std::string& text) {
  return text.empty() ? QString() : QCoreApplication::translate("Engine", text.c_str());
}

QString message(const Issue& issue) {
  return QString::fromStdString(fillTemplate(translated(issue.text).toStdString(), issue.args));
}

}  // namespace

QString schemaLabel(const ParamSpec& spec) { return translated(spec.labelText()); }

QString schemaUnit(const ParamSpec& spec) { return translated(spec.unit); }

QString schemaHelp(const ParamSpec& spec) { return translated(spec.help); }

void ParamEditor::setValue(const ParamValue& value) {
  if (shown_ && sameValue(value, value_) && value.index() == value_.index()) return;
  value_ = value;
  shown_ = true;
  show(value_);
  Q_EMIT refused({});
}

void ParamEditor::commit(const ParamValue& value) { take(checkParam(spec_, value)); }

void ParamEditor::commitText(const QString& text) { take(parseParam(spec_, text.toStdString())); }

void ParamEditor::take(const ParamCheck& check) {
  if (!check.value) {
    Q_EMIT refused(check.issue ? message(*check.issue) : tr("This cannot be taken."));
    return;
  }
  Q_EMIT refused({});
  const bool same = sameValue(*check.value, value_);
  value_ = *check.value;
  show(value_);
  if (!same) Q_EMIT edited(value_);
}

ParamEditor* newParamEditor(const ParamSpec& spec, const EditorServices& services,
                            QWidget* parent) {
  using Make = ParamEditor* (*)(const ParamSpec&, const EditorServices&, QWidget*);
  // By ParamType.
  static constexpr Make kTable[] = {&newBoolEditor,       &newNumberEditor,     &newNumberEditor,
                                    &newTextEditor,       &newChoiceEditor,     &newPathEditor,
                                    &newNumberListEditor, &newNumberListEditor, &newTextEditor};
  if (services.choices.contains(QString::fromStdString(spec.name)))
    return newChoiceEditor(spec, services, parent);
  return kTable[static_cast<size_t>(spec.type)](spec, services, parent);
}

}  // namespace tenon::ui
