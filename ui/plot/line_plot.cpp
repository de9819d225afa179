// SPDX-License-Identifier: GPL-3.0-or-later
// LinePlot's interface: curves, settings and the events that concern the whole widget.
#include "ui/plot/line_plot.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QPainter>
#include <algorithm>

#include "ui/plot/line_plot_impl.h"
#include "ui/plot/link_group.h"

namespace tenon::ui {

LinePlot::Impl::Impl(LinePlot* plot)
    : q(plot),
      legend(new LegendBar(plot)),
      chip(new ChipButton(plot)),
      emptyButton(new QPushButton(plot)) {
  timer.setSingleShot(true);
  QObject::connect(&timer, &QTimer::timeout, q, [this] { drawNewData(); });
  QObject::connect(legend, &LegendBar::toggled, q, [this](const QString& k) { legendToggled(k); });
  QObject::connect(legend, &LegendBar::isolated, q,
                   [this](const QString& k, bool afterClick) { legendIsolated(k, afterClick); });
  chip->setText(tr("Following off"));
  chip->setToolTip(
      tr("New data does not move the zoomed view. Click to show everything and follow "
         "again (double click, Home)"));
  chip->setAccessibleName(tr("Following off: show everything and follow"));
  chip->hide();
  QObject::connect(chip, &ChipButton::clicked, q, &LinePlot::fitAndFollow);
  emptyButton->hide();
  QObject::connect(emptyButton, &QPushButton::clicked, q, [this] {
    if (emptyAction) emptyAction->trigger();
  });
}

LinePlot::Impl::Curve* LinePlot::Impl::find(const QString& key) {
  const auto found = std::find_if(curves.begin(), curves.end(),
                                  [&key](const auto& c) { return c->spec.key == key; });
  return found == curves.end() ? nullptr : found->get();
}

const LinePlot::Impl::Curve* LinePlot::Impl::find(const QString& key) const {
  return const_cast<Impl*>(this)->find(key);
}

QColor LinePlot::Impl::colourOf(const Curve& curve) const {
  return theme.seriesColour(curve.spec.run);
}

QList<qreal> LinePlot::Impl::dashOf(const Curve& curve) const {
  return seriesDash(curve.spec.run, curve.spec.validation);
}

QList<LegendEntry> LinePlot::Impl::legendEntries() const {
  QList<LegendEntry> entries;
  if (!legendVisible) return entries;
  for (const auto& curve : curves) {
    entries.append(
        {curve->spec.key, curve->spec.name, colourOf(*curve), dashOf(*curve), curve->visible});
  }
  return entries;
}

void LinePlot::Impl::setVisible(Curve& curve, bool visible) {
  if (curve.visible == visible) return;
  curve.visible = visible;
  Q_EMIT q->curveVisibilityChanged(curve.spec.key, visible);
}

void LinePlot::Impl::isolate(const QString& key) {
  const bool alone = std::all_of(curves.begin(), curves.end(), [&key](const auto& c) {
    return c->visible == (c->spec.key == key);
  });
  for (const auto& curve : curves) setVisible(*curve, alone || curve->spec.key == key);
  curvesChanged();
}

void LinePlot::Impl::legendToggled(const QString& key) {
  visibleBeforeClick.clear();
  for (const auto& curve : curves) visibleBeforeClick[curve->spec.key] = curve->visible;
  Curve* curve = find(key);
  if (curve) setVisible(*curve, !curve->visible);
  curvesChanged();
}

void LinePlot::Impl::legendIsolated(const QString& key, bool afterClick) {
  // The click before a double click has toggled: isolate from what was shown before it.
  for (const auto& curve : curves) {
    if (afterClick) setVisible(*curve, visibleBeforeClick.value(curve->spec.key, curve->visible));
  }
  isolate(key);
}

void LinePlot::Impl::curvesChanged() {
  legend->setEntries(legendEntries(), theme);
  contentChanged();
}

void LinePlot::Impl::contentChanged() {
  yFitDue = true;
  invalidate();
}

LinePlot::LinePlot(QWidget* parent) : QWidget(parent), d_(std::make_unique<Impl>(this)) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Plot"));
  d_->emptyText = tr("No points yet");
  d_->buildKeys();
  setTheme(PlotTheme::light());
}

LinePlot::~LinePlot() {
  if (d_->group) d_->group->remove(this);
}

void LinePlot::setTheme(const PlotTheme& theme) {
  d_->theme = theme;
  d_->styleCanvas(d_->canvas);
  d_->chip->setTheme(theme);
  d_->curvesChanged();
}

