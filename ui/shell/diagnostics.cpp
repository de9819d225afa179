// SPDX-License-Identifier: GPL-3.0-or-later
// About, log and diagnostics.
#include "ui/shell/diagnostics.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QSysInfo>
#include <QThread>
#include <QUrl>
#include <QVBoxLayout>

#include "engine/base/log.h"
#include "ui/session/background.h"
#include "ui/session/device_list.h"
#include "ui/widgets/format.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kLogLines = 200;

QString say(const char* text) { return QCoreApplication::translate("Diagnostics", text); }

QDialog* newDialog(const QString& title, QWidget* window, QSize size) {
  auto* dialog = new QDialog(window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  dialog->resize(size);
  auto* column = new QVBoxLayout(dialog);
  column->setContentsMargins(measure::kGap4, measure::kGap4, measure::kGap4, measure::kGap3);
  column->setSpacing(measure::kGap3);
  return dialog;
}

/// As high as its texts need: what wraps has no height of its own before the width is known.
void fitHeight(QDialog& dialog) {
  const int needed = dialog.layout()->totalHeightForWidth(dialog.width());
  dialog.setMinimumHeight(needed);
  if (dialog.height() < needed) dialog.resize(dialog.width(), needed);
}

QDialogButtonBox* addClose(QDialog* dialog) {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  dialog->layout()->addWidget(buttons);
  return buttons;
}

QStringList lastLines(const LogPlace& log) {
  QStringList lines;
  if (!log.recent) return lines;
  for (const std::string& line : log.recent->lines()) lines << QString::fromStdString(line);
  return lines.mid(std::max<qsizetype>(0, lines.size() - kLogLines));
}

QString licences() {
  return say(QT_TRANSLATE_NOOP(
             "Diagnostics",
             "The desktop program is free software under the GNU General Public License, version 3 "
             "or later. The training engine may also be used under the Apache License 2.0.")) +
         QStringLiteral("<br><br>") +
         say(QT_TRANSLATE_NOOP("Diagnostics", "With thanks to: %1"))
             .arg(QStringLiteral("Qt (LGPL 3), QCustomPlot (GPL 3), oneDNN (Apache 2.0), SQLite "
                                 "(public domain), zlib, fmt (MIT), JSON for Modern C++ (MIT)"));
}

}  // namespace

QStringList screenFacts() {
  QStringList facts;
  for (const QScreen* screen : QApplication::screens())
    facts << say(QT_TRANSLATE_NOOP("Diagnostics", "Screen: %1×%2 at %3 %"))
                 .arg(screen->size().width())
                 .arg(screen->size().height())
                 .arg(qRound(screen->devicePixelRatio() * 100));
  return facts;
}

QStringList machineFacts(const QStringList& screens) {
  QStringList facts;
  facts << QStringLiteral("Tenon %1").arg(QCoreApplication::applicationVersion());
  facts << QStringLiteral("Qt %1").arg(QLatin1String(qVersion()));
  facts << say(QT_TRANSLATE_NOOP("Diagnostics", "%1, kernel %2"))
               .arg(QSysInfo::prettyProductName(), QSysInfo::kernelVersion());
  facts << QCoreApplication::translate("Diagnostics", "%n processor(s)", nullptr,
                                       QThread::idealThreadCount());
  facts << screens;
  for (const DeviceEntry& device : deviceList()) {
    QString line = QStringLiteral("%1: ").arg(device.id);
    if (device.refusal.isEmpty()) {
      line += QStringList({device.name, device.description}).join(QLatin1String(", "));
      if (device.totalBytes > 0)
        line += QStringLiteral(", ") + formatBytes(static_cast<qint64>(device.totalBytes));
    } else {
      line += QCoreApplication::translate("Engine", device.refusal.toUtf8().constData());
    }
    facts << line;
  }
  return facts;
}

void copyDiagnostics(Background& background, const LogPlace& log, QWidget* window,
                     std::function<void()> done) {
  background.run(
      window, [screens = screenFacts()] { return machineFacts(screens); },
      [log, done = std::move(done)](const QStringList& facts) {
        QStringList all = facts;
        all << QString() << lastLines(log);
        QApplication::clipboard()->setText(all.join(u'\n'));
        done();
      },
      [](const QString& reason) { logWarning("shell", reason.toStdString()); });
}

void showAbout(Background& background, QWidget* window) {
  QDialog* dialog =
      newDialog(say(QT_TRANSLATE_NOOP("Diagnostics", "About Tenon")), window, {480, 320});
  auto* name = new QLabel(QStringLiteral("Tenon %1").arg(QCoreApplication::applicationVersion()));
  name->setFont(textFont(TextSize::Display, true));
  auto* purpose = new QLabel(
      say(QT_TRANSLATE_NOOP("Diagnostics", "Train neural networks and watch them learn.")));
  auto* facts = new QLabel(say(QT_TRANSLATE_NOOP("Diagnostics", "Looking for devices…")));
  facts->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  facts->setWordWrap(true);
  auto* legal = new QLabel(licences());
  legal->setWordWrap(true);
  legal->setFont(textFont(TextSize::Small));
  for (QLabel* label : {name, purpose, facts, legal}) dialog->layout()->addWidget(label);
  static_cast<QVBoxLayout*>(dialog->layout())->addStretch();
  addClose(dialog);
  background.run(
      facts, [screens = screenFacts()] { return machineFacts(screens); },
      [facts, dialog](const QStringList& lines) {
        facts->setText(lines.mid(1).join(u'\n'));
        fitHeight(*dialog);
      },
      [facts, dialog](const QString& reason) {
        facts->setText(reason);
        fitHeight(*dialog);
      });
  dialog->open();
  fitHeight(*dialog);
}

void showLog(const LogPlace& log, QWidget* window) {
  QDialog* dialog = newDialog(say(QT_TRANSLATE_NOOP("Diagnostics", "Log")), window, {860, 520});
  auto* text = new QPlainTextEdit(lastLines(log).join(u'\n'), dialog);
  text->setReadOnly(true);
  text->setLineWrapMode(QPlainTextEdit::NoWrap);
  text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  text->setAccessibleName(say(QT_TRANSLATE_NOOP("Diagnostics", "Log")));
  text->setPlaceholderText(say(QT_TRANSLATE_NOOP("Diagnostics", "Nothing was written yet")));
  dialog->layout()->addWidget(text);
  QDialogButtonBox* buttons = addClose(dialog);
  QPushButton* folder = buttons->addButton(say(QT_TRANSLATE_NOOP("Diagnostics", "Open folder")),
                                           QDialogButtonBox::ActionRole);
  QObject::connect(folder, &QPushButton::clicked, dialog, [log] {
    QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(log.file).absolutePath()));
  });
  dialog->open();
  text->verticalScrollBar()->setValue(text->verticalScrollBar()->maximum());
}

}  // namespace tenon::ui
