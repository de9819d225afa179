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
  layout->addLayout(row);
  layout->addSpacing(measure::kGap1);
  layout->addWidget(button_, 0, Qt::AlignHCenter);
  layout->addStretch(1);
  connect(button_, &QPushButton::clicked, this, &EmptyState::actionTriggered);
  setIconName(iconName);
  setTitle(title);
  setText(text);
}

void EmptyState::setIconName(const QString& name) {
  iconName_ = name;
  showIcon();
}

void EmptyState::setTitle(const QString& title) {
  title_->setText(title);
  title_->setVisible(!title.isEmpty());
  showIcon();
}

void EmptyState::setText(const QString& text) {
  text_->setText(text);
  text_->setVisible(!text.isEmpty());
  showIcon();
}

void EmptyState::setAction(const QString& text, bool primary) {
  button_->setText(text);
  button_->setProperty(kPrimaryProperty, primary);
  button_->setVisible(!text.isEmpty());
  button_->updateGeometry();
  showIcon();
}

void EmptyState::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) showIcon();
}

void EmptyState::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showIcon();
}

/// In a low panel the words are worth more than the picture.
bool EmptyState::hasRoomForIcon() const {
  int needed = 2 * measure::kGap2 + kIconSide + measure::kGap2;
  if (!title_->isHidden()) needed += title_->sizeHint().height() + measure::kGap2;
  const int width = std::min(kTextWidth, this->width() - 2 * measure::kGap4);
  if (!text_->isHidden()) needed += text_->heightForWidth(width) + measure::kGap2;
  if (!button_->isHidden()) needed += button_->sizeHint().height() + 2 * measure::kGap1;
  return height() >= needed;
}

void EmptyState::showIcon() {
  const bool shown = !iconName_.isEmpty() && hasRoomForIcon();
  icon_->setVisible(shown);
  if (!shown) return;
  icon_->setPixmap(iconPixmap(iconName_, currentTheme().secondary, kIconSide, devicePixelRatioF()));
}

}  // namespace tenon::ui