const PlotTheme& LinePlot::theme() const { return d_->theme; }

void LinePlot::setTitle(const QString& title) {
  d_->title = title;
  setAccessibleName(title.isEmpty() ? tr("Plot") : title);
  d_->invalidate();
}

QString LinePlot::title() const { return d_->title; }

void LinePlot::setValueAxis(const QString& name, const QString& unit) {
  d_->valueName = name;
  d_->valueUnit = unit;
  d_->invalidate();
}

void LinePlot::setEmptyText(const QString& text) {
  d_->emptyText = text;
  d_->invalidate();
}

void LinePlot::setEmptyAction(QAction* action) {
  if (d_->emptyAction) disconnect(d_->emptyAction, nullptr, this, nullptr);
  d_->emptyAction = action;
  if (action) connect(action, &QAction::changed, this, [this] { d_->invalidate(); });
  d_->invalidate();
}

void LinePlot::setCurve(const CurveSpec& spec) {
  CurveSpec wanted = spec;
  if (!wanted.data) wanted.data = std::make_shared<SeriesData>();
  Impl::Curve* curve = d_->find(wanted.key);
  if (!curve) {
    d_->curves.push_back(
        std::make_unique<Impl::Curve>(Impl::Curve{wanted, SmoothedSeries(wanted.data)}));
    curve = d_->curves.back().get();
  } else if (curve->spec.data != wanted.data) {
    curve->smooth = SmoothedSeries(wanted.data);
  }
  curve->spec = wanted;
  curve->smooth.setDecay(d_->decay);
  d_->curvesChanged();
}

void LinePlot::removeCurve(const QString& key) {
  std::erase_if(d_->curves, [&key](const auto& c) { return c->spec.key == key; });
  d_->curvesChanged();
}

void LinePlot::clearCurves() {
  d_->curves.clear();
  d_->curvesChanged();
}

QStringList LinePlot::curves() const {
  QStringList keys;
  for (const auto& curve : d_->curves) keys.append(curve->spec.key);
  return keys;
}

void LinePlot::setCurveVisible(const QString& key, bool visible) {
  Impl::Curve* curve = d_->find(key);
  if (!curve || curve->visible == visible) return;
  d_->setVisible(*curve, visible);
  d_->curvesChanged();
}

bool LinePlot::isCurveVisible(const QString& key) const {
  const Impl::Curve* curve = d_->find(key);
  return curve && curve->visible;
}

void LinePlot::isolateCurve(const QString& key) {
  if (d_->find(key)) d_->isolate(key);
}

void LinePlot::setXAxis(XAxis axis) {
  if (d_->axis == axis) return;
  d_->axis = axis;
  d_->linkedHover.reset();
  fitAndFollow();  // a range in steps says nothing in seconds
}

XAxis LinePlot::xAxis() const { return d_->axis; }

void LinePlot::setYScale(YScale scale) {
  d_->scale = scale;
  d_->yLocked = false;
  d_->contentChanged();
}

YScale LinePlot::yScale() const { return d_->scale; }

void LinePlot::setYFit(YFit fit) {
  d_->yFit = fit;
  d_->yLocked = false;
  d_->contentChanged();
}

YFit LinePlot::yFit() const { return d_->yFit; }

void LinePlot::setYInclude(double lower, double upper) {
  d_->include = AxisRange{lower, upper};
  d_->contentChanged();
}

void LinePlot::setSmoothing(double decay) {
  d_->decay = std::clamp(decay, 0.0, 0.999);
  for (const auto& curve : d_->curves) curve->smooth.setDecay(d_->decay);
  d_->invalidate();
}

double LinePlot::smoothing() const { return d_->decay; }

void LinePlot::setLegendVisible(bool visible) {
  d_->legendVisible = visible;
  d_->curvesChanged();
}

void LinePlot::dataChanged() { d_->newData(); }

void LinePlot::setRefreshRate(double perSecond) { d_->rate = std::clamp(perSecond, 0.1, 120.0); }

double LinePlot::refreshRate() const { return d_->rate; }

bool LinePlot::isFollowing() const { return d_->following; }

AxisRange LinePlot::xRange() const {
  d_->settleIfDue();
  return d_->x;
}

AxisRange LinePlot::yRange() const {
  d_->settleIfDue();
  return d_->y;
}

void LinePlot::setXRange(AxisRange range) {
  d_->settleIfDue();
  d_->yFitDue = true;
  d_->userX(range);
}

void LinePlot::setYRange(AxisRange range) {
  d_->settleIfDue();
  d_->userY(range);
}

