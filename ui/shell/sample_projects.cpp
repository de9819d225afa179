// SPDX-License-Identifier: GPL-3.0-or-later
// Where samples are and how a project is copied.
#include "ui/shell/sample_projects.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

#include "engine/base/environment.h"
#include "engine/base/error.h"
#include "engine/project/paths.h"
#include "engine/project/project_file.h"

namespace tenon::ui {
namespace {

const FolderVariable kProjects("TENON_PROJECTS", FolderVariable::Must::Exist);

/// What runs leave behind and a copy does not take along.
bool isOfRuns(const QString& relative) {
  return relative.startsWith(u'.') || relative.contains(QLatin1String("/.")) ||
         relative.startsWith(QLatin1String("tenon.sqlite")) ||
         relative.startsWith(QLatin1String("checkpoints.sqlite"));
}

[[noreturn]] void refuse(const QString& text, const QFile& file) {
  throw Error(Code::Io, text.toStdString() + ": " + file.errorString().toStdString());
}

void copyFile(const QString& from, const QString& to) {
  QDir().mkpath(QFileInfo(to).absolutePath());
  QFile source(from);
  if (!source.copy(to)) refuse(QStringLiteral("%1 cannot be copied to %2").arg(from, to), source);
  // Samples may be installed read-only; the copy is the person's own.
  QFile::setPermissions(to, QFile::permissions(to) | QFile::WriteOwner | QFile::ReadOwner);
}

/// "Fashion-MNIST", "Fashion-MNIST 2", ...
QString numbered(const QString& name, int number) {
  return number == 1 ? name : QStringLiteral("%1 %2").arg(name).arg(number);
}

/// The name in a project's file; empty if it cannot be read.
QString nameInFile(const QString& folder) {
  if (!QFileInfo::exists(folder + QStringLiteral("/project.tenon"))) return {};
  const ReadResult read = readProject(folder.toStdString());
  return hasErrors(read.issues) ? QString() : QString::fromStdString(read.project.name);
}

}  // namespace

QString samplesFolder() {
  const QString given = QString::fromStdString(kProjects.value());
  if (!given.isEmpty()) return given;
  const QDir binary(QCoreApplication::applicationDirPath());
  // PREFIX/bin -> PREFIX/share/tenon/projects; build/<preset>/bin -> the source tree.
  for (const char* path : {"../share/tenon/projects", "../../../projects"}) {
    const QString folder = QDir::cleanPath(binary.filePath(QLatin1String(path)));
    if (QFileInfo(folder).isDir()) return folder;
  }
  return {};
}

QString firstSample() {
  const QString folder = samplesFolder();
  if (folder.isEmpty()) return {};
  const QString sample = folder + QStringLiteral("/fashion-mnist");
  return QFileInfo::exists(sample + QStringLiteral("/project.tenon")) ? sample : QString();
}

QString shippedSampleOf(const QString& path) {
  const QString samples = QFileInfo(samplesFolder()).canonicalFilePath();
  const QString folder =
      QFileInfo(QString::fromStdString(projectFolderOf(path.toStdString()))).canonicalFilePath();
  return !samples.isEmpty() && folder.startsWith(samples + u'/') ? folder : QString();
}

QString copyOfSample(const QString& sample, const QString& parent) {
  const QString name = nameInFile(sample);
  if (name.isEmpty()) return {};
  const QDir dir(parent);
  for (int number = 1;; ++number) {
    const QFileInfo copy(dir.filePath(numbered(folderName(name), number)));
    if (!copy.exists()) return {};
    // Beside it may stand what a person gave another name, or what cannot be read.
    if (nameInFile(copy.filePath()) == name) return copy.canonicalFilePath();
  }
}

QString folderName(const QString& projectName) {
  QString name = projectName.trimmed();
  name.replace(u'/', u'-');
  while (name.startsWith(u'.')) name.remove(0, 1);
  return name.isEmpty() ? QStringLiteral("project") : name.left(100);
}

QString freeFolder(const QString& parent, const QString& name) {
  const QDir dir(parent);
  int number = 1;
  while (QFileInfo::exists(dir.filePath(numbered(name, number)))) ++number;
  return dir.filePath(numbered(name, number));
}

QString copyProject(const QString& folder, const QString& parent) {
  const ReadResult read = readProject(folder.toStdString());
  throwIfErrors(read.issues);
  const QString name = QString::fromStdString(read.project.name);
  const QString to =
      freeFolder(parent, folderName(name.isEmpty() ? QFileInfo(folder).fileName() : name));
  if (!QDir().mkpath(to))
    throw Error(Code::Io, "the folder " + to.toStdString() + " cannot be made");
  const QDir source(folder);
  QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
  while (files.hasNext()) {
    const QString relative = source.relativeFilePath(files.next());
    if (!isOfRuns(relative)) copyFile(files.filePath(), QDir(to).filePath(relative));
  }
  return to;
}

}  // namespace tenon::ui
