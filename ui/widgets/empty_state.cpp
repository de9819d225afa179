// SPDX-License-Identifier: GPL-3.0-or-later
// Lays out and paints an empty place (empty_state.h).
#include "ui/widgets/empty_state.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/widgets/icon.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kIconSide = 32;
constexpr int kTextWidth = 340;
constexpr int kLowTextWidth = 640;  // where the place is too low for narrow lines

}  // namespace

EmptyState::EmptyState(QWidget* parent) : EmptyState({}, {}, {}, parent) {}

EmptyState::EmptyState(const QString& iconName, const QString& title, const QString& text,
                       QWidget* parent)
    : QWidget(parent),
      icon_(new QLabel(this)),
      title_(new QLabel(this)),
      text_(new QLabel(this)),
      button_(new QPushButton(this)) {
  title_->setFont(textFont(TextSize::Title));
  text_->setForegroundRole(QPalette::PlaceholderText);
  text_->setWordWrap(true);
  text_->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  text_->setMinimumWidth(kTextWidth / 2);
  text_->setMaximumWidth(kTextWidth);
  button_->hide();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(measure::kGap4, measure::kGap2, measure::kGap4, measure::kGap2);
  layout->setSpacing(measure::kGap2);
  layout->addStretch(1);
  layout->addWidget(icon_, 0, Qt::AlignHCenter);
  layout->addWidget(title_, 0, Qt::AlignHCenter);
  auto* row = new QHBoxLayout;
  row->addStretch(1);
  row->addWidget(text_, 1000);
  row->addStretch(1);
  auto* body = new QBoxLayout(QBoxLayout::TopToBottom);
  body->setObjectName(QStringLiteral("body"));
  body->setSpacing(measure::kGap2 + measure::kGap1);
  body->addLayout(row, 1);
  body->addWidget(button_, 0, Qt::AlignCenter);
  layout->addLayout(body);
  layout->addStretch(1);
  connect(button_, &QPushButton::clicked, this, &EmptyState::actionTriggered);
  setIconName(iconName);
  setTitle(title);
  setText(text);
}

void EmptyState::setIconName(const QString& name) {
  iconName_ = name;
  fit();
}

void EmptyState::setTitle(const QString& title) {
  title_->setText(title);
  fit();
}

void EmptyState::setText(const QString& text) {
  text_->setText(text);
  text_->setVisible(!text.isEmpty());
  fit();
}

void EmptyState::setAction(const QString& text, bool primary) {
  button_->setText(text);
  button_->setProperty(kPrimaryProperty, primary);
  button_->setVisible(!text.isEmpty());
  button_->updateGeometry();
  fit();
}

void EmptyState::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) fit();
}

void EmptyState::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

int EmptyState::heightNeeded(int textWidth, bool title, bool icon) const {
  int needed = 2 * measure::kGap2;
  if (icon) needed += kIconSide + measure::kGap2;
  if (title) needed += title_->sizeHint().height() + measure::kGap2;
  if (!text_->isHidden()) needed += text_->heightForWidth(textWidth) + measure::kGap2;
  if (!button_->isHidden()) needed += button_->sizeHint().height() + 2 * measure::kGap1;
  return needed;
}

/// In a low panel the words are worth more than the picture, the sentence more than its title, and
/// long lines are better than lost ones.
void EmptyState::fit() {
  const int room = width() - 2 * measure::kGap4;
  const int usual = std::min(kTextWidth, room);
  const bool titled = !title_->text().isEmpty();
  const bool low = heightNeeded(usual, titled, false) > height();
  const int textWidth = low ? std::min(kLowTextWidth, room) : usual;
  const bool untitled =
      titled && !text_->isHidden() && heightNeeded(textWidth, titled, false) > height();
  // Where even that is too high, the button stands beside the sentence.
  const bool beside = low && !text_->isHidden() && !button_->isHidden() &&
                      heightNeeded(textWidth, false, false) > height();
  findChild<QBoxLayout*>(QStringLiteral("body"))
      ->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  text_->setMaximumWidth(low ? kLowTextWidth : kTextWidth);
  title_->setVisible(titled && !untitled);
  const bool pictured =
      !iconName_.isEmpty() && !low && heightNeeded(usual, titled, true) <= height();
  icon_->setVisible(pictured);
  if (!pictured) return;
  icon_->setPixmap(iconPixmap(iconName_, currentTheme().secondary, kIconSide, devicePixelRatioF()));
}

}  // namespace tenon::ui
