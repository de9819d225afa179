// SPDX-License-Identifier: GPL-3.0-or-later
// A list to choose from; the wheel scrolls the form, not the choice.
#include <QCoreApplication>
#include <QHBoxLayout>
#include <algorithm>

#include "ui/properties/param_editor.h"
#include "ui/widgets/quiet_combo_box.h"

namespace tenon::ui {
namespace {

class ChoiceEditor final : public ParamEditor {
 public:
  ChoiceEditor(const ParamSpec& spec, const QList<EditorChoice>& choices, QWidget* parent)
      : ParamEditor(spec, parent) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(box_);
    box_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    box_->setMinimumContentsLength(4);
    box_->setFocusPolicy(Qt::StrongFocus);
    fill(choices);
    connect(box_, &QComboBox::activated, this,
            [this](int row) { commit(box_->itemData(row).toString().toStdString()); });
  }
  void setReadOnly(bool readOnly) override { box_->setEnabled(!readOnly); }
  QWidget* focusTarget() override { return box_; }
  void setChoices(const QList<EditorChoice>& choices) override {
    if (choices == choices_) return;
    fill(choices);
    show(value());
  }

 protected:
  void show(const ParamValue& value) override {
    const auto* text = std::get_if<std::string>(&value);
    const QString wanted = text ? QString::fromStdString(*text) : QString();
    // A text may be none of those offered (a device of another machine): it stays to be chosen.
    if (text && spec().type == ParamType::String && box_->findData(wanted) < 0) {
      // Instead of another such one.
      while (box_->count() > choices_.size()) box_->removeItem(box_->count() - 1);
      box_->addItem(wanted, wanted);
    }
    box_->setCurrentIndex(text ? box_->findData(wanted) : -1);
  }

 private:
  void fill(const QList<EditorChoice>& choices) {
    choices_ = choices;
    box_->clear();
    for (const EditorChoice& choice : choices) box_->addItem(choice.label, choice.value);
  }

  QList<EditorChoice> choices_;
  QuietComboBox* box_ = new QuietComboBox(this);
};

/// A term that is written as it is everywhere: f32, bf16.
bool isTerm(const QString& word) {
  return std::any_of(word.begin(), word.end(), [](QChar c) { return c.isDigit(); });
}

/// The choices of the schema with a capital, or as they are named.
QList<EditorChoice> namedChoices(const ParamSpec& spec, const ChoiceNames& names) {
  QList<EditorChoice> choices;
  for (const std::string& choice : spec.choices) {
    const QString value = QString::fromStdString(choice);
    QString label = names ? names(QString::fromStdString(spec.name), value) : QString();
    if (label.isEmpty()) label = QCoreApplication::translate("Engine", choice.c_str());
    if (!label.isEmpty() && !isTerm(label)) label[0] = label[0].toUpper();
    choices.append({value, label});
  }
  return choices;
}

}  // namespace

ParamEditor* newChoiceEditor(const ParamSpec& spec, const EditorServices& services,
                             QWidget* parent) {
  const auto given = services.choices.constFind(QString::fromStdString(spec.name));
  return new ChoiceEditor(
      spec, given != services.choices.cend() ? *given : namedChoices(spec, services.choiceNames),
      parent);
}

}  // namespace tenon::ui
