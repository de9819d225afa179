// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that differ, side by side.
#include "ui/shell/changes_dialog.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMenu>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include "engine/project/settings.h"
#include "ui/session/table_actions.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

void showChanges(const QString& title, const ComparedSpec& before, const ComparedSpec& after,
                 Prompts& prompts, QWidget* parent) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  dialog->resize(640, 400);
  auto* model = new QStandardItemModel(0, 3, dialog);
  model->setHorizontalHeaderLabels({QDialog::tr("Setting"), before.heading, after.heading});
  for (const SettingChange& change : diffSpecs(before.spec, after.spec)) {
    QList<QStandardItem*> row;
    for (const std::string& text : {change.path, change.before, change.after}) {
      row.append(new QStandardItem(QString::fromStdString(text)));
      row.back()->setEditable(false);
    }
    model->appendRow(row);
  }
  auto* table = new TableView(dialog);
  table->setSourceModel(model);
  table->setAccessibleName(title);
  table->setPlaceholder(QDialog::tr("Only names and positions differ"));
  table->horizontalHeader()->setStretchLastSection(true);
  table->resizeColumnsToContents();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  auto* search = new SearchField(QDialog::tr("Filter settings"), dialog);
  search->setAccessibleName(QDialog::tr("Filter settings"));
  QObject::connect(search, &SearchField::searchChanged, table, &TableView::setFilterText);
  auto* actions = new TableActions(*table, prompts, QDialog::tr("differences"), dialog);
  QObject::connect(table, &TableView::contextMenuRequested, dialog,
                   [dialog, actions](int, const QPoint& place) {
                     QMenu menu(dialog);
                     actions->addTo(menu);
                     menu.exec(place);
                   });
  auto* column = new QVBoxLayout(dialog);
  column->setContentsMargins(measure::kGap3, measure::kGap3, measure::kGap3, measure::kGap3);
  column->addWidget(search);
  column->addWidget(table);
  column->addWidget(buttons);
  dialog->open();
}

}  // namespace tenon::ui
