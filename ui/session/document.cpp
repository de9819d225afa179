// SPDX-License-Identifier: GPL-3.0-or-later
// The open project: reading, writing, undo.
#include "ui/session/document.h"

#include <QDir>
#include <QFileInfo>
#include <QScopedValueRollback>
#include <QUndoCommand>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/log.h"
#include "engine/project/paths.h"
#include "ui/session/background.h"

namespace tenon::ui {

SpecParts changedParts(const ProjectSpec& before, const ProjectSpec& after) {
  const auto differs = [](const auto& a, const auto& b) { return a != b && !(*a == *b); };
  SpecParts parts;
  if (before.name != after.name || !(before.unknown == after.unknown)) parts |= SpecPart::Name;
  if (differs(before.data, after.data)) parts |= SpecPart::Data;
  if (differs(before.graph, after.graph)) parts |= SpecPart::Graph;
  if (differs(before.train, after.train)) parts |= SpecPart::Train;
  if (differs(before.layout, after.layout)) parts |= SpecPart::Layout;
  return parts;
}

/// One step of undo: the project before and after, which share all parts that did not change. It
/// announces itself, so that whoever moves the stack (undo(), a list of its steps) does the same.
class Document::Command final : public QUndoCommand {
 public:
  Command(Document& document, const Edit& edit, const Step& step)
      : QUndoCommand(edit.text),
        document_(document),
        before_(document.spec()),
        after_(edit.after),
        mergeKey_(edit.mergeKey),
        step_(step) {}

  void undo() override { document_.move(step_, before_); }
  void redo() override {
    if (std::exchange(done_, true)) {
      document_.move(step_, after_);
    } else {
      document_.take(after_);  // the edit itself
    }
  }
  int id() const override { return mergeKey_.isEmpty() ? -1 : 1; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const Command*>(other);
    if (next->mergeKey_ != mergeKey_) return false;
    after_ = next->after_;
    setObsolete(!changedParts(before_, after_));
    return true;
  }

