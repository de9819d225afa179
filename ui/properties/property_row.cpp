// SPDX-License-Identifier: GPL-3.0-or-later
// One row of a form.
#include "ui/properties/property_row.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <algorithm>

#include "engine/schema/help_page.h"
#include "ui/properties/form_grid.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

/// The mark of a value that is not the default. Keeps its room, so that nothing moves.
class ChangedDot final : public QWidget {
 public:
  explicit ChangedDot(QWidget* parent) : QWidget(parent) {
    setFixedSize(form::kDot, measure::kField);
  }
  void setOn(bool on) {
    on_ = on;
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    if (!on_) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(currentTheme().accent);
    painter.drawEllipse(QRectF(1, height() / 2.0 - 2.5, 5, 5));
  }

 private:
  bool on_ = false;
};

PropertyRow::PropertyRow(const ParamSpec& spec, const EditorServices& services, QGridLayout* grid,
                         QWidget* parent)
    : QObject(parent),
      label_(new ElidedLabel(schemaLabel(spec), parent)),
      dot_(new ChangedDot(parent)),
      editor_(newParamEditor(spec, services, parent)),
      reset_(new QToolButton(parent)),
      error_(new QLabel(parent)) {
  label_->setFixedHeight(measure::kField);
  label_->setMuted(true);
  label_->setMinimumWidth(std::min(label_->sizeHint().width(), form::kLongLabel));
  reset_->setIcon(icon(QStringLiteral("reset"), Tint::Secondary));
  reset_->setIconSize({measure::kIconSmall, measure::kIconSmall});
  reset_->setAutoRaise(true);
  reset_->setFixedSize(form::kReset, measure::kField);
  QSizePolicy keepsRoom = reset_->sizePolicy();
  keepsRoom.setRetainSizeWhenHidden(true);
  reset_->setSizePolicy(keepsRoom);
  error_->setWordWrap(true);
  error_->setFont(textFont(TextSize::Small));
  error_->hide();

  const int row = grid->rowCount();
  grid->addWidget(label_, row, 0, Qt::AlignTop);
  grid->addWidget(dot_, row, 1, Qt::AlignTop);
  grid->addWidget(editor_, row, 2, Qt::AlignTop);
  grid->addWidget(reset_, row, 3, Qt::AlignTop);
  grid->addWidget(error_, row + 1, 2, 1, 2);

  connect(editor_, &ParamEditor::edited, this, [this](const ParamValue& value) {
    ownerError_.clear();
    showState();
    Q_EMIT changed(isDefault() ? std::optional<ParamValue>() : std::optional(value));
  });
  connect(editor_, &ParamEditor::refused, this, [this](const QString& reason) {
    editorError_ = reason;
    showState();
  });
  connect(reset_, &QToolButton::clicked, this, [this] {
    setValue(std::nullopt);
    Q_EMIT changed(std::nullopt);
  });
  describe();
  setValue(std::nullopt);
}

void PropertyRow::describe() {
  const ParamSpec& param = spec();
  const QString label = schemaLabel(param);
  QString tip = QStringLiteral("<b>%1</b>").arg(label.toHtmlEscaped());
  const QString help = schemaHelp(param);
  if (!help.isEmpty()) tip += QStringLiteral("<br>") + help.toHtmlEscaped();
  const QString range = QString::fromStdString(rangeText(param));
  if (!range.isEmpty()) tip += QStringLiteral("<br>") + tr("Range: %1").arg(range.toHtmlEscaped());
  const QString standard = QString::fromStdString(valueText(param.defaultValue));
  if (!param.required)
    tip += QStringLiteral("<br>") + tr("Default: %1").arg(standard.toHtmlEscaped());
  label_->setToolTip(tip);
  QWidget* target = editor_->focusTarget();
  editor_->setToolTip(tip);
  if (target->toolTip().isEmpty()) target->setToolTip(tip);
  if (target->accessibleName().isEmpty()) target->setAccessibleName(label);
  target->setAccessibleDescription(help);
  reset_->setToolTip(tr("Back to the default, %1").arg(standard));
  reset_->setAccessibleName(tr("Reset %1").arg(label));
}

void PropertyRow::setValue(const std::optional<ParamValue>& value) {
  editor_->setValue(value ? *value : spec().defaultValue);
  showState();
}

void PropertyRow::setError(const QString& text) {
  ownerError_ = text;
  showState();
}

void PropertyRow::setReadOnly(bool readOnly) {
  readOnly_ = readOnly;
  editor_->setReadOnly(readOnly);
  showState();
}

bool PropertyRow::isDefault() const {
  return !spec().required && sameValue(editor_->value(), spec().defaultValue);
}

bool PropertyRow::hasError() const { return !ownerError_.isEmpty() || !editorError_.isEmpty(); }

void PropertyRow::showState() {
  const bool resettable = !spec().required && !isDefault();
  dot_->setOn(resettable);
  reset_->setVisible(resettable && !readOnly_);
  const QString text = editorError_.isEmpty() ? ownerError_ : editorError_;
  if (!text.isEmpty()) {
    QPalette colours = error_->palette();
    colours.setColor(QPalette::WindowText, currentTheme().bad);
    error_->setPalette(colours);
    error_->setText(QStringLiteral("⚠ ") + text);
  }
  error_->setVisible(!text.isEmpty());
}

}  // namespace tenon::ui
