// SPDX-License-Identifier: GPL-3.0-or-later
// A check box for true and false.
#include <QCheckBox>
#include <QHBoxLayout>

#include "ui/properties/param_editor.h"

namespace tenon::ui {
namespace {

class BoolEditor final : public ParamEditor {
 public:
  BoolEditor(const ParamSpec& spec, QWidget* parent) : ParamEditor(spec, parent) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(box_);
    layout->addStretch();
    box_->setMinimumSize(24, 24);
    connect(box_, &QCheckBox::clicked, this, [this](bool on) { commit(on); });
  }
  void setReadOnly(bool readOnly) override { box_->setEnabled(!readOnly); }
  QWidget* focusTarget() override { return box_; }

 protected:
  void show(const ParamValue& value) override {
    const bool* on = std::get_if<bool>(&value);
    box_->setChecked(on && *on);
  }

 private:
  QCheckBox* box_ = new QCheckBox(this);
};

}  // namespace

ParamEditor* newBoolEditor(const ParamSpec& spec, const EditorServices&, QWidget* parent) {
  return new BoolEditor(spec, parent);
}

}  // namespace tenon::ui
