// SPDX-License-Identifier: GPL-3.0-or-later
// A list to choose from; the wheel scrolls the form, not the choice.
#include <QCoreApplication>
#include <QHBoxLayout>

#include "ui/properties/param_editor.h"
#include "ui/widgets/quiet_combo_box.h"

namespace tenon::ui {
namespace {

class ChoiceEditor final : public ParamEditor {
 public:
  ChoiceEditor(const ParamSpec& spec, QWidget* parent) : ParamEditor(spec, parent) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(box_);
    box_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    box_->setMinimumContentsLength(4);
    for (const std::string& choice : spec.choices)
      box_->addItem(QCoreApplication::translate("Engine", choice.c_str()),
                    QString::fromStdString(choice));
    connect(box_, &QComboBox::activated, this,
            [this](int row) { commit(box_->itemData(row).toString().toStdString()); });
  }
  void setReadOnly(bool readOnly) override { box_->setEnabled(!readOnly); }
  QWidget* focusTarget() override { return box_; }

 protected:
  void show(const ParamValue& value) override {
    const auto* text = std::get_if<std::string>(&value);
    box_->setCurrentIndex(text ? box_->findData(QString::fromStdString(*text)) : -1);
  }

 private:
  QuietComboBox* box_ = new QuietComboBox(this);
};

}  // namespace

ParamEditor* newChoiceEditor(const ParamSpec& spec, const EditorServices&, QWidget* parent) {
  return new ChoiceEditor(spec, parent);
}

}  // namespace tenon::ui
