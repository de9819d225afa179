// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the recorded step and the selection.
#include "ui/panels/memory_track/memory_track_view.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panels/memory_track/memory_stack.h"
#include "ui/session/panel_context.h"
#include "ui/session/recorded_step.h"
#include "ui/tracks/stack_track.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kHeight = 220;
constexpr int kLeastHeight = 140;
constexpr int kMostHeight = 1200;
constexpr int kEdge = 5;
constexpr int kKeyStep = 16;

/// The line between graph and track: a hairline that is dragged, or moved with the arrow keys.
class DragEdge final : public QWidget {
 public:
  DragEdge(QWidget* parent, std::function<void(int)> drag)
      : QWidget(parent), drag_(std::move(drag)) {
    setFixedHeight(kEdge);
    setCursor(Qt::SplitVCursor);
    setFocusPolicy(Qt::TabFocus);
    setToolTip(
        MemoryTrackView::tr("Drag, or press Up and Down, to give the track more or less room"));
    setAccessibleName(MemoryTrackView::tr("Upper edge of the memory track"));
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.fillRect(rect(), currentTheme().surface);
    painter.fillRect(QRect(0, 0, width(), hasFocus() ? measure::kFocusRing : 1),
                     hasFocus() ? currentTheme().accent : currentTheme().hairline);
  }
  void keyPressEvent(QKeyEvent* event) override {
    if (event->key() == Qt::Key_Up) return drag_(kKeyStep);
    if (event->key() == Qt::Key_Down) return drag_(-kKeyStep);
    QWidget::keyPressEvent(event);
  }
  void mousePressEvent(QMouseEvent* event) override { from_ = event->globalPosition().y(); }
  void mouseMoveEvent(QMouseEvent* event) override {
    if (!(event->buttons() & Qt::LeftButton)) return;
    const double now = event->globalPosition().y();
    drag_(static_cast<int>(from_ - now));
    from_ = now;
  }

 private:
  std::function<void(int)> drag_;
  double from_ = 0;
};

TrackTheme trackTheme(const Theme& theme) {
  return {theme.surface, theme.raised,    theme.hairline, theme.fieldBorder,
          theme.text,    theme.secondary, theme.accent};
}

}  // namespace

MemoryTrackView::MemoryTrackView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      step_(RecordedStep::of(context)),
      track_(new StackTrack(this)),
      doubt_(new InlineMessage(this, InlineMessage::Kind::Warning)),
      height_(kHeight) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(new DragEdge(this, [this](int up) { setTrackHeight(height_ + up); }));
  doubt_->setContentsMargins(measure::kGap3, 0, measure::kGap3, 0);
  column->addWidget(doubt_);
  column->addWidget(track_, 1);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setFocusProxy(track_);
  track_->setTitle(tr("Memory"));
  track_->setAxis({tr("time in the step"), tr("ms"), 1e6});
  track_->setDescriber(
      [this](qint64 id) { return shown_ ? blockLines(*shown_, id) : QStringList(); });
  takeTheme();
  connect(&step_, &RecordedStep::changed, this, &MemoryTrackView::stepChanged);
  connect(&step_, &RecordedStep::instantChanged, this, &MemoryTrackView::takeInstant);
  connect(&context_.selection, &Selection::blockChanged, this, &MemoryTrackView::takeBlock);
  connect(track_, &StackTrack::blockSelected, this, &MemoryTrackView::tellBlock);
  connect(track_, &StackTrack::timeClicked, this, &MemoryTrackView::takeTime);
  stepChanged();
}

/// While another step is read and stacked, the track still shows the one before, whose blocks and
/// times mean nothing in the other.
bool MemoryTrackView::isCurrent() const { return shown_ && shown_ == step_.data(); }

void MemoryTrackView::stepChanged() {
  const std::shared_ptr<const StepData> data = step_.data();
  const bool loading = step_.state() == RecordedStep::State::Loading;
  const quint64 generation = ++generation_;
  takeBlock();
  takeInstant();
  if (loading) return;  // what stands meanwhile stays
  const bool damaged = !data->memoryProblem.isEmpty();
  setVisible(step_.state() == RecordedStep::State::Ready);
  const QString doubt = data->memory ? memoryDoubt(*data->memory) : QString();
  doubt_->setText(doubt);
  doubt_->setVisible(!doubt.isEmpty());
  track_->setEmptyText(damaged
                           ? tr("The recorded memory cannot be read: %1").arg(data->memoryProblem)
                           : tr("Only the graph of this step was stored"));
  if (!data->memory) {
    showSource(nullptr, nullptr);
    return;
  }
  background_.run(
      this, [memory = data->memory] { return memoryStack(*memory); },
      [this, generation, data](std::shared_ptr<const TileSource> source) {
        if (generation == generation_) showSource(data, std::move(source));
      },
      [this, generation](const QString& text) {
        if (generation != generation_) return;
        track_->setEmptyText(text);
        showSource(nullptr, nullptr);
      });
}

void MemoryTrackView::showSource(std::shared_ptr<const StepData> data,
                                 std::shared_ptr<const TileSource> source) {
  shown_ = std::move(data);
  track_->setSource(std::move(source));
  takeBlock();
  takeInstant();
}

void MemoryTrackView::takeBlock() {
  if (!choosing_) track_->setSelected(isCurrent() ? step_.block() : -1);
}

void MemoryTrackView::takeInstant() {
  if (isCurrent()) {
    track_->setMarkedTime(step_.instant());
  } else {
    track_->clearMarkedTime();
  }
}

void MemoryTrackView::takeTime(qint64 time) {
  if (isCurrent()) step_.setInstant(time);
}

void MemoryTrackView::tellBlock(qint64 index) {
  if (!isCurrent()) {
    takeBlock();  // the track has marked what was clicked
    return;
  }
  const QScopedValueRollback guard(choosing_, true);
  const std::vector<StepBlock>& blocks = shown_->memory->blocks();
  const bool known = index >= 0 && index < static_cast<qint64>(blocks.size());
  step_.selectBlock(known ? blocks[static_cast<size_t>(index)].id : 0);
}

void MemoryTrackView::setTrackHeight(int height) {
  const int room = parentWidget() ? parentWidget()->height() - kLeastHeight : kMostHeight;
  height_ = std::clamp(height, kLeastHeight, std::max(kLeastHeight, std::min(room, kMostHeight)));
  updateGeometry();
}

QSize MemoryTrackView::sizeHint() const { return {640, height_}; }

QByteArray MemoryTrackView::savePanel() const { return QByteArray::number(height_); }

bool MemoryTrackView::restorePanel(const QByteArray& state) {
  bool ok = false;
  const int height = state.toInt(&ok);
  if (!ok || height < kLeastHeight || height > kMostHeight) return false;
  height_ = height;
  updateGeometry();
  return true;
}

void MemoryTrackView::takeTheme() {
  track_->setTheme(trackTheme(currentTheme()));
  track_->setCategories(stackCategories(currentTheme()));
}

void MemoryTrackView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) takeTheme();
}

}  // namespace tenon::ui
