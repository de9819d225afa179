// SPDX-License-Identifier: GPL-3.0-or-later
// Shortcuts, listed and changeable.
#include "ui/shell/shortcut_page.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/table_actions.h"
#include "ui/shell/command_set.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

enum Column { kName, kKeys, kPlace };

QString shown(const QKeySequence& keys) { return keys.toString(QKeySequence::NativeText); }

/// One is the other, or its beginning: whoever presses them means both.
bool areMixedUp(const QKeySequence& keys, const QKeySequence& others) {
  if (keys.isEmpty() || others.isEmpty()) return false;
  return keys.matches(others) != QKeySequence::NoMatch ||
         others.matches(keys) != QKeySequence::NoMatch;
}

}  // namespace

ShortcutPage::ShortcutPage(const ShortcutSources& sources, QWidget* parent)
    : QWidget(parent),
      sources_(sources),
      model_(new QStandardItemModel(0, 3, this)),
      table_(new TableView(this)),
      keys_(new QKeySequenceEdit(this)),
      reset_(new QPushButton(tr("Default"), this)),
      message_(new QLabel(this)) {
  build();
  table_->setSourceModel(model_);
  tableActions_ = new TableActions(*table_, sources_.prompts, tr("shortcuts"), this);
  connect(table_, &TableView::contextMenuRequested, this, [this](int, const QPoint& place) {
    QMenu menu(this);
    tableActions_->addTo(menu);
    menu.exec(place);
  });
  connect(table_, &TableView::currentRowChanged, this, &ShortcutPage::showRow);
  connect(keys_, &QKeySequenceEdit::editingFinished, this,
          [this] { change(keys_->keySequence()); });
  connect(reset_, &QPushButton::clicked, this, &ShortcutPage::reset);
  showRow(-1);
}

void ShortcutPage::build() {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
  auto* search = new SearchField(tr("Search"), this);
  search->setAccessibleName(tr("Search commands"));
  connect(search, &SearchField::searchChanged, table_, &TableView::setFilterText);
  table_->setAccessibleName(tr("Shortcuts"));
  keys_->setAccessibleName(tr("New shortcut"));
  message_->setWordWrap(true);
  message_->setFont(textFont(TextSize::Small));
  auto* row = new QHBoxLayout;
  row->addWidget(keys_, 1);
  row->addWidget(reset_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(measure::kGap2);
  column->addWidget(search);
  column->addWidget(table_, 1);
  column->addLayout(row);
  column->addWidget(message_);
}

void ShortcutPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (model_->rowCount() == 0) fill();
}

void ShortcutPage::append(const QIcon& icon, const QStringList& cells, const QString& help) {
  QList<QStandardItem*> row;
  for (const QString& cell : cells) {
    row.append(new QStandardItem(cell));
    row.back()->setEditable(false);
    row.back()->setToolTip(help.isEmpty() ? cell : help);
  }
  row.first()->setIcon(icon);
  model_->appendRow(row);
}

void ShortcutPage::fill() {
  panelKeys_ = sources_.panelKeys();
  model_->setHorizontalHeaderLabels({tr("Command"), tr("Shortcut"), tr("Where")});
  for (const QAction* action : sources_.commands.all())
    append(action->icon(),
           {CommandSet::plainText(*action), shown(action->shortcut()), tr("Everywhere")},
           action->statusTip());
  for (const PanelKey& key : std::as_const(panelKeys_))
    append({}, {key.text, shown(key.keys()), key.places.join(QStringLiteral(", "))}, {});
  setFirstWidths(*table_->horizontalHeader(), {{kKeys, 100}, {kPlace, 140}});
  table_->horizontalHeader()->setStretchLastSection(false);
  table_->horizontalHeader()->setSectionResizeMode(kName, QHeaderView::Stretch);
}

int ShortcutPage::commandCount() const { return int(sources_.commands.all().size()); }

bool ShortcutPage::isFixed(int row) const {
  return row >= commandCount() && panelKeys_.at(row - commandCount()).id.isEmpty();
}

