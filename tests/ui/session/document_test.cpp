// SPDX-License-Identifier: GPL-3.0-or-later
// Document: opening, edits with undo, saving, changes from outside, recovery of unsaved edits.
#include "ui/session/document.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoView>
#include <algorithm>

#include "engine/project/project_file.h"
#include "ui/session/background.h"
#include "ui/session/document_edits.h"
#include "ui/session/recovery.h"

namespace tenon::ui {

class DocumentTest final : public QObject {
  Q_OBJECT

 private:
  QString writeSample(const QString& name = QStringLiteral("p")) {
    const QString to = folder_->filePath(name);
    QDir().mkpath(to);
    const QString file = to + QStringLiteral("/project.tenon");
    QFile::remove(file);
    QFile::copy(QStringLiteral(TENON_SOURCE_DIR "/projects/fashion-mnist/project.tenon"), file);
    QFile::setPermissions(file, QFile::permissions(file) | QFile::WriteOwner);
    return to;
  }
  bool open(const QString& path) {
    QSignalSpy opened(document_.get(), &Document::opened);
    document_->open(path);
    return opened.wait(30000);
  }
  bool save() {
    QSignalSpy saved(document_.get(), &Document::saved);
    document_->save();
    return saved.wait(30000);
  }
  double lr() const { return document_->spec().train->optimizer.params.getFloat("lr"); }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Background> background_;
  std::unique_ptr<Document> document_;

 private Q_SLOTS:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    background_ = std::make_unique<Background>(2, "test");
    document_ = std::make_unique<Document>(*background_);
  }
  void cleanup() {
    document_.reset();
    background_.reset();
    folder_.reset();
  }

  void opensFolderOrFile() {
    const QString folder = writeSample();
    QVERIFY(open(folder));
    QCOMPARE(document_->name(), QStringLiteral("Fashion-MNIST"));
    QCOMPARE(document_->folder(), QFileInfo(folder).canonicalFilePath());
    QCOMPARE(document_->spec().graph->nodes.size(), size_t(20));
    QVERIFY(!document_->isDirty());
    QVERIFY(open(folder + QStringLiteral("/project.tenon")));
    QCOMPARE(document_->folder(), QFileInfo(folder).canonicalFilePath());
  }

