// SPDX-License-Identifier: GPL-3.0-or-later
// Copying and saving what a table shows.
#include "ui/session/table_actions.h"

#include <QAction>
#include <QMenu>
#include <QPointer>
#include <QSaveFile>
#include <utility>

#include "ui/session/prompts.h"
#include "ui/widgets/filter_row.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {

template <class View>
TableActions::Table TableActions::tableOf(View& view, bool titled) {
  Table table{[&view] { view.copySelection(); }, [&view] { return view.toCsv(); }, {}};
  if (titled) table.columns = [&view] { return view.createColumnMenu(); };
  return table;
}

TableActions::TableActions(TableView& table, Prompts& prompts, const QString& name, QWidget* owner)
    : TableActions(tableOf(table, true), prompts, name, owner) {}

TableActions::TableActions(TreeView& tree, Prompts& prompts, const QString& name, QWidget* owner)
    : TableActions(tableOf(tree, !tree.isHeaderHidden()), prompts, name, owner) {}

TableActions::TableActions(Table table, Prompts& prompts, const QString& name, QWidget* owner)
    : QObject(owner), table_(std::move(table)), prompts_(prompts), name_(name) {
  copy_ = new QAction(icon(QStringLiteral("copy")), tr("&Copy"), owner);
  copy_->setToolTip(tr("Copy the selected rows as text"));
  copy_->setShortcut(QKeySequence::Copy);
  copy_->setShortcutContext(Qt::WidgetShortcut);  // the table answers the key itself
  csv_ = new QAction(tr("Save as CS&V..."), owner);
  csv_->setToolTip(tr("Save the rows and columns shown as a table file"));
  owner->addAction(copy_);
  owner->addAction(csv_);
  connect(copy_, &QAction::triggered, this, [this] { table_.copy(); });
  connect(csv_, &QAction::triggered, this, &TableActions::save);
}

void TableActions::addTo(QMenu& menu) {
  if (filter_ && !filter_->field()->isVisible()) {
    QAction* open = menu.addAction(icon(QStringLiteral("filter")), tr("&Filter..."));
    open->setToolTip(tr("Keep the rows that contain a text"));
    connect(open, &QAction::triggered, filter_, &FilterRow::open);
  }
  menu.addAction(copy_);
  menu.addAction(csv_);
  if (!table_.columns) return;
  QMenu* columns = table_.columns();
  columns->setParent(&menu, columns->windowFlags());
  columns->setTitle(tr("C&olumns"));
  menu.addMenu(columns);
}

void TableActions::save() {
  FileWish wish;
  wish.kind = FileWish::Kind::SaveFile;
  wish.title = tr("Save table as CSV");
  wish.name = name_ + QLatin1String(".csv");
  wish.filters = {tr("Tables (*.csv)")};
  prompts_.pickFile(wish, [self = QPointer(this)](const QString& path) {
    if (path.isEmpty() || !self) return;
    QSaveFile file(path);
    const QByteArray text = self->table_.csv().toUtf8();
    if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit()) {
      self->prompts_.notice(tr("Saved to %1").arg(path));
    } else {
      self->prompts_.showError(tr("The table could not be saved"),
                               tr("%1: %2").arg(path, file.errorString()));
    }
  });
}

}  // namespace tenon::ui
