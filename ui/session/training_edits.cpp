// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of data and training settings.
#include <QCoreApplication>
#include <memory>

#include "engine/project/settings.h"
#include "engine/train/engine_catalog.h"
#include "ui/session/document.h"
#include "ui/session/document_edits.h"

namespace tenon::ui::edits {
namespace {

QString changeText(const QString& what) {
  return QCoreApplication::translate("Edits", "Change %1").arg(what);
}

void applyTrain(Document& document, const QString& text, TrainSpec train, const QString& field) {
  Edit edit{text, document.spec(), {}, destinationOf(field)};
  edit.after.train = std::make_shared<const TrainSpec>(std::move(train));
  document.apply(edit);
}

template <class Train>  // const or not
auto& partOf(Train& train, TrainPart part) {
  switch (part) {
    case TrainPart::Loss:
      return train.loss;
    case TrainPart::Optimizer:
      return train.optimizer;
    case TrainPart::Schedule:
      break;
  }
  return train.schedule;
}

PartKind kindOf(TrainPart part) {
  switch (part) {
    case TrainPart::Loss:
      return PartKind::Loss;
    case TrainPart::Optimizer:
      return PartKind::Optimizer;
    case TrainPart::Schedule:
      break;
  }
  return PartKind::Schedule;
}

QString nameOf(TrainPart part) {
  return QString::fromUtf8(partKindText(kindOf(part)).data(),
                           static_cast<qsizetype>(partKindText(kindOf(part)).size()));
}

/// The label of a parameter as forms show it.
QString labelOf(const ParamSchema* schema, const QString& name) {
  const ParamSpec* spec = schema ? schema->find(name.toStdString()) : nullptr;
  return spec ? QString::fromStdString(spec->labelText()).toLower() : name;
}

}  // namespace

const PartSpec& trainPart(const TrainSpec& train, TrainPart part) { return partOf(train, part); }

void setTrainParam(Document& document, const QString& name, const ParamValue& value) {
  const TrainSpec& train = *document.spec().train;
  applyTrain(document, changeText(labelOf(&trainSchema(), name)),
             withTrainParams(train, trainParams(train).with(name.toStdString(), value)),
             QStringLiteral("train.") + name);
}

void setCheckpointParam(Document& document, const QString& name, const ParamValue& value) {
  TrainSpec train = *document.spec().train;
  JsonObject unknown = train.checkpoint.unknown;
  train.checkpoint =
      checkpointFromParams(checkpointParams(train.checkpoint).with(name.toStdString(), value));
  train.checkpoint.unknown = std::move(unknown);
  applyTrain(document, changeText(labelOf(&checkpointSchema(), name)), std::move(train),
             QStringLiteral("train.checkpoint.") + name);
}

void setTrainPartType(Document& document, TrainPart part, const QString& type) {
  TrainSpec train = *document.spec().train;
  PartSpec& spec = partOf(train, part);
  PartSpec changed{type.toStdString(), {}};
  if (const ParamSchema* schema = engineCatalog().schema(kindOf(part), changed.type)) {
    for (const auto& [name, value] : spec.params)
      if (schema->find(name)) changed.params.set(name, value);
  }
  spec = std::move(changed);
  applyTrain(document, changeText(nameOf(part)), std::move(train),
             QStringLiteral("train.%1.type").arg(nameOf(part)));
}

void setTrainPartParam(Document& document, TrainPart part, const QString& name,
                       const std::optional<ParamValue>& value) {
  TrainSpec train = *document.spec().train;
  PartSpec& spec = partOf(train, part);
  if (value) {
    spec.params.set(name.toStdString(), *value);
  } else {
    spec.params.erase(name.toStdString());
  }
  const ParamSchema* schema = engineCatalog().schema(kindOf(part), spec.type);
  applyTrain(document, changeText(labelOf(schema, name)), std::move(train),
             QStringLiteral("train.%1.%2").arg(nameOf(part), name));
}

void setMetrics(Document& document, const std::vector<PartSpec>& metrics) {
  TrainSpec train = *document.spec().train;
  train.metrics = metrics;
  applyTrain(document, changeText(QCoreApplication::translate("Edits", "metrics")),
             std::move(train), QStringLiteral("train.metrics"));
}

void setData(Document& document, const QString& text, const DataSpec& data, const QString& field) {
  Edit edit{text, document.spec(), {}, destinationOf(field)};
  edit.after.data = std::make_shared<const DataSpec>(data);
  document.apply(edit);
}

Issues setByPath(Document& document, const QString& path, const QString& text) {
  SetResult result =
      tenon::setByPath(document.spec(), path.toStdString(), text.toStdString(), &engineCatalog());
  if (result.ok())
    document.apply({changeText(path), std::move(result.project), {}, destinationOf(path)});
  return std::move(result.issues);
}

}  // namespace tenon::ui::edits
