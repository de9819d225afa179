// SPDX-License-Identifier: GPL-3.0-or-later
// Document: the open project as an immutable value, its file, and the undo stack of its edits.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QUndoStack>
#include <optional>

#include "engine/base/error.h"
#include "engine/project/project_file.h"
#include "ui/session/file_watch.h"
#include "ui/session/navigation.h"

namespace tenon::ui {

class Background;

/// Which parts of a project differ between two values.
enum class SpecPart {
  Name = 1,
  Data = 2,
  Graph = 4,
  Train = 8,
  Layout = 16,
};
Q_DECLARE_FLAGS(SpecParts, SpecPart)
inline constexpr SpecParts kAllParts{31};
/// Compares by identity first, then by value; parts that merely moved in memory are equal.
[[nodiscard]] SpecParts changedParts(const ProjectSpec& before, const ProjectSpec& after);

/// One change of the project, undone and redone as a whole.
struct Edit {
  QString text;       ///< for the Undo menu: "Change learning rate"
  ProjectSpec after;  ///< the project as it becomes
  QString mergeKey;   ///< edits of one key that follow each other are one step; empty: never
  Destination where;  ///< shown before the edit is undone or redone
};

/**
 * The project of this window. Reading and writing happen on a background thread; everything else is
 * immediate. Edits go through apply() or, better, the functions of document_edits.h.
 */
class Document final : public QObject {
  Q_OBJECT
 public:
  explicit Document(Background& background, QObject* parent = nullptr);
  ~Document() override;

  [[nodiscard]] bool isOpen() const { return !folder_.isEmpty(); }
  /// Absolute path of the project's folder; empty while nothing is open.
  [[nodiscard]] const QString& folder() const { return folder_; }
  /// Absolute path of the project file.
  [[nodiscard]] const QString& file() const { return file_; }
  /// The project's name, or its folder's where it has none.
  [[nodiscard]] QString name() const;
  [[nodiscard]] const ProjectSpec& spec() const { return spec_; }
  /// The project as the file has it.
  [[nodiscard]] const ProjectSpec& savedSpec() const { return saved_; }
  [[nodiscard]] bool isDirty() const;
  [[nodiscard]] QUndoStack& undoStack() { return stack_; }
  /// What reading the file complained about (also warnings); of the file, not of later edits.
  [[nodiscard]] const Issues& fileIssues() const { return fileIssues_; }

  /// Reads a project (its folder or file); ends in opened() or openFailed(). What was open stays
  /// until then.
  void open(const QString& path);
  /// True from open() or reload() until it has ended. No training may start meanwhile: it would be
  /// of the project that is about to go.
  [[nodiscard]] bool isOpening() const { return opening_; }
  /// Takes a project that is not in a file yet or was read elsewhere (recovered, new). `saved` is
  /// what its file holds.
  void adopt(const QString& file, const ProjectSpec& spec, const ProjectSpec& saved);
  void close();

  /// Writes the file; ends in saved() or saveFailed(). Edits made meanwhile stay unsaved, unless
  /// save() is called again after them: then saved() comes when they are written too.
  void save();
  /// Forgets all edits and reads the file again.
  void reload();
  /// Back to the project as saved, without undo.
  void discardEdits();
  /// Keeps the edits although the file was changed by somebody else; the next save replaces it.
  void keepMine();
  /// What another program wrote into the file; null if nothing or if it cannot be read as a
  /// project.
  [[nodiscard]] const ProjectSpec* outsideSpec() const;

  /// Makes an edit. Does nothing if the project stays equal. Not while one is undone or redone: it
  /// is refused then.
  void apply(const Edit& edit);
  /// Between these, edits are one step of undo ("drag", "paste").
  void beginGroup(const QString& text);
  void endGroup();
  /// Undo and redo, after aboutToMove(); what is undone or redone is announced by aboutToShow()
  /// before, also when undoStack() is moved by somebody else.
  void undo();
  void redo();

 Q_SIGNALS:
  void openingChanged(bool opening);
  void opened();
  /// `issues` has a line for each fault of the file; empty if it could not be read at all.
  void openFailed(const QString& path, const QString& reason, const tenon::Issues& issues);
  void closed();
  /// After every change of spec(), opening included (then all parts).
  void specChanged(tenon::ui::SpecParts parts);
  void dirtyChanged(bool dirty);
  void saved();
  void saveFailed(const QString& reason);
  /// The file was changed by another program and differs from savedSpec().
  void fileChangedOutside();
  /// undo() or redo() was asked for: who edits the project makes the edit that is still being
  /// typed. It comes before the stack moves, since the place shown then may take the focus from a
  /// field, whose edit would delete the command in the middle of its work.
  void aboutToMove();
  /// An edit there is about to be undone or redone.
  void aboutToShow(const tenon::ui::Destination& where);

 private:
  class Command;
  /// What is undone at once: an edit, or a group of them.
  struct Step {
    quint64 number = 0;  ///< from 1
    Destination where;   ///< of its first edit
  };
  /// What a background thread found in a project file.
  struct FileContents {
    QString file;
    QByteArray text;
    ReadResult read;
  };
  static FileContents readFile(const QString& path);
  void accept(FileContents contents);
  void take(const ProjectSpec& spec);
  void announceDirty();
  void setOpening(bool opening);
  void lookAtFile();
  void announce(const Step& step);
  void move(const Step& step, const ProjectSpec& spec);

  Background& background_;
  Step step_;              ///< the newest
  quint64 steps_ = 0;      ///< numbers given away
  quint64 announced_ = 0;  ///< step that was announced last, 0 once the stack has moved
  int groups_ = 0;         ///< begun and not ended
  bool moving_ = false;    ///< an edit is being undone or redone
  QUndoStack stack_;
  QString folder_;
  QString file_;
  ProjectSpec spec_;
  ProjectSpec saved_;
  Issues fileIssues_;
  QByteArray fileText_;     ///< what the file holds as far as is known
  quint64 generation_ = 0;  ///< of open(): late answers are dropped
  bool opening_ = false;
  bool saving_ = false;
  bool saveAgain_ = false;  ///< asked for while saving_
  bool wasDirty_ = false;
  std::optional<FileContents> outside_;  ///< what another program wrote
  FileWatch watch_;
};

}  // namespace tenon::ui

Q_DECLARE_OPERATORS_FOR_FLAGS(tenon::ui::SpecParts)
