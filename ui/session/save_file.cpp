// SPDX-License-Identifier: GPL-3.0-or-later
// From the question to the notice.
#include "ui/session/save_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QPointer>
#include <utility>

#include "ui/session/prompts.h"

namespace tenon::ui {
namespace {

struct SaveText {
  Q_DECLARE_TR_FUNCTIONS(tenon::ui::SaveText)
};

}  // namespace

void askAndSave(Prompts& prompts, const FileWish& wish, const QString& failed, QObject& context,
                FileWriter write) {
  prompts.pickFile(wish, [&prompts, failed, here = QPointer(&context),
                          write = std::move(write)](const QString& path) {
    if (path.isEmpty() || !here) return;
    const QString trouble = write(path);
    if (trouble.isEmpty()) {
      prompts.notice(SaveText::tr("Saved to %1").arg(QDir::toNativeSeparators(path)));
    } else {
      prompts.showError(failed, trouble);
    }
  });
}

FileWish pictureWish(const QString& name) {
  FileWish wish;
  wish.kind = FileWish::Kind::SaveFile;
  wish.title = SaveText::tr("Save as picture");
  wish.name = name + QLatin1String(".svg");
  wish.filters = {SaveText::tr("SVG drawings (*.svg)"), SaveText::tr("PDF documents (*.pdf)"),
                  SaveText::tr("PNG pictures (*.png)")};
  return wish;
}

}  // namespace tenon::ui
