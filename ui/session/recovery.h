// SPDX-License-Identifier: GPL-3.0-or-later
// Recovery: unsaved edits are written to a file after two seconds of rest and offered at the next
// start.
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <vector>

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
 * Keeps the unsaved edits of a project in a file in `folder` (the program's data folder, so that
 * read-only projects have one too). The file is removed as soon as nothing is unsaved. Edits of an
 * earlier session stay in a file of their own until somebody accepts or discards them, whatever is
 * edited meanwhile.
 */
class Recovery final : public QObject {
  Q_OBJECT
 public:
  Recovery(Document& document, Background& background, QString folder, QObject* parent = nullptr);

  /// Takes the edits that were offered; they are one unsaved edit of the document then, which can
  /// be undone.
  void accept();
  /// Throws them away. Older ones, if there are any, are offered next.
  void discard();
  /// Writes unsaved edits before returning; for the end of the program.
  void flush();
  /// What is offered, newest first; null if nothing is.
  [[nodiscard]] const RecoveredEdits* found() const {
    return found_.empty() ? nullptr : &found_.front();
  }
  /// Where the edits of a project file are kept if none of an earlier session are.
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
  void forget();
  void offer();
  void write();
  void settled();
  void removeTaken();
  const QString& ownFile();
  static QString stemFor(const QString& projectFile);
  static std::vector<RecoveredEdits> readAll(const QString& folder, const QString& stem);
  static void remove(const QString& file);

  Document& document_;
  Background& background_;
  QString folder_;
  QTimer rest_;
  std::vector<RecoveredEdits> found_;  ///< of earlier sessions, not answered
  QStringList taken_;                  ///< accepted and not yet in own_
  QString own_;                        ///< this session's file; empty: none chosen yet
};

}  // namespace tenon::ui
