// SPDX-License-Identifier: GPL-3.0-or-later
// Made from the shipped sample, so that they change with it.
#include "tests/screens/projects.h"

#include <zlib.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <memory>
#include <vector>

#include "engine/store/runs.h"
#include "engine/store/store.h"
#include "tests/screens/journal.h"
#include "tests/support/idx_files.h"

namespace tenon::screens {
namespace {

QJsonObject readSample() {
  QFile file(QDir(qEnvironmentVariable("TENON_PROJECTS"))
                 .filePath(QStringLiteral("fashion-mnist/project.tenon")));
  require(file.open(QIODevice::ReadOnly), QStringLiteral("no sample in TENON_PROJECTS"));
  return QJsonDocument::fromJson(file.readAll()).object();
}

void writeProject(const QString& folder, const QJsonObject& project) {
  require(QDir().mkpath(folder), QStringLiteral("cannot make %1").arg(folder));
  QFile file(QDir(folder).filePath(QStringLiteral("project.tenon")));
  require(file.open(QIODevice::WriteOnly), QStringLiteral("cannot write %1").arg(file.fileName()));
  file.write(QJsonDocument(project).toJson());
}

/// The first `count` entries of an IDX file with this many sizes in its head.
void shortenIdx(const QString& from, const QString& to, int sizes, uint32_t count) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(from.toUtf8().constData(), "rb"),
                                                        &gzclose);
  require(file != nullptr, QStringLiteral("cannot read %1").arg(from));
  std::vector<uint8_t> head(4 + 4 * static_cast<size_t>(sizes));
  require(gzread(file.get(), head.data(), static_cast<unsigned>(head.size())) ==
              static_cast<int>(head.size()),
          QStringLiteral("%1 is cut off").arg(from));
  std::vector<uint32_t> shape = {count};
  size_t bytes = count;
  for (size_t i = 1; i < static_cast<size_t>(sizes); ++i) {
    shape.push_back(uint32_t{head[4 + 4 * i + 2]} << 8 | uint32_t{head[4 + 4 * i + 3]});
    bytes *= shape.back();
  }
  std::vector<uint8_t> values(bytes);
  require(
      gzread(file.get(), values.data(), static_cast<unsigned>(bytes)) == static_cast<int>(bytes),
      QStringLiteral("%1 has fewer entries").arg(from));
  testing::writeBytes(to.toStdString(), testing::idxBytes(shape, values));
}

/// Puts shortened copies of a reader's files into the folder and makes the reader name them.
QJsonObject shortenedReader(QJsonObject reader, const QString& folder, const QString& name,
                            int count) {
  for (const auto& [key, sizes] : {std::pair{"images", 3}, std::pair{"labels", 1}}) {
    const QString file = QStringLiteral("%1-%2.idx").arg(name, QLatin1String(key));
    shortenIdx(reader.value(QLatin1String(key)).toString(), QDir(folder).filePath(file), sizes,
               static_cast<uint32_t>(count));
    reader.insert(QLatin1String(key), file);
  }
  return reader;
}

QJsonObject smallProject(const QString& folder, int images) {
  require(QDir().mkpath(folder), QStringLiteral("cannot make %1").arg(folder));
  QJsonObject project = readSample();
  QJsonObject data = project.value(QLatin1String("data")).toObject();
  QJsonObject split = data.value(QLatin1String("split")).toObject();
  data.insert(QLatin1String("reader"),
              shortenedReader(data.value(QLatin1String("reader")).toObject(), folder,
                              QStringLiteral("train"), images));
  split.insert(QLatin1String("reader"),
               shortenedReader(split.value(QLatin1String("reader")).toObject(), folder,
                               QStringLiteral("test"), images / 3));
  data.insert(QLatin1String("split"), split);
  project.insert(QLatin1String("data"), data);
  QJsonObject train = project.value(QLatin1String("train")).toObject();
  train.insert(QLatin1String("epochs"), 3);
  train.insert(QLatin1String("batch_size"), 32);
  train.insert(QLatin1String("log_every"), 1);
  project.insert(QLatin1String("train"), train);
  return project;
}

void writeRuns(const QString& folder, const std::string& settings, int count) {
  const std::shared_ptr<Store> store = Store::open(folder.toStdString());
  for (int i = 0; i < count; ++i) {
    NewRun run;
    run.seed = static_cast<uint64_t>(i) * 7919 % 100'000;
    run.device = "cpu";
    run.settings = settings;
    if (i % 50 == 7)
      run.name = "a run with a name that somebody took a long time to think of, number " +
                 std::to_string(i);
    const RunId id = store->runs().create(run);
    const bool failed = i % 9 == 4;
    store->runs().setStatus(id, failed ? RunStatus::Failed : RunStatus::Finished,
                            failed ? "The loss became NaN in step 118" : "");
  }
}

}  // namespace

