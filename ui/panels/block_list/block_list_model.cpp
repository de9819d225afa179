// SPDX-License-Identifier: GPL-3.0-or-later
// Live blocks as rows.
#include "ui/panels/block_list/block_list_model.h"

#include <QPainter>
#include <QPixmap>
#include <algorithm>

#include "ui/session/step_texts.h"
#include "ui/widgets/format.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

QString tickText(qint64 tick) {
  return QString::number(static_cast<double>(tick) / 1e6, 'f', 3) + QChar(0x00A0) +
         QLatin1String("ms");
}

/// One digit behind the point: shares of a hundred blocks need no more.
QString shareText(double share) {
  return QString::number(100 * share, 'f', 1) + QChar(0x00A0) + u'%';
}

/// The colour of a category as in the track.
QPixmap swatch(memory::Category category) {
  constexpr int kScale = 4;  // sharp up to 400 %
  QPixmap picture(12 * kScale, 16 * kScale);
  picture.setDevicePixelRatio(kScale);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.fillRect(QRectF(1, 3, 10, 10), currentTheme().seriesColor(categoryHue(category)));
  return picture;
}

bool isNumber(int column) {
  switch (column) {
    case BlockListModel::Bytes:
    case BlockListModel::Share:
    case BlockListModel::Requested:
    case BlockListModel::From:
    case BlockListModel::Until:
    case BlockListModel::Stream:
    case BlockListModel::Block:
      return true;
    default:
      return false;
  }
}

}  // namespace

void BlockListModel::setInstant(std::shared_ptr<const StepData> step, qint64 tick) {
  beginResetModel();
  step_ = std::move(step);
  tick_ = tick;
  rows_.clear();
  total_ = 0;
  if (step_ && step_->memory) {
    const std::vector<StepBlock>& blocks = step_->memory->blocks();
    rows_ = step_->memory->liveAt(tick);
    const auto at = [&](int index) -> const StepBlock& {
      return blocks[static_cast<size_t>(index)];
    };
    std::stable_sort(rows_.begin(), rows_.end(),
                     [&](int a, int b) { return at(a).bytes > at(b).bytes; });
    for (const int index : rows_) total_ += at(index).bytes;
  }
  endResetModel();
}

const StepBlock& BlockListModel::block(int row) const {
  return step_->memory->blocks()[static_cast<size_t>(rows_[static_cast<size_t>(row)])];
}

qint64 BlockListModel::bytesAt(int row) const {
  return row >= 0 && row < rowCount() ? block(row).bytes : 0;
}

quint64 BlockListModel::blockAt(int row) const {
  return row >= 0 && row < rowCount() ? block(row).id : 0;
}

int BlockListModel::rowOf(quint64 id) const {
  const int index = step_ && step_->memory && id ? step_->memory->find(id) : -1;
  const auto found = std::find(rows_.begin(), rows_.end(), index);
  return index < 0 || found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int BlockListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int BlockListModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant BlockListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const int row = index.row();
  switch (role) {
    case Qt::DisplayRole:
      return text(row, index.column());
    case Qt::DecorationRole:
      return index.column() == Layer ? QVariant(swatch(category(row))) : QVariant();
    case Qt::ToolTipRole:
      return tip(row);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(
          Qt::Alignment(isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) |
          Qt::AlignVCenter);
    case kSortRole:
      return sortValue(row, index.column());
    case kBlockRole:
      return QVariant::fromValue(block(row).id);
    default:
      return {};
  }
}

/// The one it has at the instant: what is an activation now may have been scratch before.
memory::Category BlockListModel::category(int row) const {
  return step_->memory->categoryAt(static_cast<size_t>(rows_[static_cast<size_t>(row)]), tick_);
}

/// A block without a scope of its own is named after the node that uses it.
QString BlockListModel::layer(int row) const {
  const int index = rows_[static_cast<size_t>(row)];
  const QString own = step_->memory->layer(static_cast<size_t>(index));
  const int node = step_->links.nodeOf(index);
  if (!own.isEmpty() || node < 0 || !block(row).made) return own;
  return QString::fromStdString(step_->graph->nodes[static_cast<size_t>(node)].layer);
}

