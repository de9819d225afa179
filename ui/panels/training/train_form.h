// SPDX-License-Identifier: GPL-3.0-or-later
// The training settings of the project: the plain ones, loss, optimizer, schedule, metrics and
// checkpoints.
#pragma once

#include <QWidget>

namespace tenon::ui {

struct PanelContext;
class PartForm;
class PropertyForm;

class TrainForm final : public QWidget {
  Q_OBJECT
 public:
  explicit TrainForm(PanelContext& context, QWidget* parent = nullptr);

  /// Shows the document's settings.
  void showSpec();
  /// Errors of the newest check.
  void showChecked();
  /// `path` as in the project: "train.optimizer.lr", "train.epochs", "train.checkpoint.keep".
  bool focusField(const QString& path);

 private:
  void follow();
  void followParts();
  void measure(const QString& metric, bool on);

  PanelContext& context_;
  PropertyForm* plain_;
  PartForm* loss_;
  PartForm* optimizer_;
  PartForm* schedule_;
  PropertyForm* metrics_;
  PropertyForm* checkpoint_;
};

}  // namespace tenon::ui
