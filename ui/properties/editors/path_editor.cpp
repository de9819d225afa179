// SPDX-License-Identifier: GPL-3.0-or-later
// A path: typed, or picked where the form can ask for one.
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPainter>
#include <QPointer>
#include <QStyleOptionFrame>
#include <QToolButton>

#include "ui/properties/editors/commit_line_edit.h"
#include "ui/properties/param_editor.h"
#include "ui/widgets/icon.h"

namespace tenon::ui {
namespace {

/// Without the focus it shows the file's name, which is what tells paths apart in a narrow form.
class PathLine final : public CommitLineEdit {
 public:
  using CommitLineEdit::CommitLineEdit;

 protected:
  void paintEvent(QPaintEvent* event) override {
    const QString name = QFileInfo(text()).fileName();
    if (hasFocus() || name.isEmpty()) {
      CommitLineEdit::paintEvent(event);
      return;
    }
    QStyleOptionFrame option;
    initStyleOption(&option);
    QPainter painter(this);
    style()->drawPrimitive(QStyle::PE_PanelLineEdit, &option, &painter, this);
    const QRect room = style()
                           ->subElementRect(QStyle::SE_LineEditContents, &option, this)
                           .marginsRemoved(textMargins())
                           .adjusted(kTextGap, 0, -kTextGap, 0);
    const bool on = isEnabled();
    painter.setPen(palette().color(on ? QPalette::Active : QPalette::Disabled, QPalette::Text));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     fontMetrics().elidedText(name, Qt::ElideRight, room.width()));
  }

 private:
  static constexpr int kTextGap = 2;  // what QLineEdit leaves between frame and text
};

class PathEditor final : public ParamEditor {
 public:
  PathEditor(const ParamSpec& spec, PathPicker pick, QWidget* parent)
      : ParamEditor(spec, parent), pick_(std::move(pick)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(line_, 1);
    connect(line_, &CommitLineEdit::committed, this,
            [this](const QString& text) { commit(text.toStdString()); });
    if (!pick_) return;
    button_ = new QToolButton(this);
    button_->setIcon(icon(QStringLiteral("folder")));
    button_->setAutoRaise(true);
    button_->setFixedSize(26, 26);
    button_->setToolTip(tr("Choose…"));
    button_->setAccessibleName(tr("Choose %1").arg(schemaLabel(spec)));
    layout->addWidget(button_);
    connect(button_, &QToolButton::clicked, this, &PathEditor::ask);
  }
  void setReadOnly(bool readOnly) override {
    line_->setReadOnly(readOnly);
    if (button_) button_->setEnabled(!readOnly);
  }
  QWidget* focusTarget() override { return line_; }

 protected:
  void show(const ParamValue& value) override {
    const auto* path = std::get_if<std::string>(&value);
    line_->setTaken(path ? QString::fromStdString(*path) : QString());
    line_->setToolTip(line_->text());
  }

 private:
  void ask() {
    pick_(line_->text(), [self = QPointer<PathEditor>(this)](const QString& path) {
      if (self && !path.isEmpty()) self->commit(path.toStdString());
    });
  }

  PathPicker pick_;
  CommitLineEdit* line_ = new PathLine(this);
  QToolButton* button_ = nullptr;
};

}  // namespace

ParamEditor* newPathEditor(const ParamSpec& spec, const EditorServices& services, QWidget* parent) {
  return new PathEditor(spec, services.pickPath, parent);
}

}  // namespace tenon::ui
