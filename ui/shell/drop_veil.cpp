// SPDX-License-Identifier: GPL-3.0-or-later
// What a drop would do, as text over the window.
#include "ui/shell/drop_veil.h"

#include <QDir>
#include <QFileInfo>
#include <QMimeData>
#include <QPainter>
#include <QUrl>
#include <algorithm>

#include "ui/shell/sample_projects.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr double kVeil = 0.92;  // of the ground over what lies below
constexpr int kFrame = 2;

bool isProject(const QString& path) {
  const QFileInfo info(path);
  if (info.isDir()) return QFileInfo::exists(QDir(path).filePath(QStringLiteral("project.tenon")));
  return info.isFile() && info.suffix() == QLatin1String("tenon");
}

/// The folder's name, as a person knows the project.
QString nameOf(const QString& path) {
  const QFileInfo info(path);
  return info.isDir() ? QDir(info.absoluteFilePath()).dirName() : info.absoluteDir().dirName();
}

}  // namespace

DropVeil::DropVeil(QWidget& window) : QWidget(&window) {
  setObjectName(QStringLiteral("dropVeil"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  hide();
}

bool DropVeil::begin(const QMimeData& data) {
  project_.clear();
  QStringList files;
  for (const QUrl& url : data.urls())
    if (url.isLocalFile()) files.append(QDir::cleanPath(url.toLocalFile()));
  if (files.isEmpty()) return false;
  text_ = QDir::toNativeSeparators(files.first());
  if (files.size() > 1) {
    title_ = tr("One project at a time");
    text_ = tr("Drop one folder, or one project file.");
  } else if (!isProject(files.first())) {
    title_ = tr("%1 is no project").arg(QFileInfo(files.first()).fileName());
    text_ = tr("Drop a folder with a project.tenon in it, or that file.");
  } else {
    project_ = files.first();
    title_ = shippedSampleOf(project_).isEmpty() ? tr("Open %1").arg(nameOf(project_))
                                                 : tr("Open your copy of %1").arg(nameOf(project_));
  }
  setAccessibleName(title_);
  setAccessibleDescription(text_);
  setGeometry(parentWidget()->rect());
  raise();
  show();
  update();
  return true;
}

void DropVeil::paintEvent(QPaintEvent*) {
  const Theme& theme = currentTheme();
  const bool opens = !project_.isEmpty();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QColor veil = theme.surface;
  veil.setAlphaF(static_cast<float>(kVeil));
  painter.fillRect(rect(), veil);
  painter.setPen(QPen(opens ? theme.accent : theme.fieldBorder, kFrame));
  painter.setBrush(Qt::NoBrush);
  const int gap = measure::kGap3;
  painter.drawRoundedRect(QRectF(rect()).adjusted(gap, gap, -gap, -gap), measure::kCorner,
                          measure::kCorner);

  const QFont large = textFont(TextSize::Title);
  const int line = QFontMetrics(large).height();
  const int size = measure::kIconLarge;
  const int words = std::max(QFontMetrics(large).horizontalAdvance(title_),
                             QFontMetrics(textFont(TextSize::Body)).horizontalAdvance(text_));
  // What lies below would run through the words.
  QRect plate(0, 0, std::min(words, width() - 4 * gap) + 2 * measure::kGap4,
              size + 2 * line + 2 * measure::kGap4 + measure::kGap3);
  plate.moveCenter({width() / 2, height() / 2 - line / 2});
  paint::box(painter, plate, theme.raised, theme.hairline);
  QRect place((width() - size) / 2, height() / 2 - line - size, size, size);
  icon(opens ? QStringLiteral("open") : QStringLiteral("info"),
       opens ? Tint::Accent : Tint::Secondary)
      .paint(&painter, place);
  place = QRect(2 * gap, place.bottom() + measure::kGap2, width() - 4 * gap, line);
  painter.setFont(large);
  painter.setPen(theme.text);
  painter.drawText(place, Qt::AlignCenter,
                   painter.fontMetrics().elidedText(title_, Qt::ElideMiddle, place.width()));
  place.translate(0, line + measure::kGap1);
  painter.setFont(textFont(TextSize::Body));
  painter.setPen(theme.secondary);
  painter.drawText(place, Qt::AlignCenter,
                   painter.fontMetrics().elidedText(text_, Qt::ElideMiddle, place.width()));
}

}  // namespace tenon::ui
