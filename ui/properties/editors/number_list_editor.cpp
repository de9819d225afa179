// SPDX-License-Identifier: GPL-3.0-or-later
// A list of numbers: one field a number where the count is fixed and small, else a line of text.
#include <QHBoxLayout>
#include <QList>
#include <vector>

#include "ui/properties/editors/number_spec.h"
#include "ui/properties/param_editor.h"
#include "ui/widgets/number_field.h"

namespace tenon::ui {
namespace {

constexpr size_t kMostFields = 4;

std::vector<double> numbersOf(const ParamValue& value) {
  std::vector<double> numbers;
  if (const auto* whole = std::get_if<std::vector<int64_t>>(&value)) {
    for (const int64_t number : *whole) numbers.push_back(static_cast<double>(number));
  } else if (const auto* real = std::get_if<std::vector<double>>(&value)) {
    numbers = *real;
  }
  return numbers;
}

class NumberFieldsEditor final : public ParamEditor {
 public:
  NumberFieldsEditor(const ParamSpec& spec, QWidget* parent) : ParamEditor(spec, parent) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    const QString label = schemaLabel(spec);
    for (size_t i = 0; i < spec.maxCount; ++i) {
      auto* field = new NumberField(numberSpecOf(spec), this);
      field->setAccessibleName(tr("%1, number %2").arg(label).arg(i + 1));
      layout->addWidget(field, 1);
      fields_.append(field);
      connect(field, &NumberField::valueCommitted, this, [this] { commitFields(); });
    }
  }
  void setReadOnly(bool readOnly) override {
    for (NumberField* field : fields_) field->setReadOnly(readOnly);
  }
  QWidget* focusTarget() override { return fields_.first(); }

 protected:
  void show(const ParamValue& value) override {
    const std::vector<double> numbers = numbersOf(value);
    for (qsizetype i = 0; i < fields_.size(); ++i) {
      const auto at = static_cast<size_t>(i);
      const double number = at < numbers.size() ? numbers[at] : 0;
      if (fields_[i]->value() != number) fields_[i]->setValue(number);
    }
  }

 private:
  void commitFields() {
    if (spec().type == ParamType::FloatList) {
      std::vector<double> numbers;
      for (const NumberField* field : fields_) numbers.push_back(field->value());
      commit(numbers);
    } else {
      std::vector<int64_t> numbers;
      for (const NumberField* field : fields_)
        numbers.push_back(static_cast<int64_t>(field->value()));
      commit(numbers);
    }
  }

  QList<NumberField*> fields_;
};

}  // namespace

ParamEditor* newNumberListEditor(const ParamSpec& spec, const EditorServices& services,
                                 QWidget* parent) {
  if (spec.minCount == spec.maxCount && spec.maxCount >= 1 && spec.maxCount <= kMostFields)
    return new NumberFieldsEditor(spec, parent);
  return newTextEditor(spec, services, parent);
}

}  // namespace tenon::ui
