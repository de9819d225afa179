// SPDX-License-Identifier: GPL-3.0-or-later
// Which project this window has.
#include "ui/shell/project_desk.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

#include "engine/project/paths.h"
#include "ui/session/texts.h"
#include "ui/shell/sample_projects.h"
#include "ui/shell/session.h"
#include "ui/shell/shell_prompts.h"

namespace tenon::ui {

ProjectDesk::ProjectDesk(Session& session, ShellPrompts& prompts, QObject* parent)
    : QObject(parent), session_(session), prompts_(prompts) {
  connect(&instance_, &SingleInstance::raiseRequested, this, &ProjectDesk::raiseRequested);
  connect(&session_.document, &Document::opened, this, [this] {
    session_.recents.add(session_.document.folder(), session_.document.name());
    if (session_.document.folder() == std::exchange(sampleCopy_, {})) Q_EMIT sampleOpened();
  });
  connect(&session_.document, &Document::closed, this, [this] { instance_.release(); });
  connect(&session_.document, &Document::openFailed, this, &ProjectDesk::explainFailure);
}

void ProjectDesk::open(const QString& path) {
  if (const QString sample = shippedSampleOf(path); !sample.isEmpty()) {
    openShipped(sample);
  } else {
    openOwn(path);
  }
}

/// Of a sample that belongs to the program, the person's copy; the first time it is made.
void ProjectDesk::openShipped(const QString& sample) {
  if (openBeside(sample)) return;
  const QString parent = session_.settings.text(setting::kProjectsFolder);
  sampleCopy_ = copyOfSample(sample, parent);
  if (sampleCopy_.isEmpty()) {
    copyAndOpen(sample, parent, true);
  } else {
    openOwn(sampleCopy_);
  }
}

void ProjectDesk::openOwn(const QString& path) {
  const QString folder =
      QFileInfo(QString::fromStdString(projectFolderOf(path.toStdString()))).canonicalFilePath();
  if (!folder.isEmpty() && folder == session_.document.folder()) {
    sampleCopy_.clear();
    Q_EMIT raiseRequested();
    return;
  }
  if (!openBeside(path)) settleEdits([this, path] { openHere(path); });
}

/// True if a training has this window: the project then gets a window of its own.
bool ProjectDesk::openBeside(const QString& path) const {
  if (!session_.run.isLive()) return false;
  QProcess::startDetached(QCoreApplication::applicationFilePath(), {path});
  return true;
}

void ProjectDesk::openHere(const QString& path) {
  if (openBeside(path)) return;  // it began while the edits were settled
  const QString folder = QString::fromStdString(projectFolderOf(path.toStdString()));
  if (QFileInfo::exists(folder) && !instance_.claim(folder)) {
    Q_EMIT openElsewhere(folder);
    return;
  }
  session_.document.open(path);
}

void ProjectDesk::askAndOpen() {
  FileWish wish;
  wish.kind = FileWish::Kind::OpenFolder;
  wish.title = tr("Open project folder");
  wish.folder = session_.settings.text(setting::kProjectsFolder);
  prompts_.pickFile(wish, [this](const QString& path) {
    if (!path.isEmpty()) open(path);
  });
}

void ProjectDesk::openSample() {
  const QString sample = firstSample();
  if (sample.isEmpty()) {
    prompts_.showError(tr("The sample is not there"),
                       tr("The sample projects were not found beside the program."));
    return;
  }
  copyAndOpen(sample, session_.settings.text(setting::kProjectsFolder), true);
}

void ProjectDesk::duplicate() {
  if (!session_.document.isOpen()) return;
  FileWish wish;
  wish.kind = FileWish::Kind::OpenFolder;
  wish.title = tr("Folder for the copy");
  wish.folder = QFileInfo(session_.document.folder()).absolutePath();
  prompts_.pickFile(wish, [this, from = session_.document.folder()](const QString& parent) {
    if (!parent.isEmpty()) copyAndOpen(from, parent, false);
  });
}

void ProjectDesk::copyAndOpen(const QString& folder, const QString& parent, bool sample) {
  session_.background.run(
      this, [folder, parent] { return copyProject(folder, parent); },
      [this, sample](const QString& copy) {
        if (sample) sampleCopy_ = QFileInfo(copy).canonicalFilePath();
        openOwn(copy);
      },
      [this](const QString& reason) {
        prompts_.showError(tr("The project cannot be copied"), reason);
      });
}

void ProjectDesk::reload() {
  if (!session_.document.isDirty()) {
    session_.document.reload();
    return;
  }
  // Not settleEdits(): saving would replace what another program may have written there.
  Question question;
  question.title = tr("Discard the edits of %1?").arg(session_.document.name());
  question.text = tr("The project file is read again. Edits that are not in it are lost.");
  question.action = tr("Discard and reload");
  question.destructive = true;
  prompts_.confirm(question, [this](bool agreed) {
    if (agreed) session_.document.reload();
  });
}

void ProjectDesk::settleEdits(std::function<void()> then) {
  if (!session_.document.isDirty()) {
    then();
    return;
  }
  prompts_.choose(tr("Save the edits of %1?").arg(session_.document.name()),
                  tr("They are not in the project file yet."),
                  {tr("Save"), tr("Discard"), tr("Cancel")},
                  [this, then = std::move(then)](int answer) {
                    if (answer == 0) saveThen(then);
                    if (answer == 1) {
                      session_.document.discardEdits();
                      then();
                    }
                  });
}

void ProjectDesk::saveThen(const std::function<void()>& then) {
  // One of the two signals ends the waiting; both connections go with this object.
  auto* waiting = new QObject(this);
  connect(&session_.document, &Document::saved, waiting, [this, waiting, then] {
    if (session_.document.isDirty()) {  // edited while it was written
      session_.document.save();
      return;
    }
    waiting->deleteLater();
    then();
  });
  connect(&session_.document, &Document::saveFailed, waiting, &QObject::deleteLater);
  session_.document.save();
}

void ProjectDesk::explainFailure(const QString& path, const QString& reason, const Issues& issues) {
  instance_.release();  // what was open before stays
  if (session_.document.isOpen()) (void)instance_.claim(session_.document.folder());
  QStringList lines;
  for (const Issue& issue : issues) {
    const QString place = issuePlace(issue);
    lines << (place.isEmpty() ? issueMessage(issue)
                              : QStringLiteral("%1: %2").arg(place, issueMessage(issue)));
  }
  const QString first = lines.value(0);
  prompts_.showError(tr("%1 cannot be opened").arg(QDir::toNativeSeparators(path)),
                     first.isEmpty() ? reason : reason + QStringLiteral("\n") + first,
                     lines.join(u'\n'));
}

}  // namespace tenon::ui
