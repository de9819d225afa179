// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting, filtering, columns, copying and CSV of tables and trees (table_view.h).
#include "ui/widgets/table_view.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <functional>

#include "ui/widgets/painting.h"
#include "ui/widgets/row_delegate.h"
#include "ui/widgets/table_proxy.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

QString quoted(QString cell) {
  const bool special =
      cell.contains(u'"') || cell.contains(u',') || cell.contains(u'\n') || cell.contains(u'\r');
  if (!special) return cell;
  return u'"' + cell.replace(u'"', QLatin1String("\"\"")) + u'"';
}

QList<int> visibleColumns(const QHeaderView& header) {
  QList<int> columns;
  for (int place = 0; place < header.count(); ++place) {
    const int column = header.logicalIndex(place);
    if (!header.isSectionHidden(column)) columns.append(column);
  }
  return columns;
}

void setUpHeader(QHeaderView& header) {
  header.setHighlightSections(false);
  header.setSectionsMovable(true);
  header.setStretchLastSection(true);
  header.setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header.setMinimumSectionSize(40);
  header.setContextMenuPolicy(Qt::CustomContextMenu);
}

/// Columns a person may hide; the first always stays.
QMenu* newColumnMenu(QAbstractItemView& view, QHeaderView& header) {
  auto* menu = new QMenu(&view);
  for (int column = 0; column < header.count(); ++column) {
    QAction* action = menu->addAction(view.model()->headerData(column, Qt::Horizontal).toString());
    action->setCheckable(true);
    action->setChecked(!header.isSectionHidden(column));
    action->setEnabled(column > 0);
    QObject::connect(action, &QAction::toggled, &view,
                     [&header, column](bool shown) { header.setSectionHidden(column, !shown); });
  }
  menu->addSeparator();
  QAction* all = menu->addAction(TableView::tr("Show all columns"));
  QObject::connect(all, &QAction::triggered, &view, [&header] {
    for (int column = 0; column < header.count(); ++column) header.showSection(column);
  });
  return menu;
}

template <class View>
void offerColumns(View& view, QHeaderView& header) {
  QObject::connect(&header, &QWidget::customContextMenuRequested, &view,
                   [&view, &header](QPoint at) {
                     QMenu* menu = view.createColumnMenu();
                     menu->setAttribute(Qt::WA_DeleteOnClose);
                     menu->popup(header.viewport()->mapToGlobal(at));
                   });
}

template <class View>
void paintPlaceholder(View& view, const QString& text) {
  const bool empty = !view.model() || view.model()->rowCount(view.rootIndex()) == 0;
  if (!empty || text.isEmpty()) return;
  QPainter painter(view.viewport());
  paint::placeholder(painter, view.viewport()->rect(), text, currentTheme());
}

template <class View>
void setUpView(View& view) {
  view.setFrameShape(QFrame::NoFrame);
  view.setItemDelegate(new RowDelegate(&view));
  view.setSelectionBehavior(QAbstractItemView::SelectRows);
  view.setSelectionMode(QAbstractItemView::ExtendedSelection);
  view.setEditTriggers(QAbstractItemView::NoEditTriggers);
  view.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  view.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  view.setMouseTracking(true);
}

}  // namespace

void setFirstWidths(QHeaderView& header, std::initializer_list<std::pair<int, int>> widths) {
  for (const auto& [column, width] : widths) header.resizeSection(column, width);
  // As the style writes titles; room for the arrow of sorting is not kept in every column.
  const QFontMetrics metrics(textFont(TextSize::Small));
  constexpr int kMargins = 14;
  for (int column = 0; header.model() && column < header.count(); ++column) {
    const QString title = header.model()->headerData(column, Qt::Horizontal).toString();
    header.resizeSection(
        column, std::max(header.sectionSize(column), metrics.horizontalAdvance(title) + kMargins));
  }
}

QString csvText(const QAbstractItemModel& model, const QList<int>& columns) {
  QList<int> wanted = columns;
  if (wanted.isEmpty()) {
    for (int column = 0; column < model.columnCount(); ++column) wanted.append(column);
  }
  QString text;
  const auto line = [&](auto&& cell) {
    QStringList cells;
    for (const int column : std::as_const(wanted)) cells.append(quoted(cell(column)));
    text += cells.join(u',') + QLatin1String("\r\n");
  };
  line([&](int column) { return model.headerData(column, Qt::Horizontal).toString(); });
  const std::function<void(const QModelIndex&)> rowsBelow = [&](const QModelIndex& parent) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
      line([&](int column) { return model.index(row, column, parent).data().toString(); });
      rowsBelow(model.index(row, 0, parent));
    }
  };
  rowsBelow({});
  return text;
}

TableView::TableView(QWidget* parent) : QTableView(parent) {
  setUpView(*this);
  setUpHeader(*horizontalHeader());
  setShowGrid(false);
  setWordWrap(false);
  setTabKeyNavigation(false);
  setCornerButtonEnabled(false);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setMinimumSectionSize(measure::kRow);
  verticalHeader()->setDefaultSectionSize(measure::kRow);
  horizontalHeader()->setSortIndicatorClearable(true);
  offerColumns(*this, *horizontalHeader());
  connect(this, &QAbstractItemView::activated, this,
          [this](const QModelIndex& index) { Q_EMIT rowActivated(toSource(index).row()); });
}

