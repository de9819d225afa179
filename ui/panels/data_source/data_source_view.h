// SPDX-License-Identifier: GPL-3.0-or-later
// Where the samples come from: reader, files, split, transforms.
#pragma once

#include <QHash>
#include <QList>
#include <QWidget>
#include <functional>

#include "engine/project/specs.h"

class QComboBox;
class QLabel;
class QStackedLayout;
class QVBoxLayout;

namespace tenon::ui {

struct Destination;
struct PanelContext;
class EmptyState;
class PartForm;
class PropertyForm;

/// Shows the project's data settings while visible; each change is one step of undo.
class DataSourceView final : public QWidget {
  Q_OBJECT
 public:
  explicit DataSourceView(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  void follow();
  void refresh();
  void showSplit(const SplitSpec& split);
  void showTransforms(const std::vector<PartSpec>& transforms);
  void showErrors();
  void editSplit(const QString& field, const std::function<void(SplitSpec&)>& change);
  void addTransform();
  void edit(const QString& text, const QString& field,
            const std::function<void(DataSpec&)>& change);
  [[nodiscard]] QHash<QString, QString> errorsBelow(const QString& prefix) const;
  void arrive(const Destination& destination);
  void focusSplit(const QString& name);
  /// Its number and its field, each if there is one ("1", "mean").
  void focusTransform(const QStringList& path);
  void followPart(PartForm* form, const QString& field,
                  const std::function<PartSpec*(DataSpec&)>& part);

  PanelContext& context_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  PartForm* reader_;
  QComboBox* splitKind_;
  PropertyForm* split_;
  PartForm* splitReader_;
  QVBoxLayout* transformRows_ = nullptr;
  QList<PartForm*> transforms_;
  QComboBox* newTransform_;
};

}  // namespace tenon::ui
