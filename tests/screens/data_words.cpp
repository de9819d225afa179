// SPDX-License-Identifier: GPL-3.0-or-later
// Collected from the session, not from a list of exceptions.
#include "tests/screens/data_words.h"

#include <QAction>
#include <QCoreApplication>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QSet>
#include <algorithm>

#include "engine/ops/op_def.h"
#include "tests/screens/stage.h"
#include "ui/session/device_list.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session.h"

namespace tenon::screens {
namespace {

class Words {
 public:
  void add(const QString& text) {
    const QString word = text.trimmed();
    if (word.size() > 0) words_.insert(word);
  }
  void add(const std::string& text) { add(QString::fromStdString(text)); }

  /// Values that are written as words: files, choices as the project file has them.
  void add(const PartSpec& part) {
    for (const auto& [name, value] : part.params)
      if (const auto* text = std::get_if<std::string>(&value)) add(*text);
  }

  [[nodiscard]] QStringList sorted() const {
    QStringList list(words_.begin(), words_.end());
    std::sort(list.begin(), list.end(),
              [](const QString& a, const QString& b) { return a.size() > b.size(); });
    return list;
  }

 private:
  QSet<QString> words_;
};

/// A run's settings are shown as its file has them: dotted paths and values.
void addSettings(Words& words, const QJsonValue& value, const QString& path) {
  words.add(path);
  if (value.isString()) words.add(value.toString());
  const QJsonObject object = value.toObject();
  for (auto it = object.begin(); it != object.end(); ++it)
    addSettings(words, it.value(), path.isEmpty() ? it.key() : path + u'.' + it.key());
  const QJsonArray array = value.toArray();
  for (qsizetype i = 0; i < array.size(); ++i) {
    // Layers and the like are called by their name, not by their number.
    const QString id = array[i].toObject().value(QLatin1String("id")).toString();
    addSettings(words, array[i],
                QStringLiteral("%1.%2").arg(path, id.isEmpty() ? QString::number(i) : id));
  }
}

void addProject(Words& words, ui::Session& session) {
  const ui::Document& document = session.document;
  words.add(document.name());
  words.add(document.folder());
  words.add(document.file());
  const ProjectSpec& spec = document.spec();
  words.add(spec.data->reader);
  words.add(spec.data->split.reader);
  for (const std::string& name : spec.data->classes) words.add(name);
  for (const auto& node : spec.graph->nodes) words.add(node->id);
  for (const LayoutSpec::Frame& frame : spec.layout->frames) words.add(frame.title);
  for (const LayoutSpec::Note& text : spec.layout->notes) words.add(text.text);
  for (const RunInfo& run : session.runs.runs().runs()) {
    words.add(run.name);
    words.add(run.device);
    const QByteArray settings = QByteArray::fromStdString(run.settings);
    addSettings(words, QJsonDocument::fromJson(settings).object(), {});
  }
  for (int row = 0; row < session.recents.rowCount(); ++row) {
    const QModelIndex index = session.recents.index(row);
    words.add(index.data(ui::RecentProjects::kPathRole).toString());
    words.add(index.data(ui::RecentProjects::kNameRole).toString());
  }
}

void addMachine(Words& words) {
  words.add(QDir::homePath());
  static const QList<ui::DeviceEntry> devices = ui::deviceList();  // drivers are opened once
  for (const ui::DeviceEntry& device : devices) {
    words.add(device.id);
    words.add(device.name);
    words.add(device.description);
  }
}

}  // namespace

QStringList dataWords(const Stage& stage) {
  Words words;
  addProject(words, stage.session());
  addMachine(words);
  // Modifiers are words of the language, a letter or F5 is what stands on the key.
  for (const QAction* action : stage.window().commands().all())
    for (const QKeySequence& keys : action->shortcuts())
      words.add(QKeySequence(keys[0].key()).toString(QKeySequence::NativeText));
  // Dates follow the desktop's region, not the language of the texts.
  const QLocale locale;
  for (int month = 1; month <= 12; ++month)
    for (const auto format : {QLocale::ShortFormat, QLocale::LongFormat})
      words.add(locale.monthName(month, format));
  // Operators are called in Inspect as in programs and papers: "max_pool2d_backward".
  for (const OpDef* op : allOps()) words.add(QLatin1String(op->id));
  // Units of sizes stand alone where an axis carries them.
  for (const char* name : {"Tenon", "Qt", "KiB", "MiB", "GiB", "ms", "Hz"})
    words.add(QString::fromLatin1(name));
  words.add(QCoreApplication::applicationVersion());
  return words.sorted();
}

}  // namespace tenon::screens
