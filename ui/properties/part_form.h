// SPDX-License-Identifier: GPL-3.0-or-later
// PartForm: a choice of definition (optimizer, schedule, reader, ...) over the form of its
// parameters.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>
#include <functional>
#include <optional>

#include "engine/schema/param_schema.h"
#include "ui/properties/param_editor.h"

class QComboBox;

namespace tenon::ui {

class PropertyForm;
class ElidedLabel;

/// One definition to choose.
struct PartChoice {
  QString id;
  QString title;                        ///< shown; the id where empty
  const ParamSchema* schema = nullptr;  ///< outlives the form
};

class PartForm final : public QWidget {
  Q_OBJECT
 public:
  explicit PartForm(const QString& label, QWidget* parent = nullptr);

  void setChoices(const QList<PartChoice>& choices);
  /// Shows a definition with its values; an unknown id shows as it is, without a form.
  void setPart(const QString& id, const ParamMap& values);
  [[nodiscard]] PropertyForm* form() const { return form_; }
  void setReadOnly(bool readOnly);
  /// "type" or nothing focuses the choice, another name its field.
  bool focusField(const QString& name);

 Q_SIGNALS:
  void typeChanged(const QString& id);
  void changed(const QString& name, const std::optional<tenon::ParamValue>& value);

 private:
  QComboBox* box_;
  PropertyForm* form_;
  QList<PartChoice> choices_;
  QString shown_;
};

}  // namespace tenon::ui
