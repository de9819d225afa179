// SPDX-License-Identifier: GPL-3.0-or-later
// The bar at the left: a button a mode, in the order of the work.
#pragma once

#include <QHash>
#include <QWidget>
#include <optional>

#include "ui/session/mode.h"
#include "ui/widgets/icon.h"

namespace tenon::ui {

class CommandSet;
class ModeButton;

[[nodiscard]] QString modeName(Mode mode);
[[nodiscard]] QString modeIcon(Mode mode);

class ModeBar final : public QWidget {
  Q_OBJECT
 public:
  explicit ModeBar(const CommandSet& commands, QWidget* parent = nullptr);

  void setMode(Mode mode);
  /// Modes that need a project are greyed while none is open.
  void setProjectOpen(bool open);
  /// A dot on the button; nothing removes it.
  void setBadge(Mode mode, std::optional<Tint> tint);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QHash<Mode, ModeButton*> buttons_;
};

}  // namespace tenon::ui
