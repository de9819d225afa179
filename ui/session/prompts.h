// SPDX-License-Identifier: GPL-3.0-or-later
// Prompts: what panels may ask a person. The shell shows the dialogs; tests answer by themselves.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

namespace tenon::ui {

/// A question with an action: "Delete 2 runs?" "Their curves and checkpoints are removed."
/// "Delete".
struct Question {
  QString title;
  QString text;
  QString action;  ///< label of the button that goes ahead
  bool destructive = false;
};

/// What file or folder is wanted.
struct FileWish {
  enum class Kind { OpenFile, OpenFolder, SaveFile };
  Kind kind = Kind::OpenFile;
  QString title;
  QString folder;       ///< where to begin; empty: the last one
  QString name;         ///< suggested name of a file to save
  QStringList filters;  ///< "Images (*.png)"
};

/// Answers come later, on the GUI thread; nothing blocks.
class Prompts {
 public:
  virtual ~Prompts() = default;
  /// `then(true)` when the person agreed.
  virtual void confirm(const Question& question, std::function<void(bool)> then) = 0;
  /// `then` gets a path, empty when cancelled.
  virtual void pickFile(const FileWish& wish, std::function<void(const QString&)> then) = 0;
  /// One line of text, e.g. a new name; `then` is not called when cancelled.
  virtual void askText(const QString& title, const QString& label, const QString& text,
                       std::function<void(const QString&)> then) = 0;
  /// Something went wrong that the person must know; `details` may be long.
  virtual void showError(const QString& title, const QString& text,
                         const QString& details = {}) = 0;
  /// A short notice that goes away by itself ("Copied").
  virtual void notice(const QString& text) = 0;
};

}  // namespace tenon::ui
