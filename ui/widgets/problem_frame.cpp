// SPDX-License-Identifier: GPL-3.0-or-later
// A page or a band with the reason (problem_frame.h).
#include "ui/widgets/problem_frame.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

ProblemFrame::ProblemFrame(const QString& title, QWidget* content, QWidget* parent)
    : QWidget(parent),
      title_(title),
      content_(content),
      band_(newBand()),
      page_(new EmptyState(QStringLiteral("error"), title, {}, this)),
      stack_(new QStackedLayout) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(band_);
  column->addLayout(stack_, 1);
  stack_->addWidget(content_);
  stack_->addWidget(page_);
  page_->setAction(tr("Try again"), false);
  connect(page_, &EmptyState::actionTriggered, this, &ProblemFrame::retryWanted);
  band_->hide();
}

QWidget* ProblemFrame::newBand() {
  auto* band = new QWidget(this);
  auto* row = new QHBoxLayout(band);
  row->setContentsMargins(measure::kGap3, measure::kGap1, measure::kGap2, measure::kGap1);
  row->setSpacing(measure::kGap2);
  line_ = new InlineMessage(band);
  auto* again = new QPushButton(tr("Try again"), band);
  row->addWidget(line_, 1, Qt::AlignVCenter);
  row->addWidget(again, 0, Qt::AlignVCenter);
  connect(again, &QPushButton::clicked, this, &ProblemFrame::retryWanted);
  return band;
}

void ProblemFrame::setProblem(const QString& reason, bool keepsContent) {
  const bool banded = !reason.isEmpty() && keepsContent;
  if (reason != problem_) {
    problem_ = reason;
    const QString why = reason.isEmpty() ? QString() : tr("Why: %1").arg(reason);
    page_->setText(why);
    page_->setToolTip(why);
    line_->setText(reason.isEmpty() ? QString() : tr("%1: %2").arg(title_, reason));
  }
  band_->setVisible(banded);
  stack_->setCurrentWidget(reason.isEmpty() || banded ? content_ : page_);
}

QSize ProblemFrame::sizeHint() const { return content_->sizeHint(); }

QSize ProblemFrame::minimumSizeHint() const { return content_->minimumSizeHint(); }

}  // namespace tenon::ui
