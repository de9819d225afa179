// SPDX-License-Identifier: GPL-3.0-or-later
// Reading, checking, stepping and committing of numbers (number_field.h).
#include "ui/widgets/number_field.h"

#include <QLabel>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>
#include <cmath>
#include <utility>

#include "ui/widgets/format.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_edit.h"
#include "ui/widgets/tenon_style.h"

namespace tenon::ui {
namespace {

constexpr int kRestMs = 400;
constexpr int kResetSide = 24;

/// 10^exponent times a small mantissa, exactly the double that the decimal text means.
double decimal(double mantissa, int exponent) {
  return QStringLiteral("%1e%2").arg(mantissa).arg(exponent).toDouble();
}

/// The neighbour of a positive number in the row 1, 2, 5, 10, 20, ...
double nextOnLogScale(double value, bool up) {
  constexpr std::array kRow{1.0, 2.0, 5.0};
  constexpr double kSlack = 1e-9;
  const int exponent = static_cast<int>(std::floor(std::log10(value) + kSlack));
  const double mantissa = value / decimal(1, exponent);
  if (up) {
    for (const double entry : kRow) {
      if (entry > mantissa * (1 + kSlack)) return decimal(entry, exponent);
    }
    return decimal(1, exponent + 1);
  }
  for (auto entry = kRow.rbegin(); entry != kRow.rend(); ++entry) {
    if (*entry < mantissa * (1 - kSlack)) return decimal(*entry, exponent);
  }
  return decimal(5, exponent - 1);
}

/// One unit of the last digit that the shortest text of the value shows.
double lastDigit(double value) {
  const QString text = shortestNumber(value);
  const qsizetype exponentAt = text.indexOf(u'e');
  const qsizetype point = text.indexOf(u'.');
  const qsizetype end = exponentAt < 0 ? text.size() : exponentAt;
  const int behind = point < 0 ? 0 : static_cast<int>(end - point - 1);
  const int exponent = exponentAt < 0 ? 0 : QStringView(text).mid(exponentAt + 1).toInt();
  return decimal(1, exponent - behind);
}

}  // namespace

NumberField::NumberField(QWidget* parent) : NumberField(NumberSpec{}, parent) {}

NumberField::NumberField(const NumberSpec& spec, QWidget* parent) : QWidget(parent) {
  build();
  setSpec(spec);
  if (spec.defaultValue) setValue(*spec.defaultValue);
}

void NumberField::build() {
  edit_ = new NumberEdit(this);
  setFocusProxy(edit_);
  reset_ = new QToolButton(edit_);
  reset_->setIcon(icon(QStringLiteral("reset"), Tint::Secondary));
  reset_->setIconSize(QSize(14, 14));
  reset_->setCursor(Qt::ArrowCursor);
  reset_->setFocusPolicy(Qt::NoFocus);
  reset_->hide();
  message_ = new InlineMessage(this);
  message_->hide();
  rest_ = new QTimer(this);
  rest_->setSingleShot(true);
  rest_->setInterval(kRestMs);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addWidget(edit_);
  layout->addWidget(message_);
  connect(reset_, &QToolButton::clicked, this, &NumberField::reset);
  connect(rest_, &QTimer::timeout, this, &NumberField::finishStepping);
  connect(edit_, &QLineEdit::textEdited, this, [this] {
    if (!error_.isEmpty()) setError({});
  });
}

void NumberField::setSpec(const NumberSpec& spec) {
  spec_ = spec;
  edit_->setUnit(spec.unit);
  edit_->setResettable(spec.defaultValue.has_value());
  if (spec.defaultValue) {
    reset_->setToolTip(tr("Back to the default, %1").arg(shortestNumber(*spec.defaultValue)));
    reset_->setAccessibleName(reset_->toolTip());
  }
  showValue();
}

void NumberField::setValue(double value) {
  if (value != value_) {
    stepping_ = false;
    rest_->stop();
  }
  value_ = value;
  error_.clear();
  showValue();
}

QString NumberField::text() const { return edit_->text(); }

bool NumberField::isDefault() const { return !spec_.defaultValue || *spec_.defaultValue == value_; }

bool NumberField::hasUncommittedText() const {
  return error_.isEmpty() && edit_->isModified() && edit_->text() != shortestNumber(value_);
}

void NumberField::setError(const QString& text) {
  error_ = text;
  showState();
}

void NumberField::setReadOnly(bool readOnly) {
  edit_->setReadOnly(readOnly);
  showState();
}

void NumberField::showValue() {
  edit_->setText(shortestNumber(value_));
  edit_->setModified(false);
  showState();
}

void NumberField::showState() {
  const bool changed = !isDefault();
  edit_->setMarked(changed);
  reset_->setVisible(changed && !edit_->isReadOnly() && isEnabled());
  edit_->setProperty(kInvalidProperty, !error_.isEmpty());
  edit_->update();
  message_->setText(error_);
  message_->setVisible(!error_.isEmpty());
  edit_->setAccessibleDescription(error_.isEmpty() ? spec_.unit : error_);
}

std::optional<QString> NumberField::refusal(double value) const {
  const QString low = shortestNumber(spec_.minimum);
  const QString high = shortestNumber(spec_.maximum);
  if (spec_.integer && value != std::floor(value)) return tr("Wants a whole number");
  const bool under = spec_.minimumOpen ? value <= spec_.minimum : value < spec_.minimum;
  const bool over = spec_.maximumOpen ? value >= spec_.maximum : value > spec_.maximum;
  if (!under && !over) return std::nullopt;
  if (under) {
    return spec_.minimumOpen ? tr("Wants more than %1").arg(low) : tr("Wants at least %1").arg(low);
  }
  return spec_.maximumOpen ? tr("Wants less than %1").arg(high) : tr("Wants at most %1").arg(high);
}

bool NumberField::commit() {
  if (edit_->isReadOnly()) return true;
  if (!error_.isEmpty()) return false;
  const QString text = edit_->text();
  if (!edit_->isModified() || text == shortestNumber(value_)) {
    edit_->setModified(false);
    return true;
  }
  const auto number = parseNumber(text);
  if (!number) {
    setError(tr("Not a number: %1").arg(text.isEmpty() ? tr("nothing") : text));
    return false;
  }
  if (const auto reason = refusal(*number)) {
    setError(*reason);
    return false;
  }
  take(*number);
  return true;
}

void NumberField::take(double value) {
  const double before = value_;
  value_ = value;
  error_.clear();
  showValue();
  if (value == before) return;
  Q_EMIT valueChanged(value);
  Q_EMIT valueCommitted(before, value);
}

void NumberField::reset() {
  finishStepping();
  if (spec_.defaultValue && !edit_->isReadOnly()) take(*spec_.defaultValue);
}

double NumberField::stepped(double value, int steps) const {
  const bool up = steps > 0;
  const bool scaled = spec_.logarithmic && !spec_.integer;
  const double wide = spec_.step > 0 ? spec_.step : (spec_.integer ? 1.0 : lastDigit(value));
  for (int i = 0; i < std::abs(steps); ++i) {
    if (scaled && value > 0) {
      value = nextOnLogScale(value, up);
    } else if (scaled) {
      // From zero a log scale has no next number: begin well below the default.
      const double start = spec_.defaultValue.value_or(0.0);
      value = up ? decimal(1, start > 0 ? static_cast<int>(std::floor(std::log10(start))) - 3 : -6)
                 : value;
    } else if (spec_.logarithmic && value >= 1) {
      value = up ? value * 2 : std::max(spec_.minimum, std::floor(value / 2));
    } else {
      value += up ? wide : -wide;
    }
  }
  if (!scaled) value = QString::number(value, 'g', 14).toDouble();
  return value;
}

void NumberField::stepBy(int steps) {
  if (edit_->isReadOnly() || steps == 0) return;
  if (!commit()) setValue(value_);
  double next = stepped(value_, steps);
  next = std::clamp(next, spec_.minimum, spec_.maximum);
  if (next == value_ || refusal(next)) return;
  if (!std::exchange(stepping_, true)) before_ = value_;
  value_ = next;
  showValue();
  rest_->start();
  Q_EMIT valueChanged(next);
}

void NumberField::finishStepping() {
  rest_->stop();
  if (!std::exchange(stepping_, false)) return;
  if (before_ != value_) Q_EMIT valueCommitted(before_, value_);
}

void NumberField::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int top = (measure::kField - kResetSide) / 2;
  reset_->setGeometry(edit_->width() - kResetSide - 1, top, kResetSide, kResetSide);
}

/// A screen reader lands on the inner edit: it speaks the field's name, or its label's.
void NumberField::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  QString name = accessibleName();
  if (name.isEmpty() && parentWidget()) {
    for (const QLabel* label : parentWidget()->findChildren<QLabel*>())
      if (label->buddy() == this) name = label->text().remove(u'&');
  }
  if (!name.isEmpty()) edit_->setAccessibleName(name);
}

void NumberField::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::EnabledChange) showState();
}

}  // namespace tenon::ui
