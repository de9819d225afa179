// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences for a store that cannot be written.
#include "ui/session/run_trouble.h"

#include <QCoreApplication>
#include <QDir>
#include <QStringList>
#include <cerrno>

namespace tenon::ui {
namespace {

struct TroubleText {
  Q_DECLARE_TR_FUNCTIONS(tenon::ui::RunTrouble)
};

}  // namespace

QString RunTrouble::whole() const {
  QStringList lines{text, advice, cause};
  lines.removeAll(QString());
  return lines.join(u'\n');
}

RunTrouble troubleOf(const StoreTrouble& trouble, const QString& folder) {
  if (trouble.message.empty()) return {};
  const QString place = QDir::toNativeSeparators(folder);
  const QString cause = QString::fromStdString(trouble.message);
  const QString waits =
      trouble.nothingIsLost()
          ? TroubleText::tr("The training waits and goes on by itself then; nothing is lost.")
          : TroubleText::tr("The training waits and goes on by itself then.");
  const auto say = [&](const QString& word, const QString& text, const QString& advice) {
    return RunTrouble{word, text, QStringLiteral("%1 %2").arg(advice, waits), cause};
  };
  if (trouble.osError == ENOSPC || trouble.osError == EDQUOT)
    return say(TroubleText::tr("Disk full"),
               TroubleText::tr("The disk is full: the run cannot be saved in %1.").arg(place),
               TroubleText::tr("Make room on that disk."));
  if (trouble.osError == EROFS || trouble.osError == EACCES || trouble.osError == EPERM)
    return say(TroubleText::tr("Cannot save"),
               TroubleText::tr("The run may not be saved in %1.").arg(place),
               TroubleText::tr("Make the folder writable."));
  if (trouble.code == Code::Busy)
    return say(TroubleText::tr("Cannot save"),
               TroubleText::tr("Another program holds the files of the run in %1.").arg(place),
               TroubleText::tr("End that program."));
  if (trouble.misplaced())
    return say(
        TroubleText::tr("Files moved"),
        TroubleText::tr("Files of the run were moved, deleted or replaced in %1.").arg(place),
        TroubleText::tr("Put the same files back, or stop."));
  if (trouble.damaged())
    return say(TroubleText::tr("Files damaged"),
               TroubleText::tr("Files of the run were overwritten in %1.").arg(place),
               TroubleText::tr("Put back what was there, or stop."));
  return say(TroubleText::tr("Cannot save"),
             TroubleText::tr("The run cannot be saved in %1.").arg(place),
             TroubleText::tr("Look at the disk."));
}

}  // namespace tenon::ui
