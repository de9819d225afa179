// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the training settings and turns what a person changes into edits.
#include "ui/panels/training/train_form.h"

#include <QHash>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/project/specs.h"
#include "ui/properties/part_form.h"
#include "ui/properties/property_form.h"
#include "ui/session/device_list.h"
#include "ui/session/document.h"
#include "ui/session/document_edits.h"
#include "ui/session/live_check.h"
#include "ui/session/panel_context.h"
#include "ui/session/part_choices.h"
#include "ui/session/texts.h"
#include "ui/widgets/finish_editing.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

void showPart(PartForm& form, const PartSpec& part) {
  form.setPart(QString::fromStdString(part.type), part.params);
}

QHash<QString, QString> errorsBelow(const Issues& issues, const QString& prefix) {
  QHash<QString, QString> errors;
  for (const Issue& issue : issues) {
    const QString field = QString::fromStdString(issue.place.field);
    if (issue.severity == Severity::Error && issue.place.node.empty() && field.startsWith(prefix))
      errors.insert(field.mid(prefix.size()), issueMessage(issue));
  }
  return errors;
}

/// What may decide which checkpoint is the best: the loss and what is measured.
QList<EditorChoice> decidersOf(const TrainSpec& train) {
  QList<EditorChoice> deciders = {{QStringLiteral("loss"), TrainForm::tr("Loss")}};
  for (const PartSpec& metric : train.metrics) {
    const ParamSchema switches = metricSwitches();
    const ParamSpec* known = switches.find(metric.type);
    const QString id = QString::fromStdString(metric.type);
    deciders.append({id, known ? schemaLabel(*known) : id});
  }
  return deciders;
}

}  // namespace

TrainForm::TrainForm(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      plain_(new PropertyForm(trainSchema())),
      loss_(new PartForm(tr("Loss"))),
      optimizer_(new PartForm(tr("Optimizer"))),
      schedule_(new PartForm(tr("Schedule"))),
      metrics_(new PropertyForm(metricSwitches())),
      checkpoint_(new PropertyForm(checkpointSchema())) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(measure::kGap3, measure::kGap2, measure::kGap3, measure::kGap2);
  layout->setSpacing(measure::kGap3);
  loss_->setChoices(lossChoices());
  optimizer_->setChoices(optimizerChoices());
  schedule_->setChoices(scheduleChoices());
  plain_->setChoices(QStringLiteral("device"), {});  // known with the first check
  layout->addWidget(plain_);
  for (PartForm* part : {loss_, optimizer_, schedule_}) layout->addWidget(part);
  layout->addWidget(newTitle(tr("Metrics")));
  layout->addWidget(metrics_);
  layout->addWidget(newTitle(tr("Checkpoints")));
  layout->addWidget(checkpoint_);
  layout->addStretch(1);
  follow();
}

void TrainForm::follow() {
  connect(&context_.document, &Document::aboutToMove, this, [this] { finishEditing(*this); });
  connect(plain_, &PropertyForm::changed, this,
          [this](const QString& name, const std::optional<ParamValue>& value) {
            const ParamSpec* spec = trainSchema().find(name.toStdString());
            if (value || spec)
              edits::setTrainParam(context_.document, name, value ? *value : spec->defaultValue);
          });
  connect(checkpoint_, &PropertyForm::changed, this,
          [this](const QString& name, const std::optional<ParamValue>& value) {
            const ParamSpec* spec = checkpointSchema().find(name.toStdString());
            if (value || spec)
              edits::setCheckpointParam(context_.document, name,
                                        value ? *value : spec->defaultValue);
          });
  connect(metrics_, &PropertyForm::changed, this,
          [this](const QString& name, const std::optional<ParamValue>& value) {
            measure(name, value && std::get<bool>(*value));
          });
  followParts();
}

void TrainForm::followParts() {
  using Part = edits::TrainPart;
  for (const auto& [form, part] :
       {std::pair{loss_, Part::Loss}, std::pair{optimizer_, Part::Optimizer},
        std::pair{schedule_, Part::Schedule}}) {
    connect(form, &PartForm::typeChanged, this, [this, part = part](const QString& id) {
      edits::setTrainPartType(context_.document, part, id);
    });
    connect(form, &PartForm::changed, this,
            [this, part = part](const QString& name, const std::optional<ParamValue>& value) {
              edits::setTrainPartParam(context_.document, part, name, value);
            });
  }
}

void TrainForm::showSpec() {
  const TrainSpec& train = *context_.document.spec().train;
  plain_->setValues(trainParams(train));
  showPart(*loss_, train.loss);
  showPart(*optimizer_, train.optimizer);
  showPart(*schedule_, train.schedule);
  ParamMap measured;
  for (const PartSpec& metric : train.metrics) measured.set(metric.type, true);
  metrics_->setValues(measured);
  checkpoint_->setChoices(QStringLiteral("best_by"), decidersOf(train));
  checkpoint_->setValues(checkpointParams(train.checkpoint));
  showChecked();
}

/// What this program does not know in the list stays in it.
void TrainForm::measure(const QString& metric, bool on) {
  std::vector<PartSpec> metrics = context_.document.spec().train->metrics;
  std::erase_if(metrics, [id = metric.toStdString()](const PartSpec& m) { return m.type == id; });
  if (on) metrics.push_back({metric.toStdString(), {}});
  edits::setMetrics(context_.document, metrics);
}

void TrainForm::showChecked() {
  plain_->setChoices(QStringLiteral("device"), deviceChoices(context_.check.result()->devices));
  const Issues& issues = context_.check.result()->issues;
  plain_->setErrors(errorsBelow(issues, QStringLiteral("train.")));
  loss_->form()->setErrors(errorsBelow(issues, QStringLiteral("train.loss.")));
  optimizer_->form()->setErrors(errorsBelow(issues, QStringLiteral("train.optimizer.")));
  schedule_->form()->setErrors(errorsBelow(issues, QStringLiteral("train.schedule.")));
  checkpoint_->setErrors(errorsBelow(issues, QStringLiteral("train.checkpoint.")));
}

bool TrainForm::focusField(const QString& path) {
  const QString part = path.section(u'.', 1, 1);
  const QString name = path.section(u'.', 2);
  if (part == QLatin1String("loss")) return loss_->focusField(name);
  if (part == QLatin1String("optimizer")) return optimizer_->focusField(name);
  if (part == QLatin1String("schedule")) return schedule_->focusField(name);
  if (part == QLatin1String("checkpoint")) return checkpoint_->focusField(name);
  if (part.startsWith(QLatin1String("metrics"))) return metrics_->focusFirst();
  return plain_->focusField(part);
}

}  // namespace tenon::ui
