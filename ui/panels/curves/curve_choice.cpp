// SPDX-License-Identifier: GPL-3.0-or-later
// Groups metric names by what they measure.
#include "ui/panels/curves/curve_choice.h"

#include <QCoreApplication>
#include <algorithm>

namespace tenon::ui {
namespace {

struct CurveText {
  Q_DECLARE_TR_FUNCTIONS(tenon::ui::CurveText)
};

constexpr QLatin1String kTrain("train/");
constexpr QLatin1String kValidation("validation/");

/// Place in the list: loss, metrics of the model, how it was trained, the machine.
int rank(const QString& id) {
  if (id == QLatin1String("loss")) return 0;
  if (id == QLatin1String("learning_rate")) return 2;
  if (id == QLatin1String("samples_per_second") || id == QLatin1String("data_wait")) return 3;
  return id.contains(u'/') ? 4 : 1;
}

QString titleOf(const QString& id) {
  if (id == QLatin1String("loss")) return CurveText::tr("Loss");
  if (id == QLatin1String("accuracy")) return CurveText::tr("Accuracy");
  if (id == QLatin1String("learning_rate")) return CurveText::tr("Learning rate");
  if (id == QLatin1String("samples_per_second")) return CurveText::tr("Samples per second");
  if (id == QLatin1String("data_wait")) return CurveText::tr("Data wait");
  if (id == QLatin1String("memory/allocated"))
    return CurveText::tr("Memory, allocated between steps");
  if (id == QLatin1String("memory/peak")) return CurveText::tr("Memory, allocated (peak)");
  if (id == QLatin1String("memory/reserved")) return CurveText::tr("Memory, reserved");
  if (id == QLatin1String("memory/device")) return CurveText::tr("Memory, device total");
  QString title = id;
  title.replace(u'_', u' ');
  if (!title.isEmpty()) title[0] = title[0].toUpper();
  return title;
}

CurveLine lineOf(const QString& metric, const QString& id) {
  CurveLine line;
  line.metric = metric;
  line.validation = metric.startsWith(kValidation);
  line.steps = rank(id) == 2 || rank(id) == 4;
  line.smooth = id == QLatin1String("loss") && !line.validation;
  if (line.validation) line.label = CurveText::tr("validation");
  return line;
}

}  // namespace

QList<CurveChoice> curveChoices(const QStringList& metrics) {
  QList<CurveChoice> choices;
  for (const QString& metric : metrics) {
    QString id = metric;
    if (metric.startsWith(kTrain)) id = metric.mid(kTrain.size());
    if (metric.startsWith(kValidation)) id = metric.mid(kValidation.size());
    auto choice = std::find_if(choices.begin(), choices.end(),
                               [&](const CurveChoice& known) { return known.id == id; });
    if (choice == choices.end())
      choice = choices.insert(choices.end(), CurveChoice{id, titleOf(id), {}});
    const CurveLine line = lineOf(metric, id);
    if (!choice->lines.contains(line)) choice->lines.append(line);
  }
  for (CurveChoice& choice : choices) {
    std::stable_sort(
        choice.lines.begin(), choice.lines.end(),
        [](const CurveLine& a, const CurveLine& b) { return !a.validation && b.validation; });
    // Beside a validation curve the other one needs a word too; alone the run's name says it all.
    const bool both = choice.lines.size() > 1;
    for (CurveLine& line : choice.lines)
      if (!line.validation) line.label = both ? CurveText::tr("training") : QString();
  }
  std::stable_sort(choices.begin(), choices.end(), [](const CurveChoice& a, const CurveChoice& b) {
    return rank(a.id) < rank(b.id);
  });
  return choices;
}

}  // namespace tenon::ui
