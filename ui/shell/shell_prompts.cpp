// SPDX-License-Identifier: GPL-3.0-or-later
// Dialogs of the window.
#include "ui/shell/shell_prompts.h"

#include <QAccessible>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kToastMs = 2500;

/// "svg" of "SVG drawings (*.svg)"; empty of a filter without one.
QString suffixOf(const QString& filter) {
  const qsizetype at = filter.indexOf(QLatin1String("(*."));
  const qsizetype end = filter.indexOf(u')', at);
  return at < 0 || end < 0 ? QString() : filter.mid(at + 3, end - at - 3).section(u' ', 0, 0);
}

/// A name typed without an ending gets that of the kind chosen.
void completeNames(QFileDialog& dialog) {
  const auto take = [&dialog](const QString& filter) { dialog.setDefaultSuffix(suffixOf(filter)); };
  QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, take);
  take(dialog.selectedNameFilter());
}

QMessageBox* newBox(QWidget& window, QMessageBox::Icon icon, const QString& title,
                    const QString& text) {
  auto* box = new QMessageBox(&window);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setIcon(icon);
  box->setWindowTitle(title);
  box->setText(QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()));
  box->setInformativeText(text);
  box->setWindowModality(Qt::WindowModal);
  return box;
}

}  // namespace

ShellPrompts::ShellPrompts(QWidget& window) : QObject(&window), window_(window) {}

void ShellPrompts::confirm(const Question& question, std::function<void(bool)> then) {
  QMessageBox* box = newBox(window_, QMessageBox::Question, question.title, question.text);
  QPushButton* go =
      box->addButton(question.action,
                     question.destructive ? QMessageBox::DestructiveRole : QMessageBox::AcceptRole);
  if (question.destructive) go->setProperty(kDangerProperty, true);
  QPushButton* cancel = box->addButton(QMessageBox::Cancel);
  box->setDefaultButton(question.destructive ? cancel : go);
  connect(box, &QMessageBox::finished, this,
          [box, go, then = std::move(then)] { then(box->clickedButton() == go); });
  box->open();
}

void ShellPrompts::choose(const QString& title, const QString& text, const QStringList& answers,
                          std::function<void(int)> then) {
  QMessageBox* box = newBox(window_, QMessageBox::Question, title, text);
  QList<QAbstractButton*> buttons;
  for (const QString& answer : answers) {
    buttons << box->addButton(
        answer, answer == answers.last() ? QMessageBox::RejectRole : QMessageBox::AcceptRole);
  }
  box->setDefaultButton(qobject_cast<QPushButton*>(buttons.first()));
  box->setEscapeButton(buttons.last());
  connect(box, &QMessageBox::finished, this, [box, buttons, then = std::move(then)] {
    const qsizetype answer = buttons.indexOf(box->clickedButton());
    then(static_cast<int>(answer < 0 ? buttons.size() - 1 : answer));
  });
  box->open();
}

void ShellPrompts::pickFile(const FileWish& wish, std::function<void(const QString&)> then) {
  auto* dialog = new QFileDialog(&window_, wish.title, wish.folder);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowModality(Qt::WindowModal);
  if (wish.kind == FileWish::Kind::OpenFolder) {
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly, wish.filters.isEmpty());
  } else if (wish.kind == FileWish::Kind::SaveFile) {
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(wish.name);
  } else {
    dialog->setFileMode(QFileDialog::ExistingFile);
  }
  if (!wish.filters.isEmpty()) dialog->setNameFilters(wish.filters);
  if (wish.kind == FileWish::Kind::SaveFile) completeNames(*dialog);
  connect(dialog, &QFileDialog::finished, this, [dialog, then = std::move(then)](int result) {
    then(result == QDialog::Accepted ? dialog->selectedFiles().value(0) : QString());
  });
  dialog->open();
}

void ShellPrompts::askText(const QString& title, const QString& label, const QString& text,
                           std::function<void(const QString&)> then) {
  auto* dialog = new QInputDialog(&window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowModality(Qt::WindowModal);
  dialog->setWindowTitle(title);
  dialog->setLabelText(label);
  dialog->setTextValue(text);
  connect(dialog, &QInputDialog::accepted, this,
          [dialog, then = std::move(then)] { then(dialog->textValue()); });
  dialog->open();
}

void ShellPrompts::showError(const QString& title, const QString& text, const QString& details) {
  QMessageBox* box = newBox(window_, QMessageBox::Critical, title, text);
  if (!details.isEmpty()) box->setDetailedText(details);
  box->addButton(QMessageBox::Ok);
  box->open();
}

void ShellPrompts::notice(const QString& text) {
  delete toast_;
  toast_ = new QLabel(text, &window_);
  toast_->setObjectName(QStringLiteral("toast"));
  toast_->setAutoFillBackground(true);
  QPalette colours = toast_->palette();
  colours.setColor(QPalette::Window, currentTheme().text);
  colours.setColor(QPalette::WindowText, currentTheme().surface);
  toast_->setPalette(colours);
  toast_->setContentsMargins(measure::kGap3, measure::kGap2, measure::kGap3, measure::kGap2);
  toast_->adjustSize();
  toast_->move((window_.width() - toast_->width()) / 2, window_.height() - toast_->height() - 56);
  toast_->show();
  QAccessibleEvent event(toast_, QAccessible::Alert);
  QAccessible::updateAccessibility(&event);
  QTimer::singleShot(kToastMs, toast_, &QObject::deleteLater);
}

}  // namespace tenon::ui
