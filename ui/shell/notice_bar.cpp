// SPDX-License-Identifier: GPL-3.0-or-later
// Notices below the top bar.
#include "ui/shell/notice_bar.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/widgets/icon.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kMostLines = 6;

/// A strip with a coloured edge and a hairline below.
class Strip final : public QWidget {
 public:
  Strip(Notice::Kind kind, QWidget* parent) : QWidget(parent), kind_(kind) {}

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& theme = currentTheme();
    const QColor edge = kind_ == Notice::Kind::Error     ? theme.bad
                        : kind_ == Notice::Kind::Warning ? theme.warn
                                                         : theme.accent;
    QPainter painter(this);
    painter.fillRect(rect(), theme.raised);
    painter.fillRect(QRect(0, 0, 3, height()), edge);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.hairline);
  }

 private:
  Notice::Kind kind_;
};

/// The icon of a notice; painted anew when the theme changes.
QToolButton* newSign(Notice::Kind kind, QWidget* parent) {
  auto* sign = new QToolButton(parent);
  sign->setAutoRaise(true);
  sign->setFocusPolicy(Qt::NoFocus);
  sign->setAttribute(Qt::WA_TransparentForMouseEvents);
  sign->setIconSize({measure::kIcon, measure::kIcon});
  sign->setFixedSize(measure::kButton, measure::kButton);
  switch (kind) {
    case Notice::Kind::Error:
      sign->setIcon(icon(QStringLiteral("error"), Tint::Bad));
      sign->setAccessibleName(NoticeBar::tr("Error"));
      break;
    case Notice::Kind::Warning:
      sign->setIcon(icon(QStringLiteral("warning"), Tint::Warn));
      sign->setAccessibleName(NoticeBar::tr("Warning"));
      break;
    case Notice::Kind::Info:
      sign->setIcon(icon(QStringLiteral("info"), Tint::Accent));
      sign->setAccessibleName(NoticeBar::tr("Information"));
      break;
  }
  return sign;
}

}  // namespace

NoticeBar::NoticeBar(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
  setObjectName(QStringLiteral("noticeBar"));
  setAccessibleName(tr("Notices"));
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(0);
  hide();
}

void NoticeBar::show(const Notice& notice) {
  dismiss(notice.key);
  QWidget* strip = build(notice);
  shown_.insert(notice.key, strip);
  if (!notice.stays) closable_.append(notice.key);
  column_->insertWidget(0, strip);
  setVisible(true);
  QAccessibleEvent event(strip, QAccessible::Alert);
  QAccessible::updateAccessibility(&event);
}

bool NoticeBar::dismissNewest() {
  if (closable_.isEmpty()) return false;
  dismiss(QString(closable_.last()));
  return true;
}

void NoticeBar::dismiss(const QString& key) {
  closable_.removeAll(key);
  if (QWidget* strip = shown_.take(key)) {
    strip->hide();
    strip->deleteLater();
  }
  if (shown_.isEmpty()) setVisible(false);
}

QWidget* NoticeBar::build(const Notice& notice) {
  auto* strip = new Strip(notice.kind, this);
  strip->setAccessibleName(notice.text);
  auto* column = new QVBoxLayout(strip);
  column->setContentsMargins(measure::kGap3, measure::kGap1, measure::kGap2, measure::kGap1 + 1);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setSpacing(measure::kGap2);
  row->addWidget(newSign(notice.kind, strip), 0, Qt::AlignTop);
  auto* text = new QLabel(notice.text, strip);
  text->setWordWrap(true);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  text->setMinimumHeight(measure::kButton);
  row->addWidget(text, 1);
  addActions(notice, row, strip);
  column->addLayout(row);
  if (!notice.lines.isEmpty()) column->addWidget(buildLines(notice, strip));
  return strip;
}

void NoticeBar::addActions(const Notice& notice, QHBoxLayout* row, QWidget* parent) {
  for (const NoticeAction& action : notice.actions) {
    auto* button = new QPushButton(action.text, parent);
    button->setProperty(kPrimaryProperty, action.primary);
    button->setFixedHeight(measure::kButton);
    button->setAutoDefault(false);
    row->addWidget(button, 0, Qt::AlignTop);
    connect(button, &QPushButton::clicked, this,
            [this, key = notice.key, run = action.run, keeps = action.keeps] {
              const auto act = run;  // dismissing deletes the button and this with it
              NoticeBar* bar = this;
              if (!keeps) bar->dismiss(key);
              if (act) act();
            });
  }
  if (notice.stays) return;
  auto* close = new QToolButton(parent);
  close->setIcon(icon(QStringLiteral("close"), Tint::Secondary));
  close->setIconSize({measure::kIconSmall, measure::kIconSmall});
  close->setAutoRaise(true);
  close->setFixedSize(measure::kButton, measure::kButton);
  close->setToolTip(tr("Close this notice (Esc)"));
  close->setAccessibleName(tr("Close this notice"));
  row->addWidget(close, 0, Qt::AlignTop);
  connect(close, &QToolButton::clicked, this, [this, key = notice.key] { dismiss(key); });
}

QWidget* NoticeBar::buildLines(const Notice& notice, QWidget* parent) {
  auto* body = new QWidget(parent);
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(measure::kButton + measure::kGap2, 0, 0, measure::kGap1);
  column->setSpacing(0);
  for (const NoticeAction& line : notice.lines) {
    auto* label = new QLabel(body);
    label->setWordWrap(true);
    label->setMinimumHeight(measure::kRow);
    label->setTextFormat(line.run ? Qt::RichText : Qt::PlainText);
    label->setText(line.run ? QStringLiteral("<a href=\"go\">%1</a>").arg(line.text.toHtmlEscaped())
                            : line.text);
    if (line.run) {
      label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
      connect(label, &QLabel::linkActivated, this, [run = line.run] { run(); });
    }
    column->addWidget(label);
  }
  if (notice.lines.size() <= kMostLines) return body;
  auto* area = new QScrollArea(parent);
  area->setWidget(body);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setMaximumHeight(kMostLines * measure::kRow);
  return area;
}

}  // namespace tenon::ui
