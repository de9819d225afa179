// SPDX-License-Identifier: GPL-3.0-or-later
// Words of recorded steps.
#include "ui/session/step_texts.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <string_view>
#include <utility>

#include "ui/widgets/format.h"

namespace tenon::ui {
namespace {

/// Texts of this file for the translators.
struct StepTexts {
  Q_DECLARE_TR_FUNCTIONS(StepTexts)
};

/// The first part of an operator's id that is found decides.
constexpr std::pair<std::string_view, const char*> kIcons[] = {
    {"conv", "conv"},           {"norm", "norm"},       {"pool", "pool"},
    {"entropy", "loss"},        {"loss", "loss"},       {"linear", "linear"},
    {"matmul", "linear"},       {"relu", "activation"}, {"gelu", "activation"},
    {"sigmoid", "activation"},  {"tanh", "activation"}, {"silu", "activation"},
    {"softmax", "activation"},  {"dropout", "shuffle"}, {"embedding", "embedding"},
    {"attention", "attention"}, {"lstm", "recurrent"},  {"gru", "recurrent"},
    {"accumulate", "merge"},    {"add", "merge"},       {"concat", "merge"},
    {"step", "step"},           {"reshape", "shape"},   {"transpose", "shape"},
    {"copy", "copy"},           {"reorder", "shuffle"}, {"flatten", "shape"}};

}  // namespace

QString tensorShape(const std::vector<int64_t>& sizes) {
  if (sizes.empty()) return StepTexts::tr("scalar");
  QStringList parts;
  for (const int64_t size : sizes) parts.append(QString::number(size));
  return parts.join(QChar(0x00D7));
}

QString kernelTime(qint64 nanoseconds) {
  constexpr QChar kSpace(0x00A0);
  const auto ns = static_cast<double>(nanoseconds);
  if (nanoseconds < 1000) return QString::number(nanoseconds) + kSpace + QLatin1String("ns");
  if (ns < 999.5e3) return formatNumber(ns / 1e3, 3) + kSpace + QStringLiteral("µs");
  if (ns < 999.5e6) return formatNumber(ns / 1e6, 3) + kSpace + QLatin1String("ms");
  return formatNumber(ns / 1e9, 3) + kSpace + u's';
}

QString nodePhase(const RecordedNode& node) {
  switch (node.kind) {
    case RecordedKind::Forward:
      return node.phase == "loss" ? StepTexts::tr("Loss") : StepTexts::tr("Forward");
    case RecordedKind::Backward:
    case RecordedKind::Leaf:
      return StepTexts::tr("Backward");
    case RecordedKind::Optimizer:
      break;
  }
  return StepTexts::tr("Optimizer");
}

QString nodeTitle(const RecordedNode& node) { return QString::fromStdString(node.op); }

QString opIcon(const std::string& op) {
  for (const auto& [part, name] : kIcons)
    if (op.find(part) != std::string::npos) return QLatin1String(name);
  return QStringLiteral("layer");
}

qint64 savedBytes(const RecordedNode& node) {
  qint64 bytes = 0;
  for (const RecordedTensor& tensor : node.saved) bytes += tensor.bytes;
  return bytes;
}

qint64 kernelNs(const RecordedNode& node) {
  qint64 time = 0;
  for (const RecordedKernel& kernel : node.kernels) time += kernel.endNs - kernel.startNs;
  return time;
}

int stackedPlace(memory::Category category) {
  const auto* found = std::find(kStackedCategories.begin(), kStackedCategories.end(), category);
  return static_cast<int>(found - kStackedCategories.begin());
}

QString categoryTitle(memory::Category category) {
  switch (category) {
    case memory::Category::Parameter:
      return StepTexts::tr("Parameters");
    case memory::Category::Gradient:
      return StepTexts::tr("Gradients");
    case memory::Category::OptimizerState:
      return StepTexts::tr("Optimizer");
    case memory::Category::Activation:
      return StepTexts::tr("Activations");
    case memory::Category::Input:
      return StepTexts::tr("Inputs");
    case memory::Category::Buffer:
      return StepTexts::tr("Buffers");
    case memory::Category::Temporary:
      break;
  }
  return StepTexts::tr("Temporaries");
}

int categoryHue(memory::Category category) {
  switch (category) {
    case memory::Category::Parameter:
      return 0;
    case memory::Category::Gradient:
      return 1;
    case memory::Category::Activation:
      return 2;
    case memory::Category::OptimizerState:
      return 3;
    case memory::Category::Input:
      return 4;
    case memory::Category::Buffer:
      return 5;
    case memory::Category::Temporary:
      break;
  }
  return 7;
}

QString memoryPhase(memory::Phase phase) {
  switch (phase) {
    case memory::Phase::Data:
      return StepTexts::tr("Data");
    case memory::Phase::Forward:
      return StepTexts::tr("Forward");
    case memory::Phase::Loss:
      return StepTexts::tr("Loss");
    case memory::Phase::Backward:
      return StepTexts::tr("Backward");
    case memory::Phase::Optimizer:
      return StepTexts::tr("Optimizer");
    case memory::Phase::Validation:
      return StepTexts::tr("Validation");
    case memory::Phase::Inspect:
      return StepTexts::tr("Inspection");
    case memory::Phase::None:
      break;
  }
  return {};
}

}  // namespace tenon::ui
