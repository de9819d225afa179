// SPDX-License-Identifier: GPL-3.0-or-later
// Shows a layer and turns what a person changes into edits.
#include "ui/panels/properties/layer_form.h"

#include <QFormLayout>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "engine/graph/check.h"
#include "ui/properties/property_form.h"
#include "ui/session/document.h"
#include "ui/session/document_edits.h"
#include "ui/session/live_check.h"
#include "ui/session/panel_context.h"
#include "ui/session/prompts.h"
#include "ui/session/selection.h"
#include "ui/session/texts.h"
#include "ui/widgets/finish_editing.h"
#include "ui/widgets/format.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/section.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

QString shapeLines(const std::vector<PortShape>& shapes) {
  QStringList lines;
  for (const PortShape& shape : shapes)
    lines.append(shape.sizes.empty() ? QStringLiteral("–")
                                     : QString::fromStdString(toString(shape)));
  return lines.isEmpty() ? QStringLiteral("–") : lines.join(u'\n');
}

QLabel* newValue() {
  auto* label = new QLabel;
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setWordWrap(true);
  return label;
}

}  // namespace

LayerForm::LayerForm(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      name_(new QLineEdit),
      kind_(newCaption({})),
      problems_(new InlineMessage),
      warnings_(new InlineMessage(nullptr, InlineMessage::Kind::Warning)),
      form_(new PropertyForm),
      inputs_(newValue()),
      outputs_(newValue()),
      costs_(newValue()),
      about_(new Section(tr("About this layer"))),
      help_(newValue()) {
  build();
  connect(name_, &QLineEdit::editingFinished, this, &LayerForm::rename);
  connect(&context_.document, &Document::aboutToMove, this, [this] { finishEditing(*this); });
  connect(form_, &PropertyForm::changed, this,
          [this](const QString& name, const std::optional<ParamValue>& value) {
            edits::setNodeParam(context_.document, node_, name, value);
          });
}

void LayerForm::build() {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(measure::kGap3, measure::kGap2, measure::kGap3, measure::kGap2);
  layout->setSpacing(measure::kGap2);
  name_->setAccessibleName(tr("Name of the layer"));
  name_->setToolTip(tr("Name of the layer: letters, digits, _ and -"));
  layout->addWidget(kind_);
  layout->addWidget(name_);
  layout->addWidget(problems_);
  layout->addWidget(warnings_);
  layout->addWidget(form_);
  auto* facts = new QWidget;
  auto* rows = new QFormLayout(facts);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setHorizontalSpacing(measure::kGap3);
  rows->setVerticalSpacing(measure::kGap1);
  rows->addRow(newCaption(tr("Input")), inputs_);
  rows->addRow(newCaption(tr("Output")), outputs_);
  rows->addRow(newCaption(tr("Cost")), costs_);
  auto* shapes = new Section(tr("Shapes and cost"));
  shapes->setContent(facts);
  layout->addWidget(shapes);
  about_->setContent(help_);
  about_->setExpanded(false);
  help_->setTextFormat(Qt::MarkdownText);
  layout->addWidget(about_);
  layout->addStretch(1);
}

bool LayerForm::showNode(const QString& id) {
  const NodeSpec* node = context_.document.spec().graph->find(id.toStdString());
  if (!node) return false;
  const LayerDef* def = findLayer(node->type);
  if (id != node_ || def != def_) {
    form_->setSchema(def ? def->schema : ParamSchema());
    showHelp(def);
  }
  node_ = id;
  def_ = def;
  name_->setText(id);
  kind_->setText(def ? engineText(def->title) : QString::fromStdString(node->type));
  form_->setValues(node->params);
  form_->setVisible(!form_->isEmpty());
  showChecked();
  return true;
}

void LayerForm::showHelp(const LayerDef* def) {
  about_->setVisible(def && !def->help.empty());
  help_->setText(def ? engineText(def->help) : QString());
}

void LayerForm::showChecked() {
  const CheckResult& result = *context_.check.result();
  QHash<QString, QString> errors;
  QStringList others;
  QStringList warnings;
  for (const Issue& issue : result.issues) {
    if (issue.severity == Severity::Hint || issue.place.node != node_.toStdString()) continue;
    const QString path = QString::fromStdString(issue.place.field);
    // What is wrong inside of the layer has no editor here, even if a setting is called the same.
    const bool inside = path.startsWith(QLatin1String("graphs."));
    const QString field = inside ? path : path.section(u'.', -1);
    if (issue.severity != Severity::Error) {
      warnings.append(issueMessage(issue));
    } else if (form_->editor(field)) {
      errors.insert(field, issueMessage(issue));
    } else {
      const QString text = issueMessage(issue);
      others.append(inside ? QStringLiteral("%1: %2").arg(path, text) : text);
    }
  }
  form_->setErrors(errors);
  problems_->setText(others.join(u'\n'));
  problems_->setVisible(!others.isEmpty());
  warnings_->setText(warnings.join(u'\n'));
  warnings_->setVisible(!warnings.isEmpty());
  const CheckedNode* node = result.graph ? result.graph->find(node_.toStdString()) : nullptr;
  const bool known = node && node->planned;
  inputs_->setText(known ? shapeLines(node->inputShapes) : QStringLiteral("–"));
  outputs_->setText(known ? shapeLines(node->plan.outputs) : QStringLiteral("–"));
  costs_->setText(
      known ? tr("%1 parameters, %2 FLOPs a sample")
                  .arg(formatCount(node->trainableCount()), formatCompact(node->plan.flops))
            : QStringLiteral("–"));
}

void LayerForm::rename() {
  const QString wish = name_->text().trimmed();
  if (wish == node_ || node_.isEmpty()) return;
  const QString before = node_;
  if (edits::renameNode(context_.document, before, wish)) {
    context_.selection.setNodes({wish});
  } else {
    name_->setText(before);
    context_.prompts.notice(edits::refusedNameText(wish));
  }
}

bool LayerForm::focusField(const QString& name) {
  if (name.startsWith(QLatin1String("graphs."))) return false;  // of a layer inside
  return form_->focusField(name.section(u'.', -1));
}

}  // namespace tenon::ui
