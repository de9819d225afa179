// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the predictions that a run stores.
#include "ui/panels/samples/samples_view.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/curves/train_board.h"
#include "ui/panels/samples/sample_gallery.h"
#include "ui/session/background.h"
#include "ui/session/commands.h"
#include "ui/session/live_check.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/run_controller.h"
#include "ui/session/run_data.h"
#include "ui/session/selection.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/problem_frame.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

/// Predictions of an epoch, or why they cannot be read.
struct Reading {
  std::shared_ptr<const Predictions> predictions;
  QString problem;
};

Reading readPredictions(Store& store, qint64 artifact) {
  try {
    return {
        std::make_shared<const Predictions>(decodePredictions(store.artifacts().read(artifact))),
        {}};
  } catch (...) {
    return {nullptr, currentExceptionText()};
  }
}

const QString& kindPredictions() {
  static const QString kind = QStringLiteral("predictions");
  return kind;
}

}  // namespace

SamplesView::SamplesView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      board_(TrainBoard::of(context)),
      empty_(new EmptyState(QStringLiteral("image"), tr("No samples yet"), {}, this)),
      problem_(new InlineMessage),
      gallery_(new SampleGallery),
      epochs_(new QComboBox),
      score_(newCaption({})) {
  build();
  follow();
  showEmpty();
}

void SamplesView::build() {
  auto* content = new QWidget(this);
  auto* row = new QHBoxLayout(content);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  auto* side = new QVBoxLayout;
  side->setContentsMargins(measure::kGap3, measure::kGap2, measure::kGap2, measure::kGap2);
  side->setSpacing(measure::kGap1);
  QLabel* caption = newCaption(tr("After e&poch"));
  caption->setBuddy(epochs_);
  epochs_->setAccessibleName(tr("Epoch of the samples"));
  epochs_->setToolTip(tr("Which epoch's predictions are shown; the newest follows the run"));
  epochs_->setFixedWidth(88);
  side->addWidget(caption);
  side->addWidget(epochs_);
  side->addSpacing(measure::kGap1);
  side->addWidget(score_);
  side->addStretch(1);
  row->addLayout(side);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(gallery_);
  scroll->setFocusProxy(gallery_);
  auto* column = new QVBoxLayout;
  column->setContentsMargins(0, 0, 0, 0);
  problem_->setContentsMargins(0, measure::kGap2, measure::kGap3, 0);
  problem_->setObjectName(QStringLiteral("damagedSamples"));
  problem_->hide();
  column->addWidget(problem_);
  column->addWidget(scroll, 1);
  row->addLayout(column, 1);
  auto* pages = new QWidget;
  stack_ = new QStackedLayout(pages);
  stack_->addWidget(empty_);
  stack_->addWidget(content);
  frame_ = new ProblemFrame(tr("The samples cannot be read"), pages, this);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(frame_);
  connect(epochs_, &QComboBox::activated, this, &SamplesView::load);
  connect(empty_, &EmptyState::actionTriggered, this,
          [this] { context_.commands.action(QLatin1String(command::kRun))->trigger(); });
}

void SamplesView::follow() {
  const auto look = [this] { refresh(); };
  connect(&board_, &TrainBoard::runChanged, this, look);
  connect(&context_.selection, &Selection::runsChanged, this, look);
  connect(&context_.navigation, &Navigation::arrived, this, look);
  connect(&context_.runs, &RunData::runsChanged, this, look);
  connect(&context_.runs, &RunData::retried, this, look);
  connect(&context_.run, &RunController::stateChanged, this, look);
  connect(frame_, &ProblemFrame::retryWanted, &context_.runs, &RunData::retry);
  connect(&context_.runs, &RunData::sourceChanged, this, [this] {
    run_ = 0;
    stale_ = true;
    refresh();
  });
  connect(&context_.runs, &RunData::artifactsChanged, this,
          [this](qint64 run, const QString& kind) {
            if ((run != 0 && run != run_) || (!kind.isEmpty() && kind != kindPredictions())) return;
            stale_ = true;
            refresh();
          });
}

/// Train and Results have a panel each, of which only the one in the mode at hand is visible.
qint64 SamplesView::wantedRun() const {
  const bool results = context_.navigation.current().mode == Mode::Results;
  const qint64 selected = context_.selection.currentRun();
  return results && selected > 0 ? selected : board_.run();
}