 private:
  Document& document_;
  ProjectSpec before_;
  ProjectSpec after_;
  QString mergeKey_;
  Step step_;
  bool done_ = false;
};

Document::Document(Background& background, QObject* parent)
    : QObject(parent), background_(background) {
  connect(&watch_, &FileWatch::touched, this, &Document::lookAtFile);
  connect(&stack_, &QUndoStack::indexChanged, this, [this] { announced_ = 0; });
}

Document::~Document() = default;

QString Document::name() const {
  if (!spec_.name.empty()) return QString::fromStdString(spec_.name);
  return QFileInfo(folder_).fileName();
}

bool Document::isDirty() const { return isOpen() && changedParts(saved_, spec_) != SpecParts(); }

Document::FileContents Document::readFile(const QString& path) {
  FileContents contents;
  const std::string file = projectFileOf(QFileInfo(path).absoluteFilePath().toStdString());
  QFile in(QString::fromStdString(file));
  // A folder's real path is the project's name for locks and for the second start.
  const QString folder = QFileInfo(QFileInfo(in.fileName()).absolutePath()).canonicalFilePath();
  contents.file = QDir(folder.isEmpty() ? QFileInfo(in.fileName()).absolutePath() : folder)
                      .filePath(QFileInfo(in.fileName()).fileName());
  contents.read = readProject(contents.file.toStdString());
  if (in.open(QIODevice::ReadOnly)) contents.text = in.readAll();
  return contents;
}

void Document::open(const QString& path) {
  const quint64 generation = ++generation_;
  setOpening(true);
  background_.run(
      this, [path] { return readFile(path); },
      [this, path, generation](FileContents contents) {
        if (generation != generation_) return;
        if (contents.read.ok()) {
          accept(std::move(contents));
        } else {
          setOpening(false);
          Q_EMIT openFailed(path, tr("The project file has errors."), contents.read.issues);
        }
      },
      [this, path, generation](const QString& reason) {
        if (generation != generation_) return;
        setOpening(false);
        Q_EMIT openFailed(path, reason, {});
      });
}

void Document::accept(FileContents contents) {
  fileText_ = std::move(contents.text);
  fileIssues_ = std::move(contents.read.issues);
  const ProjectSpec spec = contents.read.project;
  adopt(contents.file, spec, spec);
}

void Document::adopt(const QString& file, const ProjectSpec& spec, const ProjectSpec& saved) {
  ++generation_;
  file_ = file;
  folder_ = QFileInfo(file).absolutePath();
  outside_.reset();
  stack_.clear();
  saved_ = saved;
  spec_ = spec;
  watch_.watch(file_);
  setOpening(false);
  Q_EMIT opened();
  Q_EMIT specChanged(kAllParts);
  announceDirty();
}

void Document::close() {
  if (!isOpen()) return;
  ++generation_;
  watch_.watch({});
  stack_.clear();
  folder_.clear();
  file_.clear();
  fileText_.clear();
  fileIssues_.clear();
  outside_.reset();
  spec_ = saved_ = ProjectSpec();
  setOpening(false);
  Q_EMIT closed();
  Q_EMIT specChanged(kAllParts);
  announceDirty();
}

void Document::save() {
  if (!isOpen()) return;
  saveAgain_ = saving_;
  if (saving_) return;
  saving_ = true;
  background_.run(
      this,
      [file = file_, spec = spec_] {
        writeProject(file.toStdString(), spec);
        const std::string text = projectText(spec);
        return std::pair(spec, QByteArray(text.data(), static_cast<qsizetype>(text.size())));
      },
      [this, file = file_](const std::pair<ProjectSpec, QByteArray>& written) {
        saving_ = false;
        const bool again = std::exchange(saveAgain_, false);
        if (file != file_) {  // another project is open by now
          if (again) save();
          return;
        }
        saved_ = written.first;
        fileText_ = written.second;
        outside_.reset();
        announceDirty();
        if (again && isDirty()) {
          save();
        } else {
          Q_EMIT saved();
        }
      },
      [this](const QString& reason) {
        saving_ = false;
        saveAgain_ = false;
        Q_EMIT saveFailed(reason);
      });
}

void Document::reload() {
  if (isOpen()) open(file_);
}

void Document::discardEdits() {
  stack_.clear();
  take(saved_);
}

const ProjectSpec* Document::outsideSpec() const {
  return outside_ && outside_->read.ok() ? &outside_->read.project : nullptr;
}

void Document::keepMine() {
  if (!outside_) return;
  fileText_ = outside_->text;
  if (outside_->read.ok()) saved_ = outside_->read.project;
  outside_.reset();
  announceDirty();
}

void Document::lookAtFile() {
  if (!isOpen() || saving_) return;
  const quint64 generation = generation_;
  background_.run(
      this, [file = file_] { return readFile(file); },
      [this, generation](FileContents contents) {
        if (generation != generation_ || saving_ || contents.text == fileText_) return;
        if (contents.read.ok() && !changedParts(saved_, contents.read.project)) {
          fileText_ = std::move(contents.text);  // written anew with the same contents
          return;
        }
        if (outside_ && outside_->text == contents.text) return;  // said already
        outside_ = std::move(contents);
        Q_EMIT fileChangedOutside();
      },
      // Removed or half-written by somebody else: the project in memory stays what counts.
      [](const QString& reason) { logInfo("session", reason.toStdString()); });
}

void Document::apply(const Edit& edit) {
  // The stack would delete the command that it is in the middle of.
  Q_ASSERT_X(!moving_, "Document::apply", "an edit while another is undone or redone");
  if (moving_) {
    logError("session",
             "dropped an edit made while another was undone or redone: " + edit.text.toStdString());
    return;
  }
  if (!changedParts(spec_, edit.after)) return;
  if (groups_ == 0 || step_.number == 0) step_ = {++steps_, edit.where};
  stack_.push(new Command(*this, edit, step_));
}

void Document::beginGroup(const QString& text) {
  if (groups_++ == 0) step_ = {};
  stack_.beginMacro(text);
}

void Document::endGroup() {
  --groups_;
  stack_.endMacro();
}

void Document::undo() {
  Q_EMIT aboutToMove();
  if (stack_.canUndo()) stack_.undo();
}

/// What was still being typed is an edit of its own by then: nothing is left to redo after it.
void Document::redo() {
  Q_EMIT aboutToMove();
  if (stack_.canRedo()) stack_.redo();
}

/// One undone or redone: its place is shown, which may take the focus from a field, then it is
/// done.
void Document::move(const Step& step, const ProjectSpec& spec) {
  const QScopedValueRollback guard(moving_, true);
  announce(step);
  take(spec);
}

/// Once for the edits of a group, at the place of its first one.
void Document::announce(const Step& step) {
  if (std::exchange(announced_, step.number) != step.number) Q_EMIT aboutToShow(step.where);
}

void Document::take(const ProjectSpec& spec) {
  const SpecParts parts = changedParts(spec_, spec);
  spec_ = spec;
  if (parts) Q_EMIT specChanged(parts);
  announceDirty();
}

void Document::setOpening(bool opening) {
  if (std::exchange(opening_, opening) != opening) Q_EMIT openingChanged(opening);
}

void Document::announceDirty() {
  const bool dirty = isDirty();
  if (std::exchange(wasDirty_, dirty) != dirty) Q_EMIT dirtyChanged(dirty);
}

}  // namespace tenon::ui
