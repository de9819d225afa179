// SPDX-License-Identifier: GPL-3.0-or-later
// The palette: a line and the actions that fit it, best first.
#include "ui/shell/command_palette.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPointer>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/shell/command_set.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kRowsShown = 12;
constexpr int kWidth = 560;
constexpr int kKeysRole = Qt::UserRole + 1;
constexpr int kActionRole = Qt::UserRole + 2;

/// Name at the left, shortcut at the right.
class PaletteDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    painter->setFont(textFont(TextSize::Small));
    painter->setPen(currentTheme().secondary);
    painter->drawText(option.rect.adjusted(0, 0, -measure::kGap2, 0),
                      Qt::AlignRight | Qt::AlignVCenter, index.data(kKeysRole).toString());
  }
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {0, measure::kButton};
  }
};

}  // namespace

int matchScore(const QString& typed, const QString& text) {
  if (typed.isEmpty()) return 0;
  const QString wanted = typed.toCaseFolded();
  const QString here = text.toCaseFolded();
  if (here.startsWith(wanted)) return 1000 - static_cast<int>(here.size());
  const qsizetype whole = here.indexOf(wanted);
  if (whole > 0) {
    const bool word = !here[whole - 1].isLetterOrNumber();
    return (word ? 800 : 600) - static_cast<int>(whole);
  }
  int score = 0;
  qsizetype at = 0;
  for (const QChar letter : wanted) {
    if (letter.isSpace()) continue;
    const qsizetype found = here.indexOf(letter, at);
    if (found < 0) return -1;
    const bool begins = found == 0 || !here[found - 1].isLetterOrNumber();
    score += begins ? 20 : found == at ? 10 : 1;
    at = found + 1;
  }
  return score;
}

CommandPalette::CommandPalette(QWidget* window)
    : QFrame(window, Qt::Popup), line_(new QLineEdit(this)), list_(new QListWidget(this)) {
  setFrameShape(QFrame::StyledPanel);
  setAccessibleName(tr("Find action"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(measure::kGap2, measure::kGap2, measure::kGap2, measure::kGap2);
  column->setSpacing(measure::kGap2);
  column->addWidget(line_);
  column->addWidget(list_);
  line_->setPlaceholderText(tr("Find an action"));
  line_->setAccessibleName(tr("Find an action"));
  line_->installEventFilter(this);
  list_->setFrameShape(QFrame::NoFrame);
  list_->viewport()->setBackgroundRole(QPalette::Window);
  list_->setItemDelegate(new PaletteDelegate(list_));
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setIconSize({measure::kIconSmall, measure::kIconSmall});
  list_->setAccessibleName(tr("Actions"));
  connect(line_, &QLineEdit::textChanged, this, &CommandPalette::filter);
  connect(list_, &QListWidget::itemClicked, this, &CommandPalette::trigger);
}

void CommandPalette::open(const QList<QAction*>& actions) {
  actions_ = actions;
  line_->clear();
  filter({});
  const QWidget* window = parentWidget();
  resize(std::min(kWidth, window->width() - 2 * measure::kGap4), height());
  move(window->mapToGlobal(QPoint((window->width() - width()) / 2, measure::kTopBar + 8)));
  show();
  line_->setFocus();
}

void CommandPalette::filter(const QString& typed) {
  std::vector<std::pair<int, QAction*>> fitting;
  for (QAction* action : actions_) {
    const int score = matchScore(typed, CommandSet::plainText(*action));
    if (score >= 0) fitting.emplace_back(action->isEnabled() ? score : score - 500, action);
  }
  std::stable_sort(fitting.begin(), fitting.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  list_->clear();
  for (const auto& [score, action] : fitting) {
    auto* item = new QListWidgetItem(action->icon(), CommandSet::plainText(*action), list_);
    item->setData(kKeysRole, action->shortcut().toString(QKeySequence::NativeText));
    item->setData(kActionRole, QVariant::fromValue<QObject*>(action));
    item->setToolTip(action->statusTip());
    if (!action->isEnabled()) item->setFlags(Qt::NoItemFlags);
  }
  if (fitting.empty()) {
    auto* none = new QListWidgetItem(tr("No action is called that"), list_);
    none->setFlags(Qt::NoItemFlags);
  }
  list_->setCurrentRow(0);
  // As high as what fits: an empty box below a short list would look like something missing.
  const int rows = std::clamp(list_->count(), 1, kRowsShown);
  resize(width(), rows * measure::kButton + measure::kField + 4 * measure::kGap2);
}

void CommandPalette::trigger() {
  const QListWidgetItem* item = list_->currentItem();
  if (!item || !(item->flags() & Qt::ItemIsEnabled)) return;
  const QPointer<QAction> action =
      qobject_cast<QAction*>(item->data(kActionRole).value<QObject*>());
  hide();  // first: the action may open something of its own
  if (action) action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched != line_ || event->type() != QEvent::KeyPress)
    return QFrame::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  const int last = list_->count() - 1;
  switch (key->key()) {
    case Qt::Key_Down:
      list_->setCurrentRow(std::min(last, list_->currentRow() + 1));
      return true;
    case Qt::Key_Up:
      list_->setCurrentRow(std::max(0, list_->currentRow() - 1));
      return true;
    case Qt::Key_PageDown:
      list_->setCurrentRow(std::min(last, list_->currentRow() + kRowsShown));
      return true;
    case Qt::Key_PageUp:
      list_->setCurrentRow(std::max(0, list_->currentRow() - kRowsShown));
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      trigger();
      return true;
    default:
      return QFrame::eventFilter(watched, event);
  }
}

}  // namespace tenon::ui
