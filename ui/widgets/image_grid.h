// SPDX-License-Identifier: GPL-3.0-or-later
// A gallery of thumbnails over an item model; lays out and paints only what is visible, so a
// million items are fine.
#pragma once

#include <QAbstractItemView>
#include <algorithm>

namespace tenon::ui {

/**
 * Shows column 0 of a flat model as cells: picture (Qt::DecorationRole: QImage, QPixmap or QIcon;
 * none yet paints a placeholder), caption (Qt::DisplayRole), class chip (kChipTextRole,
 * kChipColorRole). The model is asked for visible cells only; visibleRangeChanged tells it what to
 * prefetch and dataChanged brings late pictures in.
 */
class ImageGrid final : public QAbstractItemView {
  Q_OBJECT
 public:
  static constexpr int kChipTextRole = Qt::UserRole + 910;   ///< QString, class name
  static constexpr int kChipColorRole = Qt::UserRole + 911;  ///< QColor of the chip's dot
  static constexpr int kBadgeRole = Qt::UserRole + 912;  ///< QString icon name ("check", "warning")

  explicit ImageGrid(QWidget* parent = nullptr);

  /// Edge of a picture in logical pixels, 24..512; 96 at first.
  void setCellSize(int pixels);
  [[nodiscard]] int cellSize() const { return cell_; }
  /// One or two text lines below the picture (caption; chip). 0 shows pictures only.
  void setTextLines(int lines);
  /// Least width of the text lines: cells become wider than their pictures, and names are read
  /// whole. 0, as at first: as wide as the picture.
  void setTextWidth(int pixels);
  /// Width that a class name with its dot takes.
  [[nodiscard]] static int chipWidth(const QString& name);
  /// Enlarge small pictures by whole factors without smoothing (true at first).
  void setPixelated(bool pixelated);
  void setPlaceholder(const QString& text);

  [[nodiscard]] int columns() const;
  /// First and last visible row of the model, (-1, -1) when empty.
  [[nodiscard]] std::pair<int, int> visibleRange() const;

  [[nodiscard]] QRect visualRect(const QModelIndex& index) const override;
  void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
  [[nodiscard]] QModelIndex indexAt(const QPoint& point) const override;
  void setModel(QAbstractItemModel* model) override;
  void doItemsLayout() override;

 Q_SIGNALS:
  void visibleRangeChanged(int first, int last);

 protected:
  [[nodiscard]] QModelIndex moveCursor(CursorAction action,
                                       Qt::KeyboardModifiers modifiers) override;
  [[nodiscard]] int horizontalOffset() const override;
  [[nodiscard]] int verticalOffset() const override;
  [[nodiscard]] bool isIndexHidden(const QModelIndex& index) const override;
  void setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags flags) override;
  [[nodiscard]] QRegion visualRegionForSelection(const QItemSelection& selection) const override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void updateGeometries() override;
  void scrollContentsBy(int dx, int dy) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
  bool viewportEvent(QEvent* event) override;

 private:
  [[nodiscard]] int rows() const;
  [[nodiscard]] int room() const { return std::max(cell_, textLines_ > 0 ? textWidth_ : 0); }
  [[nodiscard]] QSize pitch() const;
  [[nodiscard]] QRect cellRect(int row) const;
  [[nodiscard]] int nearestRow(const QPoint& point) const;
  [[nodiscard]] QItemSelection rowsBetween(int first, int last) const;
  void paintCell(QPainter& painter, int row) const;
  void paintPicture(QPainter& painter, const QRect& room, const QModelIndex& index) const;
  void paintTexts(QPainter& painter, const QRect& room, const QModelIndex& index) const;
  void announceRange();

  int cell_ = 96;
  int textLines_ = 2;
  int textWidth_ = 0;
  bool pixelated_ = true;
  QString placeholder_;
  int hovered_ = -1;
  std::pair<int, int> announced_{-1, -1};
};

}  // namespace tenon::ui
