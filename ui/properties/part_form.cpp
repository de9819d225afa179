// SPDX-License-Identifier: GPL-3.0-or-later
// A choice of definition and the form of its parameters.
#include "ui/properties/part_form.h"

#include <QGridLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/properties/form_grid.h"
#include "ui/properties/property_form.h"
#include "ui/widgets/focus_visibly.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/quiet_combo_box.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

PartForm::PartForm(const QString& label, QWidget* parent)
    : QWidget(parent), box_(new QuietComboBox(this)), form_(new PropertyForm(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(measure::kGap1);
  QGridLayout* head = newFormGrid();
  auto* name = new ElidedLabel(label, this);
  name->setMinimumWidth(std::min(name->sizeHint().width(), form::kLongLabel));
  head->addWidget(name, 0, 0);
  // Without a widget in it the column of the dots would lose its spacing, and the box would begin
  // left of the fields below it.
  auto* noDot = new QWidget(this);
  noDot->setFixedSize(form::kDot, measure::kField);
  head->addWidget(noDot, 0, 1);
  head->addWidget(box_, 0, 2, 1, 2);
  column->addLayout(head);
  column->addWidget(form_);
  box_->setAccessibleName(label);
  connect(box_, &QComboBox::activated, this, [this](int row) {
    const QString id = box_->itemData(row).toString();
    if (id != shown_) Q_EMIT typeChanged(id);
  });
  connect(form_, &PropertyForm::changed, this, &PartForm::changed);
}

void PartForm::setChoices(const QList<PartChoice>& choices) {
  choices_ = choices;
  box_->clear();
  for (const PartChoice& choice : choices_)
    box_->addItem(choice.title.isEmpty() ? choice.id : choice.title, choice.id);
  box_->setCurrentIndex(box_->findData(shown_));
}

void PartForm::setPart(const QString& id, const ParamMap& values) {
  if (id != shown_ || form_->isEmpty()) {
    shown_ = id;
    static const ParamSchema kNone;
    const ParamSchema* schema = &kNone;
    for (const PartChoice& choice : choices_)
      if (choice.id == id && choice.schema) schema = choice.schema;
    form_->setSchema(*schema);
  }
  box_->setCurrentIndex(box_->findData(id));
  if (box_->currentIndex() < 0) box_->setPlaceholderText(id);
  form_->setValues(values);
}

void PartForm::setReadOnly(bool readOnly) {
  box_->setEnabled(!readOnly);
  form_->setReadOnly(readOnly);
}

bool PartForm::focusField(const QString& name) {
  if (!name.isEmpty() && name != QLatin1String("type")) return form_->focusField(name);
  focusVisibly(*box_);
  return true;
}

}  // namespace tenon::ui
