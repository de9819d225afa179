// SPDX-License-Identifier: GPL-3.0-or-later
// Collapsible sections, search fields and mode buttons (section.h).
#include "ui/widgets/section.h"

#include <QAbstractButton>
#include <QAction>
#include <QKeyEvent>
#include <QPainter>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/widgets/icon.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kSearchRestMs = 120;

}  // namespace

/// The clickable line over the content.
class Section::Header final : public QAbstractButton {
 public:
  explicit Header(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  }

  void setNote(const QString& note) {
    note_ = note;
    update();
  }
  void setOpen(bool open) {
    open_ = open;
    update();
  }
  [[nodiscard]] QSize sizeHint() const override {
    const QFontMetrics metrics(titleFont());
    return {24 + metrics.horizontalAdvance(text()) + 8, measure::kButton};
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    if (underMouse()) painter.fillRect(rect(), theme.hovered(theme.surface));
    const QRect arrow(4, 0, 16, height());
    paint::chevron(painter, arrow, open_ ? Qt::DownArrow : Qt::RightArrow, theme.secondary, 7);
    painter.setFont(titleFont());
    painter.setPen(theme.text);
    const QRect room = rect().adjusted(24, 0, -8, 0);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text());
    painter.setFont(textFont(TextSize::Small));
    painter.setPen(theme.secondary);
    painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, note_);
    if (paint::hasKeyFocus(*this)) paint::focusRing(painter, rect(), theme);
  }

 private:
  [[nodiscard]] static QFont titleFont() {
    QFont font = textFont();
    font.setWeight(QFont::DemiBold);
    return font;
  }

  QString note_;
  bool open_ = true;
};

Section::Section(const QString& title, QWidget* parent)
    : QWidget(parent), header_(new Header(this)), layout_(new QVBoxLayout(this)) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(0);
  layout_->addWidget(header_);
  setTitle(title);
  setExpanded(true);
  connect(header_, &QAbstractButton::clicked, this, [this] { setExpanded(!expanded_); });
}

void Section::setContent(QWidget* content) {
  delete content_;
  content_ = content;
  if (!content) return;
  layout_->addWidget(content);
  content->setVisible(expanded_);
}

void Section::setTitle(const QString& title) {
  header_->setText(title);
  header_->setAccessibleName(title);
  header_->updateGeometry();
}

void Section::setNote(const QString& note) { header_->setNote(note); }

void Section::setExpanded(bool expanded) {
  header_->setOpen(expanded);
  header_->setAccessibleDescription(expanded ? tr("Open; Space closes")
                                             : tr("Closed; Space opens"));
  if (content_) content_->setVisible(expanded);
  if (std::exchange(expanded_, expanded) != expanded) Q_EMIT expandedChanged(expanded);
}

SearchField::SearchField(const QString& placeholder, QWidget* parent)
    : QLineEdit(parent), rest_(new QTimer(this)) {
  setPlaceholderText(placeholder);
  setAccessibleName(placeholder.isEmpty() ? tr("Search") : placeholder);
  setClearButtonEnabled(true);
  addAction(icon(QStringLiteral("search"), Tint::Secondary), QLineEdit::LeadingPosition);
  rest_->setSingleShot(true);
  rest_->setInterval(kSearchRestMs);
  connect(this, &QLineEdit::textChanged, rest_, qOverload<>(&QTimer::start));
  connect(rest_, &QTimer::timeout, this, [this] { Q_EMIT searchChanged(text()); });
}

void SearchField::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
    clear();
    return;
  }
  QLineEdit::keyPressEvent(event);
  // What a line edit leaves over presses a button of the dialog it stands in.
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) event->accept();
}

ModeButton::ModeButton(const QString& iconName, const QString& text, QWidget* parent)
    : QToolButton(parent), iconName_(iconName) {
  setText(text);
  setCheckable(true);
  setAutoExclusive(true);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName(text);
}

void ModeButton::setBadge(std::optional<Tint> tint) {
  badge_ = tint;
  update();
}

QSize ModeButton::sizeHint() const { return {measure::kModeBar, measure::kModeBar}; }

void ModeButton::paintEvent(QPaintEvent*) {
  const Theme& theme = currentTheme();
  QPainter painter(this);
  const QRect body = rect().adjusted(4, 2, -4, -2);
  const bool hot = isEnabled() && underMouse();
  if (isChecked()) {
    paint::box(painter, body, theme.selection);
    painter.fillRect(QRect(0, body.top() + 6, 3, body.height() - 12), theme.accent);
  } else if (hot || isDown()) {
    paint::box(painter, body, theme.hovered(theme.surface));
  }
  QColor color = isChecked() || hot ? theme.text : theme.secondary;
  if (!isEnabled()) color = mixed(theme.secondary, theme.surface, 0.5);
  const QPoint corner(width() / 2 - 10, height() / 2 - 18);
  painter.drawPixmap(corner, iconPixmap(iconName_, color, measure::kIcon, devicePixelRatioF()));
  QFont font = textFont(TextSize::Small);
  // "Welcome" must fit 56 px: where the system font is a wide one, its letters move together.
  const int room = body.width() - 2;
  if (const int wide = QFontMetrics(font).horizontalAdvance(text()); wide > room)
    font.setStretch(std::max(80, 100 * room / wide));
  painter.setFont(font);
  painter.setPen(color);
  const QRect line(0, height() / 2 + 5, width(), 16);
  painter.drawText(line, Qt::AlignCenter,
                   QFontMetrics(font).elidedText(text(), Qt::ElideRight, width()));
  if (badge_) {
    paint::box(painter, QRectF(corner.x() + 17, corner.y() - 2, 7, 7), theme.color(*badge_),
               theme.surface, 3.5);
  }
  if (paint::hasKeyFocus(*this)) paint::focusRing(painter, body, theme);
}

}  // namespace tenon::ui