QKeySequence ShortcutPage::keysOf(int row) const {
  return row < commandCount() ? sources_.commands.all().at(row)->shortcut()
                              : panelKeys_.at(row - commandCount()).keys();
}

void ShortcutPage::showRow(int row) {
  row_ = row;
  const bool free = row >= 0 && !isFixed(row);
  keys_->setEnabled(free);
  reset_->setEnabled(free);
  message_->setText(row < 0 || free ? tr("Choose a command, then press its new keys.")
                                    : tr("This key is the same everywhere and stays as it is."));
  if (row >= 0) keys_->setKeySequence(keysOf(row));
}

void ShortcutPage::reset() {
  if (row_ < 0) return;
  if (row_ < commandCount()) {
    change(sources_.commands.defaultShortcut(sources_.commands.all().at(row_)->objectName()));
  } else {
    change(panelKeys_.at(row_ - commandCount()).defaultKeys());
  }
}

QString ShortcutPage::nameOf(int row) const {
  return row < commandCount() ? CommandSet::plainText(*sources_.commands.all().at(row))
                              : panelKeys_.at(row - commandCount()).text;
}

QList<QKeySequence> ShortcutPage::allKeysOf(int row) const {
  if (row < commandCount()) return sources_.commands.all().at(row)->shortcuts();
  const PanelKey& key = panelKeys_.at(row - commandCount());
  return key.actions.isEmpty() || !key.actions.first() ? QList<QKeySequence>()
                                                       : key.actions.first()->shortcuts();
}

QList<QKeySequence> ShortcutPage::allKeysWith(int row, const QKeySequence& keys) const {
  return row < commandCount()
             ? sources_.commands.shortcutsWith(sources_.commands.all().at(row)->objectName(), keys)
             : panelKeys_.at(row - commandCount()).keysWith(keys);
}

/// Both act in some place: commands do everywhere, keys of panels in theirs.
bool ShortcutPage::meets(int row, int other) const {
  if (row < commandCount() || other < commandCount()) return true;
  const QStringList& here = panelKeys_.at(row - commandCount()).places;
  const QStringList& there = panelKeys_.at(other - commandCount()).places;
  return std::any_of(there.begin(), there.end(),
                     [&here](const QString& place) { return here.contains(place); });
}

QString ShortcutPage::refusal(int row, const QKeySequence& keys) const {
  if (row >= commandCount() && !canBePanelKeys(keys))
    return tr("A key of panels is a single stroke, not %1.").arg(shown(keys));
  for (const QKeySequence& one : allKeysWith(row, keys))
    if (const QString reason = conflict(row, one); !reason.isEmpty()) return reason;
  return {};
}

/// Where two answer to the same keys, neither would act; of two that begin alike the longer one
/// never would.
QString ShortcutPage::conflict(int row, const QKeySequence& keys) const {
  for (int other = 0; other < model_->rowCount(); ++other) {
    if (other == row || !meets(row, other)) continue;
    for (const QKeySequence& others : allKeysOf(other)) {
      if (!areMixedUp(keys, others)) continue;
      return keys == others ? tr("%1 belongs to %2.").arg(shown(keys), nameOf(other))
                            : tr("%1 begins like %2, which belongs to %3.")
                                  .arg(shown(keys), shown(others), nameOf(other));
    }
  }
  return {};
}

void ShortcutPage::change(const QKeySequence& keys) {
  if (row_ < 0 || isFixed(row_)) return;
  if (const QString reason = refusal(row_, keys); !reason.isEmpty()) {
    message_->setText(reason);
    return;
  }
  if (row_ < commandCount()) {
    sources_.commands.setShortcut(sources_.commands.all().at(row_)->objectName(), keys);
  } else {
    changeKeys(panelKeys_.at(row_ - commandCount()), keys, sources_.store);
  }
  model_->item(row_, kKeys)->setText(shown(keysOf(row_)));
  message_->setText(tr("Changed."));
}

}  // namespace tenon::ui
