// SPDX-License-Identifier: GPL-3.0-or-later
// Files of a project are named by a hash of its path.
#include "ui/session/recovery.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <utility>

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
  connect(&document_, &Document::closed, this, &Recovery::forget);
  connect(&document_, &Document::specChanged, this, [this] {
    if (document_.isDirty()) rest_.start();
  });
  connect(&document_, &Document::dirtyChanged, this, [this](bool dirty) {
    if (!dirty && document_.isOpen()) settled();
  });
}

QString Recovery::stemFor(const QString& projectFile) {
  const QByteArray hash =
      QCryptographicHash::hash(projectFile.toUtf8(), QCryptographicHash::Sha1).toHex().left(16);
  return QString::fromLatin1(hash);
}

QString Recovery::fileFor(const QString& projectFile) const {
  return QDir(folder_).filePath(stemFor(projectFile) + QLatin1String(".tenon"));
}

/// Never a file that is there already: it holds edits about which nobody has been asked yet.
const QString& Recovery::ownFile() {
  const QString stem = stemFor(document_.file());
  for (int number = 1; own_.isEmpty(); ++number) {
    const QString name = number == 1 ? stem : QStringLiteral("%1-%2").arg(stem).arg(number);
    const QString file = QDir(folder_).filePath(name + QLatin1String(".tenon"));
    if (!QFileInfo::exists(file)) own_ = file;
  }
  return own_;
}

void Recovery::forget() {
  rest_.stop();
  found_.clear();
  taken_.clear();
  own_.clear();
}

std::vector<RecoveredEdits> Recovery::readAll(const QString& folder, const QString& stem) {
  std::vector<RecoveredEdits> all;
  const QFileInfoList files = QDir(folder).entryInfoList(
      {stem + QLatin1String(".tenon"), stem + QLatin1String("-*.tenon")}, QDir::Files, QDir::Time);
  for (const QFileInfo& info : files) {
    ReadResult read = readProject(info.filePath().toStdString());
    if (read.ok()) all.push_back({info.filePath(), info.lastModified(), std::move(read.project)});
  }
  return all;
}

void Recovery::look() {
  if (!document_.isDirty()) settled();  // what was open before, or was read again
  forget();
  if (document_.isDirty()) return;  // adopted edits
  background_.run(
      this, [folder = folder_, stem = stemFor(document_.file())] { return readAll(folder, stem); },
      [this, of = document_.file()](std::vector<RecoveredEdits> all) {
        if (of != document_.file()) return;
        for (RecoveredEdits& edits : all) {
          if (edits.file == own_) continue;  // of this session
          if (changedParts(edits.spec, document_.savedSpec())) {
            found_.push_back(std::move(edits));
          } else {
            remove(edits.file);
          }
        }
        offer();
      },
      [](const QString& reason) { logWarning("session", reason.toStdString()); });
}

void Recovery::offer() {
  if (found()) Q_EMIT available(*found());
}

void Recovery::accept() {
  if (found_.empty()) return;
  const RecoveredEdits edits = std::move(found_.front());
  found_.erase(found_.begin());
  taken_.append(edits.file);  // kept until these edits are written anew or settled
  document_.apply({tr("Recover unsaved edits"), edits.spec, {}, {}});
  if (!document_.isDirty()) settled();
  offer();
}

void Recovery::discard() {
  if (found_.empty()) return;
  remove(found_.front().file);
  found_.erase(found_.begin());
  offer();
}

/// Nothing is unsaved. What was found and not answered stays.
void Recovery::settled() {
  rest_.stop();
  if (!own_.isEmpty()) remove(own_);
  removeTaken();
}

void Recovery::removeTaken() {
  for (const QString& file : std::exchange(taken_, {})) remove(file);
}

void Recovery::write() {
  if (!document_.isDirty()) return;
  background_.run(
      this,
      [file = ownFile(), folder = folder_, spec = document_.spec()] {
        QDir().mkpath(folder);
        writeProject(file.toStdString(), spec);
        return file;
      },
      [this, taken = taken_](const QString& file) {
        if (file != own_ || !document_.isDirty()) {
          remove(file);  // saved meanwhile
        } else if (taken == taken_) {
          removeTaken();
        }
        Q_EMIT written();
      },
      [](const QString& reason) { logWarning("session", reason.toStdString()); });
}

void Recovery::flush() {
  rest_.stop();
  if (!document_.isDirty()) return;
  try {
    QDir().mkpath(folder_);
    writeProject(ownFile().toStdString(), document_.spec());
    removeTaken();
  } catch (...) {
    logWarning("session", currentExceptionText().toStdString());
  }
}

void Recovery::remove(const QString& file) { QFile::remove(file); }

}  // namespace tenon::ui
