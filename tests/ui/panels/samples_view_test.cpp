// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of samples over a really trained run, of which one epoch's samples are damaged.
#include <QComboBox>
#include <QTest>

#include "tests/ui/panels/inspect_session.h"
#include "ui/panels/samples/sample_gallery.h"
#include "ui/panels/samples/samples_view.h"
#include "ui/widgets/labels.h"

namespace tenon::ui {

using testing::InspectSession;
constexpr int kLong = InspectSession::kLong;

class SamplesViewTest final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void damagedEpochShowsNoOther();
};

void SamplesViewTest::damagedEpochShowsNoOther() {
  InspectSession session;
  session.record();
  Predictions predictions;
  predictions.sampleShape = {1, 1, 2};
  predictions.indices = {3};
  predictions.targets = {1};
  predictions.probabilities = {{0.25F, 0.75F}};
  predictions.pixels = std::vector<std::byte>(2, std::byte{9});
  const auto store = Store::open(session.folder.path());
  ArtifactInfo info;
  info.run = session.trained;
  info.kind = "predictions";
  info.epoch = 5;
  store->artifacts().add(info, std::vector<std::byte>(100, std::byte{7}));
  info.epoch = 6;
  store->artifacts().add(info, encode(predictions));
  QVERIFY(session.open());
  Destination results;
  results.mode = Mode::Results;
  session.navigation.go(results);
  session.selection.setRuns({session.trained});
  SamplesView view(session.context);
  view.resize(700, 300);
  view.setVisible(true);
  const auto* gallery = view.findChild<SampleGallery*>();
  auto* epochs = view.findChild<QComboBox*>();
  const auto* problem = view.findChild<InlineMessage*>(QStringLiteral("damagedSamples"));
  QVERIFY(QTest::qWaitFor([&] { return gallery->cards().size() == 1; }, kLong));
  QCOMPARE(epochs->currentText(), QStringLiteral("7"));
  QVERIFY(problem->isHidden());
  const int damaged = epochs->findText(QStringLiteral("6"));
  QVERIFY(damaged > 0);
  epochs->setCurrentIndex(damaged);
  Q_EMIT epochs->activated(damaged);
  QVERIFY(QTest::qWaitFor([&] { return problem->isVisible(); }, kLong));
  QVERIFY(gallery->cards().isEmpty());
  QVERIFY(epochs->isVisible());
  epochs->setCurrentIndex(0);
  Q_EMIT epochs->activated(0);
  QVERIFY(QTest::qWaitFor([&] { return gallery->cards().size() == 1; }, kLong));
  QVERIFY(problem->isHidden());
}

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::SamplesViewTest)
#include "samples_view_test.moc"
