// SPDX-License-Identifier: GPL-3.0-or-later
// Engine templates in the language in force.
#include "ui/session/texts.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace tenon::ui {

QString engineText(const std::string& text, const std::vector<std::string>& args) {
  if (text.empty()) return {};
  const QString translated = QCoreApplication::translate("Engine", text.c_str());
  return args.empty() ? translated
                      : QString::fromStdString(fillTemplate(translated.toStdString(), args));
}

QString issueMessage(const Issue& issue) { return engineText(issue.text, issue.args); }

QString issuePlace(const Issue& issue) {
  const auto say = [](const char* text) { return QCoreApplication::translate("Engine", text); };
  const Place& place = issue.place;
  const QString field = QString::fromStdString(place.field);
  if (!place.node.empty()) {
    const QString node = QString::fromStdString(place.node);
    const bool inside = field.startsWith(QLatin1String("graphs."));  // of the layer
    const QString last = inside ? field : field.section(u'.', -1);
    return field.isEmpty() ? say(QT_TRANSLATE_NOOP("Engine", "Layer %1")).arg(node)
                           : say(QT_TRANSLATE_NOOP("Engine", "Layer %1, %2")).arg(node, last);
  }
  if (!place.file.empty() && (place.line > 0 || place.row >= 0)) {
    const QString file = QFileInfo(QString::fromStdString(place.file)).fileName();
    return place.line > 0
               ? say(QT_TRANSLATE_NOOP("Engine", "%1, line %2")).arg(file).arg(place.line)
               : say(QT_TRANSLATE_NOOP("Engine", "%1, row %2")).arg(file).arg(place.row);
  }
  return field;
}

QString eventMessage(const Event& event) { return engineText(event.text, event.args); }

}  // namespace tenon::ui