void LinePlot::fitAndFollow() {
  d_->yLocked = false;
  d_->setFollowing(true);
  d_->fit();
  d_->invalidate();
  d_->tellX();
}

QRect LinePlot::plotArea() const { return d_->picture.plot; }

QString LinePlot::note() const {
  d_->settleIfDue();
  return d_->noteText();
}

QString LinePlot::summary() const { return d_->summaryText(); }

QStringList LinePlot::readout(double x) const {
  const Readout readout = d_->readoutAt(x);
  QStringList lines;
  if (!readout.heading.isEmpty()) lines.append(readout.heading);
  for (const auto& row : readout.rows) {
    QStringList parts{row.name, row.raw};
    if (!row.smooth.isEmpty()) parts.append(row.smooth);
    if (!row.where.isEmpty()) parts.append(row.where);
    lines.append(parts.join(QLatin1Char('\t')));
  }
  return lines;
}

int LinePlot::renderCount() const { return d_->renders; }

QSize LinePlot::sizeHint() const { return {480, 240}; }

QSize LinePlot::minimumSizeHint() const { return {200, 112}; }

void LinePlot::paintEvent(QPaintEvent*) {
  const bool fits = d_->frame.size() == size() * devicePixelRatioF();
  if (d_->frameDirty || !fits) d_->rebuild();
  QPainter painter(this);
  painter.drawPixmap(0, 0, d_->frame);
  d_->paintOverlay(painter);
}

void LinePlot::resizeEvent(QResizeEvent*) {
  d_->frameDirty = true;
  d_->placeChildren();
}

void LinePlot::showEvent(QShowEvent*) { d_->drawNewData(); }

void LinePlot::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange && event->type() != QEvent::LanguageChange) return;
  d_->styleCanvas(d_->canvas);
  d_->invalidate();
}

void LinePlot::addActionsTo(QMenu* menu) {
  const auto add = [menu](QMenu* to, const QString& text, const QString& tip) {
    QAction* action = (to ? to : menu)->addAction(text);
    action->setToolTip(tip);
    action->setStatusTip(tip);
    return action;
  };
  QAction* fit = add(nullptr, tr("&Fit and follow"), tr("Show everything and follow new data"));
  fit->setShortcuts(d_->keys.action(QLatin1String("plot.fit"))->shortcuts());
  connect(fit, &QAction::triggered, this, &LinePlot::fitAndFollow);
  menu->addSeparator();
  QMenu* axes = menu->addMenu(tr("&X axis"));
  auto* choice = new QActionGroup(axes);
  const std::pair<XAxis, QString> kinds[] = {
      {XAxis::Step, tr("&Step")}, {XAxis::Epoch, tr("&Epoch")}, {XAxis::Time, tr("&Time")}};
  for (const auto& [kind, text] : kinds) {
    QAction* action = add(axes, text, tr("What the x-axis counts"));
    action->setCheckable(true);
    action->setChecked(xAxis() == kind);
    choice->addAction(action);
    connect(action, &QAction::triggered, this, [this, kind = kind] { setXAxis(kind); });
  }
  QAction* log = add(nullptr, tr("&Log scale"), tr("Values <= 0 cannot be shown"));
  log->setCheckable(true);
  log->setChecked(yScale() == YScale::Log);
  connect(log, &QAction::triggered, this,
          [this](bool on) { setYScale(on ? YScale::Log : YScale::Linear); });
  QAction* robust = add(nullptr, tr("&Robust range"), tr("Fit y to the middle 96 % of the values"));
  robust->setCheckable(true);
  robust->setChecked(yFit() == YFit::Robust);
  connect(robust, &QAction::triggered, this,
          [this](bool on) { setYFit(on ? YFit::Robust : YFit::Full); });
  menu->addSeparator();
  QAction* copy = add(nullptr, tr("&Copy image"), tr("Copy the plot as an image"));
  copy->setShortcuts(d_->keys.action(QLatin1String("plot.copy"))->shortcuts());
  connect(copy, &QAction::triggered, this, &LinePlot::copyImage);
  const std::pair<ExportKind, QString> saves[] = {{ExportKind::Png, tr("Save as &PNG...")},
                                                  {ExportKind::Svg, tr("Save as &SVG...")},
                                                  {ExportKind::Csv, tr("Save &values as CSV...")}};
  for (const auto& [kind, text] : saves) {
    QAction* action = add(nullptr, text, tr("Save this plot to a file"));
    connect(action, &QAction::triggered, this,
            [this, kind = kind] { Q_EMIT exportRequested(kind); });
  }
}

}  // namespace tenon::ui
