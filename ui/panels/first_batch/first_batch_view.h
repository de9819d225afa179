// SPDX-License-Identifier: GPL-3.0-or-later
// The first training batch: the chain of one sample, facts of the whole, pictures with labels.
#pragma once

#include <QWidget>
#include <memory>

#include "ui/panels/first_batch/batch_facts.h"

class QProgressBar;
class QStackedLayout;

namespace tenon {
struct DataPipeline;
}

namespace tenon::ui {

struct PanelContext;
class BatchModel;
class ChainStrip;
class EmptyState;
class ImageGrid;
class RequestSlot;
class StatTile;

/// Reads the batch off the GUI thread whenever data, batch size or seed have changed; a batch read
/// before stays meanwhile, under a bar that says so.
class FirstBatchView final : public QWidget {
  Q_OBJECT
 public:
  explicit FirstBatchView(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void build();
  [[nodiscard]] QWidget* newFacts();
  void refresh();
  void ask(const std::shared_ptr<const DataPipeline>& data);
  void show(const FirstBatch& batch, const QStringList& classes);
  void showEmpty(const QString& title, const QString& text);
  void fail(const QString& text);

  PanelContext& context_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  BatchModel* model_;
  ImageGrid* grid_;
  ChainStrip* chain_;
  StatTile* shape_;
  StatTile* type_;
  StatTile* range_;
  StatTile* mean_;
  StatTile* deviation_;
  RequestSlot* slot_;
  QProgressBar* busy_;
  // What the batch shown, or asked for, was read from.
  std::shared_ptr<const DataPipeline> asked_;
  qint64 askedSize_ = 0;
  qint64 askedSeed_ = 0;
};

}  // namespace tenon::ui
