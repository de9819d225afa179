// SPDX-License-Identifier: GPL-3.0-or-later
// A plot between the store and a person.
#include "ui/curves/curve_view.h"

#include <QAction>
#include <QDataStream>
#include <QEvent>
#include <QIODevice>
#include <QPointer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/curves/plot_colours.h"
#include "ui/session/commands.h"
#include "ui/session/panel_context.h"
#include "ui/session/prompts.h"
#include "ui/session/run_controller.h"
#include "ui/session/run_data.h"
#include "ui/settings/user_settings.h"
#include "ui/widgets/problem_frame.h"

namespace tenon::ui {
namespace {

constexpr qint32 kHabitsVersion = 1;

FileWish wishFor(ExportKind kind, const QString& title) {
  FileWish wish;
  wish.kind = FileWish::Kind::SaveFile;
  switch (kind) {
    case ExportKind::Png:
      wish.title = CurveView::tr("Save plot as PNG");
      wish.filters = {CurveView::tr("Images (*.png)")};
      wish.name = title + QLatin1String(".png");
      break;
    case ExportKind::Svg:
      wish.title = CurveView::tr("Save plot as SVG");
      wish.filters = {CurveView::tr("Drawings (*.svg)")};
      wish.name = title + QLatin1String(".svg");
      break;
    case ExportKind::Csv:
      wish.title = CurveView::tr("Save values as CSV");
      wish.filters = {CurveView::tr("Tables (*.csv)")};
      wish.name = title + QLatin1String(".csv");
      break;
  }
  return wish;
}

}  // namespace

CurveView::CurveView(const PanelContext& context, const QString& title, QWidget* parent)
    : QWidget(parent),
      context_(context),
      title_(title),
      plot_(new LinePlot(this)),
      set_(new CurveSet(context.runs, *plot_, this)),
      frame_(new ProblemFrame(tr("The curves cannot be read"), plot_, this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(frame_);
  setFocusProxy(plot_);
  plot_->setAccessibleName(title);  // the dock's title bar shows it
  plot_->setTheme(plotThemeOf(currentTheme()));
  plot_->setSmoothing(context_.settings.number(setting::kSmoothing));
  set_->setAsleep(true);  // until shown
  connect(set_, &CurveSet::unitChanged, this, [this](const QString& unit) {
    unit_ = unit;
    plot_->setValueAxis(valueName_, unit_);
  });
  connect(set_, &CurveSet::stateChanged, this, &CurveView::showState);
  connect(&context_.runs, &RunData::runsChanged, this, &CurveView::showState);
  connect(&context_.run, &RunController::stateChanged, this, &CurveView::showState);
  connect(frame_, &ProblemFrame::retryWanted, &context_.runs, &RunData::retry);
  connect(plot_, &LinePlot::exportRequested, this, &CurveView::save);
  // The plot says that its range is another one, not that it counts something else.
  connect(plot_, &LinePlot::xRangeChanged, this, [this] {
    const XAxis now = plot_->xAxis();
    if (std::exchange(axis_, now) != now) Q_EMIT xAxisChosen(now);
  });
  connect(&context_.settings, &UserSettings::changed, this, [this] { setRefreshRate(); });
  setRefreshRate();
}

void CurveView::setRuns(const QList<qint64>& runs) {
  set_->setRuns(runs);
  setRefreshRate();
  showState();
}

void CurveView::setValueName(const QString& name) {
  valueName_ = name;
  plot_->setValueAxis(valueName_, unit_);
}

void CurveView::setEmptyTexts(const EmptyTexts& texts) {
  texts_ = texts;
  showState();
}

void CurveView::setOffersRun(bool offers) {
  offersRun_ = offers;
  showState();
}

void CurveView::setProblem(const QString& reason) {
  problem_ = reason;
  showState();
}

void CurveView::showState() {
  const QList<qint64>& runs = set_->runs();
  const bool alive = std::any_of(runs.begin(), runs.end(), [this](qint64 run) {
    const RunInfo* info = context_.runs.runs().find(run);
    return !info || info->alive();  // one that is not listed yet has just begun
  });
  QString problem = set_->problem().isEmpty() ? problem_ : set_->problem();
  if (problem.isEmpty() && runs.isEmpty()) problem = context_.runs.problem();
  frame_->setProblem(problem, !set_->isEmpty());
  const bool waiting = alive || !set_->isComplete();
  const bool first = runs.isEmpty() && context_.runs.runs().runs().empty();
  const bool coming = first && context_.run.awaitsRun();
  plot_->setEmptyText(coming           ? tr("The run is being prepared")
                      : runs.isEmpty() ? texts_.noRun
                      : waiting        ? texts_.waiting
                                       : texts_.nothing);
  const bool offersRun = offersRun_ && first && !coming;
  plot_->setEmptyAction(offersRun ? context_.commands.action(QLatin1String(command::kRun))
                                  : nullptr);
}

void CurveView::setRefreshRate() {
  const bool gpu = std::any_of(runs().begin(), runs().end(), [this](qint64 run) {
    const RunInfo* info = context_.runs.runs().find(run);
    return info && !info->device.starts_with("cpu");
  });
  const double rate = context_.settings.number(gpu ? setting::kRefreshGpu : setting::kRefreshCpu);
  plot_->setRefreshRate(rate);
}

void CurveView::save(ExportKind kind) {
  context_.prompts.pickFile(
      wishFor(kind, title_), [this, kind, plot = QPointer(plot_)](const QString& path) {
        if (path.isEmpty() || !plot) return;
        const QString trouble = kind == ExportKind::Png   ? plot->exportPng(path)
                                : kind == ExportKind::Svg ? plot->exportSvg(path)
                                                          : plot->exportCsv(path);
        if (trouble.isEmpty()) {
          context_.prompts.notice(tr("Saved to %1").arg(path));
        } else {
          context_.prompts.showError(tr("The plot could not be saved"), trouble);
        }
      });
}

QByteArray CurveView::saveHabits() const {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  stream << kHabitsVersion << static_cast<qint32>(plot_->xAxis())
         << static_cast<qint32>(plot_->yScale()) << static_cast<qint32>(plot_->yFit())
         << plot_->smoothing();
  return bytes;
}

bool CurveView::restoreHabits(const QByteArray& state) {
  QDataStream stream(state);
  qint32 version = 0, axis = 0, scale = 0, fit = 0;
  double smoothing = 0;
  stream >> version >> axis >> scale >> fit >> smoothing;
  const bool ours = stream.status() == QDataStream::Ok && version == kHabitsVersion && axis >= 0 &&
                    axis <= 2 && scale >= 0 && scale <= 1 && fit >= 0 && fit <= 1 &&
                    smoothing >= 0 && smoothing < 1;
  if (!ours) return false;
  plot_->setXAxis(static_cast<XAxis>(axis));
  plot_->setYScale(static_cast<YScale>(scale));
  plot_->setYFit(static_cast<YFit>(fit));
  plot_->setSmoothing(smoothing);
  if (std::exchange(axis_, plot_->xAxis()) != plot_->xAxis()) Q_EMIT xAxisChosen(plot_->xAxis());
  return true;
}

void CurveView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  set_->setAsleep(false);
}

void CurveView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  set_->setAsleep(true);
}

void CurveView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) plot_->setTheme(plotThemeOf(currentTheme()));
}

}  // namespace tenon::ui
