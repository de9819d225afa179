// SPDX-License-Identifier: GPL-3.0-or-later
// Shortcuts, listed and changeable.
#include "ui/shell/shortcut_page.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include "ui/shell/command_set.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

ShortcutPage::ShortcutPage(CommandSet& commands, QWidget* parent)
    : QWidget(parent),
      commands_(commands),
      model_(new QStandardItemModel(0, 2, this)),
      table_(new TableView(this)),
      keys_(new QKeySequenceEdit(this)),
      reset_(new QPushButton(tr("Default"), this)),
      message_(new QLabel(this)) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
  auto* search = new SearchField(tr("Search"), this);
  search->setAccessibleName(tr("Search commands"));
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

  fill();
  table_->setSourceModel(model_);
  table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  connect(search, &SearchField::searchChanged, table_, &TableView::setFilterText);
  connect(table_, &TableView::currentRowChanged, this, &ShortcutPage::showRow);
  connect(keys_, &QKeySequenceEdit::editingFinished, this,
          [this] { change(keys_->keySequence()); });
  connect(reset_, &QPushButton::clicked, this, [this] {
    if (row_ >= 0) change(commands_.defaultShortcut(commands_.all().at(row_)->objectName()));
  });
  showRow(-1);
}

void ShortcutPage::fill() {
  model_->clear();
  model_->setHorizontalHeaderLabels({tr("Command"), tr("Shortcut")});
  for (const QAction* action : commands_.all()) {
    auto* name = new QStandardItem(action->icon(), CommandSet::plainText(*action));
    auto* keys = new QStandardItem(action->shortcut().toString(QKeySequence::NativeText));
    name->setToolTip(action->statusTip());
    name->setEditable(false);
    keys->setEditable(false);
    model_->appendRow({name, keys});
  }
}

void ShortcutPage::showRow(int row) {
  row_ = row;
  keys_->setEnabled(row >= 0);
  reset_->setEnabled(row >= 0);
  message_->setText(tr("Choose a command, then press its new keys."));
  if (row >= 0) keys_->setKeySequence(commands_.all().at(row)->shortcut());
}

void ShortcutPage::change(const QKeySequence& keys) {
  if (row_ < 0) return;
  const QAction* action = commands_.all().at(row_);
  const QString taken = commands_.setShortcut(action->objectName(), keys);
  if (!taken.isEmpty()) {
    message_->setText(tr("%1 belongs to %2.")
                          .arg(keys.toString(QKeySequence::NativeText),
                               CommandSet::plainText(*commands_.action(taken))));
    return;
  }
  model_->item(row_, 1)->setText(action->shortcut().toString(QKeySequence::NativeText));
  message_->setText(tr("Changed."));
}

}  // namespace tenon::ui