void TableView::setSourceModel(QAbstractItemModel* model, Sorting sorting) {
  source_ = model;
  delete std::exchange(proxy_, nullptr);
  horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  if (sorting == Sorting::ByView && model) {
    proxy_ = new TableProxy(this);
    proxy_->setSourceModel(model);
    setModel(proxy_);
  } else {
    setModel(model);
  }
  setSortingEnabled(true);
}

QModelIndex TableView::toSource(const QModelIndex& index) const {
  return proxy_ ? proxy_->mapToSource(index) : index;
}

QModelIndex TableView::fromSource(const QModelIndex& index) const {
  return proxy_ ? proxy_->mapFromSource(index) : index;
}

QModelIndex TableView::currentSourceIndex() const { return toSource(currentIndex()); }

void TableView::setCurrentSourceRow(int row) {
  if (!source_) return;
  const QModelIndex index = fromSource(source_->index(row, 0));
  if (index.isValid()) {
    setCurrentIndex(index);
  } else {
    clearSelection();
  }
}

QList<int> TableView::selectedSourceRows() const {
  QList<int> shown;
  if (!selectionModel()) return shown;
  for (const QModelIndex& index : selectionModel()->selectedRows()) shown.append(index.row());
  std::sort(shown.begin(), shown.end());
  QList<int> rows;
  for (const int row : std::as_const(shown)) rows.append(toSource(model()->index(row, 0)).row());
  return rows;
}

void TableView::setFilterText(const QString& text) {
  if (proxy_) proxy_->setFilterFixedString(text);
  Q_EMIT filterChanged(text);
}

int TableView::shownRows() const { return model() ? model()->rowCount() : 0; }

QMenu* TableView::createColumnMenu() { return newColumnMenu(*this, *horizontalHeader()); }

QByteArray TableView::saveColumns() const { return horizontalHeader()->saveState(); }

bool TableView::restoreColumns(const QByteArray& state) {
  return horizontalHeader()->restoreState(state);
}

QString TableView::toCsv() const {
  return model() ? csvText(*model(), visibleColumns(*horizontalHeader())) : QString();
}

void TableView::copySelection() const {
  copySelectedCells(*this, visibleColumns(*horizontalHeader()));
}

void TableView::setPlaceholder(const QString& text) {
  placeholder_ = text;
  viewport()->update();
}

void TableView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) {
    copySelection();
    return;
  }
  QTableView::keyPressEvent(event);
}

void TableView::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  paintPlaceholder(*this, placeholder_);
}

void TableView::contextMenuEvent(QContextMenuEvent* event) {
  Q_EMIT contextMenuRequested(toSource(indexAt(event->pos())).row(), event->globalPos());
}

void TableView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QTableView::currentChanged(current, previous);
  if (current.row() != previous.row() || !previous.isValid()) {
    Q_EMIT currentRowChanged(toSource(current).row());
  }
}

TreeView::TreeView(QWidget* parent) : QTreeView(parent) {
  setUpView(*this);
  setUpHeader(*header());
  setUniformRowHeights(true);
  setIndentation(16);
  setExpandsOnDoubleClick(false);
  header()->setSortIndicatorClearable(true);
  offerColumns(*this, *header());
}

void TreeView::setSourceModel(QAbstractItemModel* model) {
  delete std::exchange(proxy_, new TableProxy(this));
  proxy_->setRecursiveFilteringEnabled(true);
  proxy_->setAutoAcceptChildRows(true);
  proxy_->setSourceModel(model);
  setModel(proxy_);
  header()->setSortIndicator(-1, Qt::AscendingOrder);
  setSortingEnabled(true);
}

QModelIndex TreeView::toSource(const QModelIndex& index) const {
  return proxy_ ? proxy_->mapToSource(index) : index;
}

QModelIndex TreeView::fromSource(const QModelIndex& index) const {
  return proxy_ ? proxy_->mapFromSource(index) : index;
}

void TreeView::setFilterText(const QString& text) {
  if (proxy_) proxy_->setFilterFixedString(text);
}

QMenu* TreeView::createColumnMenu() { return newColumnMenu(*this, *header()); }

QByteArray TreeView::saveColumns() const { return header()->saveState(); }

bool TreeView::restoreColumns(const QByteArray& state) { return header()->restoreState(state); }

QString TreeView::toCsv() const {
  return model() ? csvText(*model(), visibleColumns(*header())) : QString();
}

void TreeView::contextMenuEvent(QContextMenuEvent* event) {
  Q_EMIT contextMenuRequested(event->globalPos());
}

void TreeView::copySelection() const { copySelectedCells(*this, visibleColumns(*header())); }

void TreeView::setPlaceholder(const QString& text) {
  placeholder_ = text;
  viewport()->update();
}

void TreeView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) {
    copySelection();
    return;
  }
  QTreeView::keyPressEvent(event);
}

void TreeView::paintEvent(QPaintEvent* event) {
  QTreeView::paintEvent(event);
  paintPlaceholder(*this, placeholder_);
}

}  // namespace tenon::ui
