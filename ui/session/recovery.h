// SPDX-License-Identifier: GPL-3.0-or-later
// Recovery: unsaved edits are written to a file after two seconds of rest and offered at the next
// start.
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QTimer>
#include <optional>

#include "engine/project/specs.h"

namespace tenon::ui {

class Background;
class Document;

/// Edits of a project that were not saved when the program ended.
struct RecoveredEdits {
  QString file;    ///< the recovery file
  QDateTime when;  ///< last written
  ProjectSpec spec;
};

/**
 * Keeps one recovery file per project in `folder` (the program's data folder, so that read-only
 * projects have one too). The file is removed as soon as nothing is unsaved.
 */
class Recovery final : public QObject {
  Q_OBJECT
 public:
  Recovery(Document& document, Background& background, QString folder, QObject* parent = nullptr);

  /// Takes the edits that were found; they are unsaved edits of the document then.
  void accept();
  /// Throws them away.
  void discard();
  /// Writes unsaved edits before returning; for the end of the program.
  void flush();
  [[nodiscard]] const std::optional<RecoveredEdits>& found() const { return found_; }
  /// Where the edits of a project file are kept.
  [[nodiscard]] QString fileFor(const QString& projectFile) const;
  /// How long a rest is; tests shorten it.
  void setRest(int ms) { rest_.setInterval(ms); }

 Q_SIGNALS:
  /// After a project was opened of which unsaved edits exist.
  void available(const tenon::ui::RecoveredEdits& edits);
  /// The recovery file is up to date.
  void written();

 private:
  void look();
  void write();
  static void remove(const QString& file);

  Document& document_;
  Background& background_;
  QString folder_;
  QTimer rest_;
  std::optional<RecoveredEdits> found_;
};

}  // namespace tenon::ui