QString writeSmallProject(const QString& parent, int images) {
  const QString folder = QDir(parent).filePath(QStringLiteral("small"));
  writeProject(folder, smallProject(folder, images));
  return folder;
}

QString writeFaultyProject(const QString& parent) {
  const QString folder = QDir(parent).filePath(QStringLiteral("faulty"));
  QJsonObject project = smallProject(folder, 96);
  QJsonObject graph = project.value(QLatin1String("graph")).toObject();
  QJsonArray nodes = graph.value(QLatin1String("nodes")).toArray();
  QJsonArray edges = graph.value(QLatin1String("edges")).toArray();
  QJsonObject conv = nodes.at(4).toObject();
  conv.insert(QLatin1String("kernel_size"), 99);
  nodes.replace(4, conv);
  edges.removeLast();
  graph.insert(QLatin1String("nodes"), nodes);
  graph.insert(QLatin1String("edges"), edges);
  project.insert(QLatin1String("graph"), graph);
  project.insert(QLatin1String("name"), QStringLiteral("Faulty"));
  writeProject(folder, project);
  return folder;
}

QString writeUnreadableProject(const QString& parent) {
  const QString folder = QDir(parent).filePath(QStringLiteral("unreadable"));
  QJsonObject project = smallProject(folder, 96);
  project.insert(QLatin1String("name"), QStringLiteral("Unreadable"));
  writeProject(folder, project);
  QFile store(QDir(folder).filePath(QStringLiteral("tenon.sqlite")));
  require(store.open(QIODevice::WriteOnly) && store.write(QByteArray(8192, 'x')) == 8192,
          QStringLiteral("cannot write %1").arg(store.fileName()));
  return folder;
}

QString writeDamagedProject(const QString& parent) {
  const QString folder = QDir(parent).filePath(QStringLiteral("damaged"));
  QJsonObject project = smallProject(folder, 96);
  project.insert(QLatin1String("name"), QStringLiteral("Damaged"));
  writeProject(folder, project);
  QFile images(QDir(folder).filePath(QStringLiteral("train-images.idx")));
  require(images.resize(images.size() / 2), QStringLiteral("cannot cut %1").arg(images.fileName()));
  return folder;
}

QString writeHugeProject(const QString& parent) {
  constexpr int kMore = 480;
  const QString folder = QDir(parent).filePath(QStringLiteral("huge"));
  QJsonObject project = smallProject(folder, 96);
  QJsonObject graph = project.value(QLatin1String("graph")).toObject();
  QJsonArray nodes = graph.value(QLatin1String("nodes")).toArray();
  QJsonArray edges = graph.value(QLatin1String("edges")).toArray();
  // A long chain in place of the wire between the first two layers.
  edges.removeFirst();
  QString before = QStringLiteral("image");
  for (int i = 0; i < kMore; ++i) {
    const QString id = QStringLiteral("a_rather_long_layer_name_%1").arg(i);
    nodes.append(
        QJsonObject{{QStringLiteral("id"), id}, {QStringLiteral("type"), QStringLiteral("relu")}});
    edges.append(QJsonObject{{QStringLiteral("from"), before}, {QStringLiteral("to"), id}});
    before = id;
  }
  edges.append(QJsonObject{{QStringLiteral("from"), before},
                           {QStringLiteral("to"), QStringLiteral("conv1")}});
  graph.insert(QLatin1String("nodes"), nodes);
  graph.insert(QLatin1String("edges"), edges);
  project.insert(QLatin1String("graph"), graph);
  project.remove(QLatin1String("layout"));
  QJsonObject data = project.value(QLatin1String("data")).toObject();
  QJsonArray classes;
  for (const QJsonValue& name : data.value(QLatin1String("classes")).toArray())
    classes.append(name.toString() + QStringLiteral(" as photographed in the studio, from above"));
  data.insert(QLatin1String("classes"), classes);
  project.insert(QLatin1String("data"), data);
  project.insert(QLatin1String("name"),
                 QStringLiteral("A project with a name that goes on and on, as some names do"));
  writeProject(folder, project);
  writeRuns(folder, QJsonDocument(project).toJson().toStdString(), 300);
  return folder;
}

}  // namespace tenon::screens