  void refusesWithReasons() {
    QSignalSpy failed(document_.get(), &Document::openFailed);
    document_->open(folder_->filePath(QStringLiteral("nowhere")));
    QVERIFY(failed.wait(30000));
    QVERIFY(failed.last().at(1).toString().contains(QStringLiteral("nowhere")));
    QVERIFY(!document_->isOpen());

    const QString folder = writeSample();
    QFile file(folder + QStringLiteral("/project.tenon"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray text = file.readAll();
    file.close();
    text.replace("\"epochs\": 5", "\"epochs\": \"five\"");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    document_->open(folder);
    QVERIFY(failed.wait(30000));
    const auto issues = failed.last().at(2).value<Issues>();
    QVERIFY(!issues.empty());
    QCOMPARE(issues.front().place.field, std::string("train.epochs"));
    QVERIFY(issues.front().place.line > 0);
  }

  void editsAreUndoneAndMerged() {
    QVERIFY(open(writeSample()));
    QSignalSpy changed(document_.get(), &Document::specChanged);
    QSignalSpy dirty(document_.get(), &Document::dirtyChanged);
    edits::setTrainPartParam(*document_, edits::TrainPart::Optimizer, QStringLiteral("lr"), 0.5);
    QCOMPARE(lr(), 0.5);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.last().at(0).value<SpecParts>(), SpecParts(SpecPart::Train));
    QCOMPARE(dirty.count(), 1);
    QCOMPARE(document_->undoStack().undoText(), QStringLiteral("Change learning rate"));

    // The same value again is no edit.
    edits::setTrainPartParam(*document_, edits::TrainPart::Optimizer, QStringLiteral("lr"), 0.5);
    QCOMPARE(document_->undoStack().count(), 1);

    QSignalSpy show(document_.get(), &Document::aboutToShow);
    document_->undo();
    QCOMPARE(lr(), 0.002);
    QVERIFY(!document_->isDirty());
    QCOMPARE(show.count(), 1);
    const auto where = show.last().at(0).value<Destination>();
    QCOMPARE(where.mode, Mode::Train);
    QCOMPARE(where.field, QStringLiteral("train.optimizer.lr"));
    document_->redo();
    QCOMPARE(lr(), 0.5);

    Edit typing{QStringLiteral("Type"), document_->spec(), QStringLiteral("name"), {}};
    typing.after.name = "a";
    document_->apply(typing);
    typing.after.name = "ab";
    document_->apply(typing);
    QCOMPARE(document_->undoStack().count(), 2);
    document_->undo();
    QCOMPARE(document_->spec().name, std::string("Fashion-MNIST"));
  }

  /// Who edits the project makes the edit that is still being typed, and that is what is undone.
  void undoAndRedoAskForUnfinishedEditsFirst() {
    QVERIFY(open(writeSample()));
    const double before = lr();
    double typed = 0.25;
    connect(document_.get(), &Document::aboutToMove, this, [&] {
      edits::setTrainPartParam(*document_, edits::TrainPart::Optimizer, QStringLiteral("lr"),
                               typed);
    });
    document_->undo();
    QCOMPARE(lr(), before);
    QVERIFY(document_->undoStack().canRedo());
    typed = before;  // nothing is being typed
    document_->redo();
    QCOMPARE(lr(), 0.25);
    typed = 0.5;
    document_->redo();  // a new edit leaves nothing to redo
    QCOMPARE(lr(), 0.5);
    QVERIFY(!document_->undoStack().canRedo());
    QCOMPARE(document_->undoStack().count(), 2);
  }

  /// A click in the list of edits goes the same way as undo and redo.
  void historyShowsPlacesAsUndoDoes() {
    QVERIFY(open(writeSample()));
    edits::setTrainPartParam(*document_, edits::TrainPart::Optimizer, QStringLiteral("lr"), 0.5);
    edits::setNodeParam(*document_, QStringLiteral("conv1"), QStringLiteral("out_channels"),
                        int64_t{48});
    document_->beginGroup(QStringLiteral("Both"));
    edits::setTrainParam(*document_, QStringLiteral("epochs"), int64_t{7});
    edits::setNodeParam(*document_, QStringLiteral("conv2"), QStringLiteral("out_channels"),
                        int64_t{40});
    document_->endGroup();
    const ProjectSpec after = document_->spec();
    const QStringList all{QStringLiteral("train.epochs"), QStringLiteral("conv1.out_channels"),
                          QStringLiteral("train.optimizer.lr")};

    QStringList shown;
    QList<double> rates;  // as they stand when the place is shown: before the change
    connect(document_.get(), &Document::aboutToShow, this, [&](const Destination& where) {
      shown.append(where.node.isEmpty() ? where.field
                                        : where.node + QLatin1Char('.') + where.field);
      rates.append(lr());
    });
    while (document_->undoStack().canUndo()) document_->undo();
    QCOMPARE(shown, all);
    QCOMPARE(rates.last(), 0.5);
    while (document_->undoStack().canRedo()) document_->redo();
    QVERIFY(!changedParts(document_->spec(), after));

    QUndoView history(&document_->undoStack());
    const auto choose = [&history](int row) {
      history.setCurrentIndex(history.model()->index(row, 0));
    };
    shown.clear();
    choose(0);
    QCOMPARE(shown, all);
    QVERIFY(!document_->isDirty());
    shown.clear();
    choose(3);
    QCOMPARE(shown, QStringList(all.crbegin(), all.crend()));
    QVERIFY(!changedParts(document_->spec(), after));
    shown.clear();
    choose(2);
    choose(3);
    QCOMPARE(shown, QStringList({all[0], all[0]}));
  }

  void editsTheGraph() {
    QVERIFY(open(writeSample()));
    edits::setNodeParam(*document_, QStringLiteral("conv1"), QStringLiteral("out_channels"),
                        int64_t{48});
    QCOMPARE(document_->spec().graph->find("conv1")->params.getInt("out_channels"), int64_t{48});
    edits::setNodeParam(*document_, QStringLiteral("conv1"), QStringLiteral("padding"),
                        std::nullopt);
    QVERIFY(!document_->spec().graph->find("conv1")->params.contains("padding"));

    QVERIFY(!edits::renameNode(*document_, QStringLiteral("conv1"), QStringLiteral("conv2")));
    QVERIFY(!edits::renameNode(*document_, QStringLiteral("conv1"), QStringLiteral("a b")));
    QVERIFY(edits::renameNode(*document_, QStringLiteral("conv1"), QStringLiteral("stem")));
    QVERIFY(document_->spec().graph->find("stem"));
    QVERIFY(document_->spec().layout->positions.count("stem") == 1);
    QCOMPARE(document_->spec().graph->edges[0].to, std::string("stem"));

    const size_t edges = document_->spec().graph->edges.size();
    edits::removeFromGraph(*document_, {QStringLiteral("stem")});
    QVERIFY(!document_->spec().graph->find("stem"));
    QCOMPARE(document_->spec().graph->edges.size(), edges - 2);
    edits::connectNodes(*document_, {"image", "", "bn1", ""});
    QCOMPARE(document_->spec().graph->edges.size(), edges - 1);
    edits::connectNodes(*document_, {"relu1", "", "bn1", ""});  // replaces what went in
    QCOMPARE(document_->spec().graph->edges.size(), edges - 1);

    edits::moveNodes(*document_, {{QStringLiteral("bn1"), QPointF(7, 8)}});
    QCOMPARE(document_->spec().layout->positions.at("bn1").y, 8.0);
    QCOMPARE(edits::freeNodeId(*document_->spec().graph, QStringLiteral("conv2d")),
             QStringLiteral("conv2d1"));
    while (document_->undoStack().canUndo()) document_->undo();
    QVERIFY(!document_->isDirty());
  }

  void changesOtherOptimizer() {
    QVERIFY(open(writeSample()));
    edits::setTrainPartType(*document_, edits::TrainPart::Optimizer, QStringLiteral("sgd"));
    const PartSpec& sgd = document_->spec().train->optimizer;
    QCOMPARE(sgd.type, std::string("sgd"));
    QCOMPARE(sgd.params.getFloat("lr"), 0.002);  // has it too: kept
    edits::setTrainParam(*document_, QStringLiteral("epochs"), int64_t{3});
    edits::setCheckpointParam(*document_, QStringLiteral("keep"), int64_t{9});
    QCOMPARE(document_->spec().train->epochs, int64_t{3});
    QCOMPARE(document_->spec().train->checkpoint.keep, int64_t{9});
    QVERIFY(edits::setByPath(*document_, QStringLiteral("train.batch_size"), QStringLiteral("32"))
                .empty());
    QCOMPARE(document_->spec().train->batchSize, int64_t{32});
    QVERIFY(!edits::setByPath(*document_, QStringLiteral("train.batch_size"), QStringLiteral("-1"))
                 .empty());
    QCOMPARE(document_->spec().train->batchSize, int64_t{32});
  }

  void savesAndStaysClean() {
    const QString folder = writeSample();
    QVERIFY(open(folder));
    edits::setTrainParam(*document_, QStringLiteral("epochs"), int64_t{7});
    QVERIFY(document_->isDirty());
    QVERIFY(save());
    QVERIFY(!document_->isDirty());
    QCOMPARE(readProject(folder.toStdString()).project.train->epochs, int64_t{7});
    document_->undo();
    QVERIFY(document_->isDirty());
  }

  void savesWhatWasEditedMeanwhile() {
    const QString folder = writeSample();
    QVERIFY(open(folder));
    QSignalSpy saved(document_.get(), &Document::saved);
    edits::setTrainParam(*document_, QStringLiteral("epochs"), int64_t{7});
    document_->save();
    edits::setTrainParam(*document_, QStringLiteral("epochs"), int64_t{8});
    document_->save();  // while the first one is under way
    QVERIFY(saved.wait(30000));
    QVERIFY(!document_->isDirty());
    QCOMPARE(readProject(folder.toStdString()).project.train->epochs, int64_t{8});
    QVERIFY(!saved.wait(100));
    QCOMPARE(saved.count(), 1);

    // Not asked for: stays unsaved.
    edits::setTrainParam(*document_, QStringLiteral("epochs"), int64_t{9});
    document_->save();
    edits::setTrainParam(*document_, QStringLiteral("epochs"), int64_t{10});
    QVERIFY(saved.wait(30000));
    QVERIFY(document_->isDirty());
    QCOMPARE(readProject(folder.toStdString()).project.train->epochs, int64_t{9});
  }

  void saysWhySavingFails() {
    const QString folder = writeSample();
    QVERIFY(open(folder));
    edits::setTrainParam(*document_, QStringLiteral("epochs"), int64_t{7});
    QVERIFY(QDir(folder).removeRecursively());
    QSignalSpy failed(document_.get(), &Document::saveFailed);
    document_->save();
    QVERIFY(failed.wait(30000));
    QVERIFY(failed.last().at(0).toString().contains(QStringLiteral("project.tenon")));
    QVERIFY(document_->isDirty());
  }

  void noticesChangesFromOutside() {
    const QString folder = writeSample();
    QVERIFY(open(folder));
    QSignalSpy outside(document_.get(), &Document::fileChangedOutside);
    edits::setTrainParam(*document_, QStringLiteral("epochs"), int64_t{7});
    QVERIFY(save());
    QVERIFY(!outside.wait(700));  // our own writing is none

    ProjectSpec theirs = document_->spec();
    TrainSpec train = *theirs.train;
    train.epochs = 99;
    theirs.train = std::make_shared<const TrainSpec>(train);
    writeProject(folder.toStdString(), theirs);
    QVERIFY(outside.wait(30000));
    QVERIFY(document_->outsideSpec());
    QCOMPARE(document_->outsideSpec()->train->epochs, int64_t{99});
    QCOMPARE(document_->spec().train->epochs, int64_t{7});
    document_->keepMine();
    QVERIFY(document_->isDirty());
    QCOMPARE(document_->savedSpec().train->epochs, int64_t{99});

    QSignalSpy opened(document_.get(), &Document::opened);
    document_->reload();
    QVERIFY(opened.wait(30000));
    QCOMPARE(document_->spec().train->epochs, int64_t{99});
    QVERIFY(!document_->isDirty());
  }

  void keepsUnsavedEdits() {
    const QString folder = writeSample();
    const QString kept = folder_->filePath(QStringLiteral("recovery"));
    {
      Recovery recovery(*document_, *background_, kept);
      recovery.setRest(20);
      QVERIFY(open(folder));
      QSignalSpy written(&recovery, &Recovery::written);
      edits::setTrainParam(*document_, QStringLiteral("epochs"), int64_t{77});
      QVERIFY(written.wait(30000));
      QVERIFY(QFile::exists(recovery.fileFor(document_->file())));
    }
    // As after a crash: another document on the same file.
    document_ = std::make_unique<Document>(*background_);
    Recovery recovery(*document_, *background_, kept);
    QSignalSpy available(&recovery, &Recovery::available);
    QVERIFY(open(folder));
    QVERIFY(available.count() == 1 || available.wait(30000));
    QCOMPARE(document_->spec().train->epochs, int64_t{5});
    recovery.accept();
    QCOMPARE(document_->spec().train->epochs, int64_t{77});
    QVERIFY(document_->isDirty());
    document_->undo();
    QCOMPARE(document_->spec().train->epochs, int64_t{5});
    QVERIFY(!QFile::exists(recovery.fileFor(document_->file())));  // nothing is unsaved any more
  }

  void discardsRecoveredEdits() {
    const QString folder = writeSample();
    const QString kept = folder_->filePath(QStringLiteral("recovery"));
    QString file;
    {
      Recovery recovery(*document_, *background_, kept);
      QVERIFY(open(folder));
      edits::setTrainParam(*document_, QStringLiteral("epochs"), int64_t{77});
      recovery.flush();
      file = recovery.fileFor(document_->file());
      QVERIFY(QFile::exists(file));
    }
    document_ = std::make_unique<Document>(*background_);
    Recovery recovery(*document_, *background_, kept);
    QSignalSpy available(&recovery, &Recovery::available);
    QVERIFY(open(folder));
    QVERIFY(available.count() == 1 || available.wait(30000));
    recovery.discard();
    QVERIFY(!QFile::exists(file));
    QCOMPARE(document_->spec().train->epochs, int64_t{5});
  }

  void newEditsSpareRecoveredOnes() {
    const QString folder = writeSample();
    const QString kept = folder_->filePath(QStringLiteral("recovery"));
    {
      Recovery recovery(*document_, *background_, kept);
      QVERIFY(open(folder));
      edits::setTrainParam(*document_, QStringLiteral("epochs"), int64_t{77});
      recovery.flush();
    }
    {  // Edited on, the question not answered, and ended unexpectedly again.
      document_ = std::make_unique<Document>(*background_);
      Recovery recovery(*document_, *background_, kept);
      recovery.setRest(20);
      QSignalSpy available(&recovery, &Recovery::available);
      QVERIFY(open(folder));
      QVERIFY(available.count() == 1 || available.wait(30000));
      QSignalSpy written(&recovery, &Recovery::written);
      edits::setTrainParam(*document_, QStringLiteral("epochs"), int64_t{88});
      QVERIFY(written.wait(30000));
      QVERIFY(recovery.found());
      QCOMPARE(recovery.found()->spec.train->epochs, int64_t{77});
      QCOMPARE(readProject(recovery.fileFor(document_->file()).toStdString()).project.train->epochs,
               int64_t{77});
    }
    document_ = std::make_unique<Document>(*background_);
    Recovery recovery(*document_, *background_, kept);
    QSignalSpy available(&recovery, &Recovery::available);
    QVERIFY(open(folder));
    QVERIFY(available.count() == 1 || available.wait(30000));
    QList<int64_t> offered{recovery.found()->spec.train->epochs};
    recovery.accept();
    QCOMPARE(document_->spec().train->epochs, offered.first());
    QCOMPARE(available.count(), 2);  // the other one
    offered.append(recovery.found()->spec.train->epochs);
    std::sort(offered.begin(), offered.end());
    QCOMPARE(offered, (QList<int64_t>{77, 88}));
    QVERIFY(save());  // settles what was accepted and leaves what was not answered
    QCOMPARE(QDir(kept).entryList(QDir::Files).size(), 1);
    recovery.discard();
    QVERIFY(!recovery.found());
    QVERIFY(QDir(kept).entryList(QDir::Files).isEmpty());
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::DocumentTest)
#include "document_test.moc"