QString BlockListModel::op(int row) const {
  return step_->memory->op(static_cast<size_t>(rows_[static_cast<size_t>(row)]));
}

QString BlockListModel::text(int row, int column) const {
  const StepBlock& shown = block(row);
  const memory::Event& birth =
      step_->memory->birth(static_cast<size_t>(rows_[static_cast<size_t>(row)]));
  switch (column) {
    case Layer:
      return layer(row).isEmpty() ? QStringLiteral("\u2013") : layer(row);
    case Bytes:
      return formatBytes(shown.bytes);
    case Share:
      return shareText(total_ > 0 ? double(shown.bytes) / double(total_) : 0);
    case Op:
      return op(row).isEmpty() ? (shown.made ? QStringLiteral("\u2013") : tr("earlier")) : op(row);
    case Category:
      return categoryTitle(category(row));
    case Phase:
      return memoryPhase(birth.phase);
    case Requested:
      return formatBytes(static_cast<qint64>(birth.requested));
    case From:
      return shown.made ? tickText(shown.begin) : tr("before");
    case Until:
      return shown.end == StepMemory::kForever ? tr("kept") : tickText(shown.end);
    case Stream:
      return QString::number(birth.stream);
    case Pool:
      return QStringLiteral("%1/%2").arg(birth.pool.kind).arg(birth.pool.index);
    case Block:
      return QString::number(shown.id);
    case Address:
      return QStringLiteral("0x") + QString::number(birth.address, 16);
    default:
      return {};
  }
}

QVariant BlockListModel::sortValue(int row, int column) const {
  const StepBlock& shown = block(row);
  switch (column) {
    case Bytes:
    case Share:
      return QVariant::fromValue(shown.bytes);
    case Requested:
      return QVariant::fromValue(static_cast<qint64>(
          step_->memory->birth(static_cast<size_t>(rows_[static_cast<size_t>(row)])).requested));
    case From:
      return QVariant::fromValue(shown.begin);
    case Until:
      return QVariant::fromValue(shown.end);
    case Block:
      return QVariant::fromValue(shown.id);
    default:
      return text(row, column);
  }
}

QString BlockListModel::tip(int row) const {
  const StepBlock& shown = block(row);
  QStringList lines{
      tr("%1, %2 of %3").arg(text(row, Category), text(row, Bytes), formatBytes(total_))};
  QStringList who{layer(row), op(row)};
  who.removeAll(QString());
  if (!who.isEmpty()) lines.append(tr("asked for by %1").arg(who.join(QLatin1String(", "))));
  lines.append(tr("%1 wanted, rounded by the allocator").arg(text(row, Requested)));
  lines.append(shown.end == StepMemory::kForever
                   ? tr("from %1, still live at the end").arg(text(row, From))
                   : tr("from %1 to %2").arg(text(row, From), text(row, Until)));
  const memory::Category last =
      step_->memory->lastCategory(static_cast<size_t>(rows_[static_cast<size_t>(row)]));
  if (last != category(row)) lines.append(tr("counted as %1 later").arg(categoryTitle(last)));
  lines.append(
      tr("block %1, stream %2, pool %3").arg(text(row, Block), text(row, Stream), text(row, Pool)));
  return lines.join(u'\n');
}

QVariant BlockListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Layer:
      return tr("Layer");
    case Bytes:
      return tr("Bytes");
    case Share:
      return tr("Share");
    case Op:
      return tr("Operation");
    case Category:
      return tr("Category");
    case Phase:
      return tr("Phase");
    case Requested:
      return tr("Wanted");
    case From:
      return tr("From");
    case Until:
      return tr("Until");
    case Stream:
      return tr("Stream");
    case Pool:
      return tr("Pool");
    case Block:
      return tr("Block");
    case Address:
      return tr("Address");
    default:
      return {};
  }
}

}  // namespace tenon::ui
