// SPDX-License-Identifier: GPL-3.0-or-later
// The outline over a checked project: what a person collapsed stays so when a check is done.
#include <QTest>

#include "tests/ui/panels/inspect_session.h"
#include "ui/panels/outline/outline_model.h"
#include "ui/panels/outline/outline_view.h"
#include "ui/session/document_edits.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {

using testing::InspectSession;
constexpr int kLong = InspectSession::kLong;

class OutlineViewTest final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void collapsedStaysCollapsed();
};

void OutlineViewTest::collapsedStaysCollapsed() {
  InspectSession session;
  tenon::testing::writeToyProject(session.folder.path());
  session.document.open(QString::fromStdString(session.folder.path()));
  QVERIFY(QTest::qWaitFor([&] { return session.check.isCurrent(); }, kLong));
  LayoutSpec layout;
  layout.positions = {{"conv", {0, 0}}, {"bn", {0, 100}}, {"act", {400, 0}}, {"pool", {400, 100}}};
  layout.frames.push_back({"f1", "Start", {-10, -10, 220, 200}});
  layout.frames.push_back({"f2", "End", {390, -10, 220, 200}});
  edits::setLayout(session.document, QStringLiteral("frames"), layout);
  OutlineView view(session.context);
  view.resize(600, 300);
  view.show();
  auto* tree = view.findChild<TreeView*>();
  const auto frame = [&](const char* id) {
    for (int row = 0; row < tree->model()->rowCount(); ++row) {
      const QModelIndex index = tree->model()->index(row, 0);
      if (index.data(OutlineModel::kFrameRole).toString() == QLatin1String(id)) return index;
    }
    return QModelIndex();
  };
  QVERIFY(tree->isExpanded(frame("f1")) && tree->isExpanded(frame("f2")));
  tree->setExpanded(frame("f2"), false);
  QSignalSpy checked(&session.check, &LiveCheck::changed);
  session.check.checkNow();
  QVERIFY(checked.wait(kLong));
  QVERIFY(tree->isExpanded(frame("f1")) && !tree->isExpanded(frame("f2")));
  QVERIFY(edits::renameNode(session.document, QStringLiteral("fc"), QStringLiteral("head")));
  const auto* model = qobject_cast<OutlineModel*>(tree->model());
  QVERIFY(
      QTest::qWaitFor([&] { return model->indexOfNode(QStringLiteral("head")).isValid(); }, kLong));
  QVERIFY(tree->isExpanded(frame("f1")) && !tree->isExpanded(frame("f2")));
}

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::OutlineViewTest)
#include "outline_view_test.moc"