QStringList SamplesView::classNames() const {
  QStringList names;
  if (const auto& data = context_.check.result()->data)
    for (const std::string& name : data->classes) names.append(QString::fromStdString(name));
  return names;
}

void SamplesView::refresh() {
  if (!isVisible()) return;
  const qint64 wanted = wantedRun();
  if (wanted == run_ && !stale_) {
    if (stack_->currentIndex() == 0) showEmpty();  // whether the run still lives may be news
    return;
  }
  if (std::exchange(run_, wanted) != wanted) {
    epochs_->clear();
    shown_ = loading_ = 0;
    frame_->setProblem({});
  }
  stale_ = false;
  if (run_ == 0) {
    stale_ = true;  // why there is none may be news
    frame_->setProblem(context_.runs.problem());
    showEmpty();
    return;
  }
  context_.runs.listArtifacts(
      run_, kindPredictions(), this,
      [this, run = run_](const std::vector<ArtifactInfo>& list) { takeList(run, list); },
      [this, run = run_](const QString& reason) {
        if (run == run_) cannotRead(reason);
      });
}

void SamplesView::takeList(qint64 run, const std::vector<ArtifactInfo>& list) {
  if (run != run_) return;
  const bool newest = epochs_->currentIndex() <= 0;  // the newest stands first
  const QVariant chosen = epochs_->currentData();
  epochs_->clear();
  for (auto it = list.rbegin(); it != list.rend(); ++it)
    epochs_->addItem(QString::number(it->epoch + 1), QVariant::fromValue(qint64{it->id}));
  epochs_->setCurrentIndex(newest ? 0 : std::max(0, epochs_->findData(chosen)));
  if (list.empty()) {
    shown_ = loading_ = 0;
    frame_->setProblem({});
    showEmpty();
  } else {
    load();
  }
}

void SamplesView::load() {
  const qint64 artifact = epochs_->currentData().toLongLong();
  if (artifact == 0) return;
  if (artifact == shown_) {
    frame_->setProblem({});
    return;
  }
  loading_ = artifact;
  context_.runs.query(
      this, [artifact](Store& store) { return readPredictions(store, artifact); },
      [this, artifact](const Reading& found) {
        if (artifact != loading_) return;  // another one was asked for meanwhile
        loading_ = 0;
        shown_ = artifact;
        frame_->setProblem({});
        if (found.problem.isEmpty()) {
          show(found.predictions);
        } else {
          showProblem(found.problem);
        }
      },
      [this, artifact](const QString& reason) {
        if (artifact != loading_) return;
        loading_ = 0;
        cannotRead(reason);
      });
}

/// The store as a whole; asked again with the next news of it, or when a person presses.
void SamplesView::cannotRead(const QString& reason) {
  stale_ = true;
  frame_->setProblem(reason, shown_ > 0);
}

/// The choice of the epoch stays, so that another one can be looked at.
void SamplesView::showProblem(const QString& problem) {
  gallery_->setCards({}, {});
  score_->clear();
  problem_->setText(tr("The samples of this epoch cannot be read: %1").arg(problem));
  problem_->show();
  stack_->setCurrentIndex(1);
}

void SamplesView::show(const std::shared_ptr<const Predictions>& predictions) {
  if (!predictions || predictions->probabilities.empty()) {
    showEmpty();
    return;
  }
  problem_->hide();
  gallery_->setCards(sampleCards(*predictions), classNames());
  score_->setText(tr("%1 of %2 right").arg(gallery_->rightCount()).arg(gallery_->cards().size()));
  stack_->setCurrentIndex(1);
}

void SamplesView::showEmpty() {
  const bool anyRun = !context_.runs.runs().runs().empty();
  const RunInfo* run = context_.runs.runs().find(run_);
  const bool coming = !anyRun && context_.run.awaitsRun();
  if (!anyRun && !coming) {
    empty_->setText(
        tr("After each epoch a few validation samples are shown with what the model "
           "says of them."));
    empty_->setAction(tr("Run"), false);
  } else {
    const bool first = coming || (run && run->alive());
    empty_->setText(first ? tr("They appear at the end of the first epoch.")
                          : tr("This run stored no predictions."));
    empty_->setAction({});
  }
  stack_->setCurrentIndex(0);
}

void SamplesView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace tenon::ui
