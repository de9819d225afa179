// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a schema in groups.
#include "ui/properties/property_form.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/properties/form_grid.h"
#include "ui/properties/property_row.h"
#include "ui/widgets/focus_visibly.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/section.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
PropertyForm::PropertyForm(QWidget* parent) : QWidget(parent), layout_(new QVBoxLayout(this)) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(0);
}

PropertyForm::PropertyForm(const ParamSchema& schema, QWidget* parent) : PropertyForm(parent) {
  setSchema(schema);
}

void PropertyForm::setSchema(const ParamSchema& schema) {
  schema_ = schema;
  build();
}

void PropertyForm::setPathPicker(PathPicker picker) {
  services_.pickPath = std::move(picker);
  if (!rows_.isEmpty()) build();
}

void PropertyForm::setChoiceNames(ChoiceNames names) { services_.choiceNames = std::move(names); }

void PropertyForm::setChoices(const QString& name, const QList<EditorChoice>& choices) {
  const bool known = services_.choices.contains(name);
  services_.choices.insert(name, choices);
  if (!known) {
    if (!rows_.isEmpty()) build();
  } else if (ParamEditor* shown = editor(name)) {
    shown->setChoices(choices);
  }
}

void PropertyForm::build() {
  rows_.clear();
  delete body_;
  body_ = new QWidget(this);
  auto* column = new QVBoxLayout(body_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(measure::kGap2);
  auto* plain = new QWidget(body_);
  QGridLayout* grid = newFormGrid(plain);
  column->addWidget(plain);
  advanced_ = nullptr;
  QGridLayout* advancedGrid = nullptr;
  std::string group;
  for (const ParamSpec& spec : schema_) {
    if (spec.advanced) {
      if (!advanced_) {
        advanced_ = new Section(tr("Advanced"), body_);
        auto* content = new QWidget;
        advancedGrid = newFormGrid(content);
        advanced_->setContent(content);
        advanced_->setExpanded(false);
      }
      addRow(advancedGrid, spec);
      continue;
    }
    if (spec.group != group) {
      group = spec.group;
      if (!group.empty()) addGroup(grid, QCoreApplication::translate("Engine", group.c_str()));
    }
    addRow(grid, spec);
  }
  if (advanced_) column->addWidget(advanced_);
  layout_->addWidget(body_);
  setReadOnly(readOnly_);
}

void PropertyForm::addGroup(QGridLayout* grid, const QString& title) {
  QLabel* caption = newCaption(title, grid->parentWidget());
  caption->setContentsMargins(0, measure::kGap2, 0, 0);
  grid->addWidget(caption, grid->rowCount(), 0, 1, 4);
}

void PropertyForm::addRow(QGridLayout* grid, const ParamSpec& spec) {
  auto* row = new PropertyRow(spec, services_, grid, grid->parentWidget());
  rows_.append(row);
  connect(row, &PropertyRow::changed, this, [this, row](const std::optional<ParamValue>& value) {
    Q_EMIT changed(row->name(), value);
  });
}

void PropertyForm::setValues(const ParamMap& values) {
  for (PropertyRow* row : rows_) {
    const ParamValue* value = values.find(row->spec().name);
    row->setValue(value ? std::optional(*value) : std::nullopt);
  }
  openAdvancedIfNeeded();
}

ParamValue PropertyForm::value(const QString& name) const {
  const ParamEditor* found = editor(name);
  return found ? found->value() : ParamValue();
}

ParamEditor* PropertyForm::editor(const QString& name) const {
  for (const PropertyRow* row : rows_)
    if (row->name() == name) return row->editor();
  return nullptr;
}

void PropertyForm::setErrors(const QHash<QString, QString>& errors) {
  for (PropertyRow* row : rows_) row->setError(errors.value(row->name()));
  openAdvancedIfNeeded();
}

void PropertyForm::openAdvancedIfNeeded() {
  if (!advanced_ || advanced_->isExpanded()) return;
  const bool needed = std::any_of(rows_.begin(), rows_.end(), [](const PropertyRow* row) {
    return row->spec().advanced && (row->hasError() || !row->isDefault());
  });
  if (needed) advanced_->setExpanded(true);
}

void PropertyForm::setReadOnly(bool readOnly) {
  readOnly_ = readOnly;
  for (PropertyRow* row : rows_) row->setReadOnly(readOnly);
}

bool PropertyForm::focusField(const QString& name) {
  for (PropertyRow* row : rows_) {
    if (row->name() != name) continue;
    if (row->spec().advanced && advanced_) advanced_->setExpanded(true);
    focusVisibly(*row->editor()->focusTarget());
    return true;
  }
  return false;
}

bool PropertyForm::focusFirst() { return !rows_.isEmpty() && focusField(rows_.first()->name()); }

}  // namespace tenon::ui
