// SPDX-License-Identifier: GPL-3.0-or-later
// A line of text, also for lists: "3, 3" or "cat, dog".
#include <QHBoxLayout>

#include "ui/properties/editors/commit_line_edit.h"
#include "ui/properties/param_editor.h"

namespace tenon::ui {
namespace {

/// As a person types it: lists without brackets.
QString shownText(const ParamValue& value) {
  QString text = QString::fromStdString(valueText(value));
  const bool isText = std::holds_alternative<std::string>(value);
  if (!isText && text.startsWith(u'[') && text.endsWith(u']')) text = text.mid(1, text.size() - 2);
  if (std::holds_alternative<std::vector<std::string>>(value)) {
    QStringList words;
    for (const std::string& word : std::get<std::vector<std::string>>(value))
      words.append(QString::fromStdString(word));
    text = words.join(QLatin1String(", "));
  }
  return text;
}

class TextEditor final : public ParamEditor {
 public:
  TextEditor(const ParamSpec& spec, QWidget* parent) : ParamEditor(spec, parent) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(line_);
    connect(line_, &CommitLineEdit::committed, this, [this](const QString& text) {
      if (this->spec().type == ParamType::StringList) {
        std::vector<std::string> words;
        for (const QString& word : text.split(u',', Qt::SkipEmptyParts))
          words.push_back(word.trimmed().toStdString());
        commit(words);
      } else {
        commitText(text);
      }
    });
  }
  void setReadOnly(bool readOnly) override { line_->setReadOnly(readOnly); }
  QWidget* focusTarget() override { return line_; }

 protected:
  void show(const ParamValue& value) override { line_->setTaken(shownText(value)); }

 private:
  CommitLineEdit* line_ = new CommitLineEdit(this);
};

}  // namespace

ParamEditor* newTextEditor(const ParamSpec& spec, const EditorServices&, QWidget* parent) {
  return new TextEditor(spec, parent);
}

}  // namespace tenon::ui
