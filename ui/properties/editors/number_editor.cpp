// SPDX-License-Identifier: GPL-3.0-or-later
// A number field for whole and other numbers.
#include "ui/properties/editors/number_spec.h"

#include <QVBoxLayout>
#include <cmath>

#include "ui/properties/param_editor.h"
#include "ui/widgets/number_field.h"

namespace tenon::ui {

NumberSpec numberSpecOf(const ParamSpec& spec) {
  NumberSpec number;
  if (spec.min) number.minimum = *spec.min;
  if (spec.max) number.maximum = *spec.max;
  number.minimumOpen = spec.minExclusive;
  number.maximumOpen = spec.maxExclusive;
  number.integer = spec.type == ParamType::Int || spec.type == ParamType::IntList;
  number.logarithmic = spec.logScale;
  number.unit = schemaUnit(spec);
  return number;
}

double numberOf(const ParamValue& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return 0;
}

ParamValue valueOf(double number, const NumberSpec& spec) {
  return spec.integer ? ParamValue(static_cast<int64_t>(std::llround(number))) : ParamValue(number);
}

namespace {

class NumberEditor final : public ParamEditor {
 public:
  NumberEditor(const ParamSpec& spec, QWidget* parent)
      : ParamEditor(spec, parent), field_(new NumberField(numberSpecOf(spec), this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(field_);
    connect(field_, &NumberField::valueCommitted, this,
            [this](double, double after) { commit(valueOf(after, field_->spec())); });
  }
  void setReadOnly(bool readOnly) override { field_->setReadOnly(readOnly); }
  QWidget* focusTarget() override { return field_; }

 protected:
  void show(const ParamValue& value) override {
    if (field_->value() != numberOf(value)) field_->setValue(numberOf(value));
  }

 private:
  NumberField* field_;
};

}  // namespace

ParamEditor* newNumberEditor(const ParamSpec& spec, const EditorServices&, QWidget* parent) {
  return new NumberEditor(spec, parent);
}

}  // namespace tenon::ui
