// SPDX-License-Identifier: GPL-3.0-or-later
// One file per project, named by a hash of its path.
#include "ui/session/recovery.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "engine/base/log.h"
#include "engine/project/project_file.h"
#include "ui/session/background.h"
#include "ui/session/document.h"

namespace tenon::ui {

Recovery::Recovery(Document& document, Background& background, QString folder, QObject* parent)
    : QObject(parent), document_(document), background_(background), folder_(std::move(folder)) {
  rest_.setSingleShot(true);
  rest_.setInterval(2000);
  connect(&rest_, &QTimer::timeout, this, &Recovery::write);
  connect(&document_, &Document::opened, this, &Recovery::look);
  connect(&document_, &Document::specChanged, this, [this] {
    if (document_.isDirty()) rest_.start();
  });
  connect(&document_, &Document::dirtyChanged, this, [this](bool dirty) {
    if (dirty || !document_.isOpen() || found_) return;
    rest_.stop();
    remove(fileFor(document_.file()));
  });
}

QString Recovery::fileFor(const QString& projectFile) const {
  const QByteArray hash =
      QCryptographicHash::hash(projectFile.toUtf8(), QCryptographicHash::Sha1).toHex().left(16);
  return QDir(folder_).filePath(QString::fromLatin1(hash) + QLatin1String(".tenon"));
}

void Recovery::look() {
  found_.reset();
  if (document_.isDirty()) return;  // adopted edits
  background_.run(
      this,
      [file = fileFor(document_.file())]() -> std::optional<RecoveredEdits> {
        if (!QFileInfo::exists(file)) return std::nullopt;
        ReadResult read = readProject(file.toStdString());
        if (!read.ok()) return std::nullopt;
        return RecoveredEdits{file, QFileInfo(file).lastModified(), std::move(read.project)};
      },
      [this, of = document_.file()](std::optional<RecoveredEdits> edits) {
        if (!edits || of != document_.file()) return;
        if (!changedParts(edits->spec, document_.savedSpec())) {
          remove(edits->file);
          return;
        }
        found_ = std::move(edits);
        Q_EMIT available(*found_);
      },
      [](const QString& reason) { logWarning("session", reason.toStdString()); });
}

void Recovery::accept() {
  if (!found_) return;
  const ProjectSpec spec = found_->spec;
  found_.reset();
  document_.apply({tr("Recover unsaved edits"), spec, {}, {}});
}

void Recovery::discard() {
  if (found_) remove(found_->file);
  found_.reset();
}

void Recovery::write() {
  if (!document_.isDirty()) return;
  found_.reset();  // who edits on has answered the question
  background_.run(
      this,
      [file = fileFor(document_.file()), folder = folder_, spec = document_.spec()] {
        QDir().mkpath(folder);
        writeProject(file.toStdString(), spec);
        return true;
      },
      [this](bool) {
        if (!document_.isDirty()) remove(fileFor(document_.file()));  // saved meanwhile
        Q_EMIT written();
      },
      [](const QString& reason) { logWarning("session", reason.toStdString()); });
}

void Recovery::flush() {
  rest_.stop();
  if (!document_.isDirty()) return;
  try {
    QDir().mkpath(folder_);
    writeProject(fileFor(document_.file()).toStdString(), document_.spec());
  } catch (...) {
    logWarning("session", currentExceptionText().toStdString());
  }
}

void Recovery::remove(const QString& file) { QFile::remove(file); }

}  // namespace tenon::ui
