// SPDX-License-Identifier: GPL-3.0-or-later
// ShellPrompts: the dialogs behind Prompts, all non-blocking and owned by the window.
#pragma once

#include <QObject>
#include <QPointer>

#include "ui/session/prompts.h"

class QLabel;
class QWidget;

namespace tenon::ui {

class ShellPrompts final : public QObject, public Prompts {
  Q_OBJECT
 public:
  explicit ShellPrompts(QWidget& window);

  void confirm(const Question& question, std::function<void(bool)> then) override;
  void pickFile(const FileWish& wish, std::function<void(const QString&)> then) override;
  void askText(const QString& title, const QString& label, const QString& text,
               std::function<void(const QString&)> then) override;
  void showError(const QString& title, const QString& text, const QString& details = {}) override;
  void notice(const QString& text) override;

  /// A question with several answers; the first is the default, the last is what Escape means.
  /// `then` gets the number of the answer.
  void choose(const QString& title, const QString& text, const QStringList& answers,
              std::function<void(int)> then);

 private:
  QWidget& window_;
  QPointer<QLabel> toast_;
};

}  // namespace tenon::ui
