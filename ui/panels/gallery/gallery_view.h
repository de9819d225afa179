// SPDX-License-Identifier: GPL-3.0-or-later
// The images of the project's data: training or validation samples before any transform.
#pragma once

#include <QWidget>

#include "engine/data/dataset.h"

class QComboBox;
class QSlider;
class QStackedLayout;

namespace tenon::ui {

struct PanelContext;
class ElidedLabel;
class EmptyState;
class GalleryModel;
class ImageGrid;
class RequestSlot;

/// Reads the pictures in sight, and a page more, off the GUI thread.
class GalleryView final : public QWidget {
  Q_OBJECT
 public:
  explicit GalleryView(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  [[nodiscard]] QWidget* newBar();
  void follow();
  void refresh();
  void showEmpty(bool hasSamples);
  void load();

  PanelContext& context_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  GalleryModel* model_;
  ImageGrid* grid_;
  RequestSlot* loader_;
  QComboBox* part_;
  QSlider* zoom_;
  ElidedLabel* facts_;
};

}  // namespace tenon::ui
