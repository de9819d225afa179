// SPDX-License-Identifier: GPL-3.0-or-later
// ModeStack: the pages of all modes, each made when it is first wanted.
#pragma once

#include <QHash>
#include <QStackedWidget>
#include <functional>

#include "ui/shell/mode_page.h"

namespace tenon::ui {

class ModeStack final : public QStackedWidget {
  Q_OBJECT
 public:
  ModeStack(PanelTable panels, PanelContext& context, QSettings& store, QWidget* parent = nullptr);

  [[nodiscard]] Mode mode() const { return mode_; }
  void setMode(Mode mode);
  /// The page in front; null before the first setMode.
  [[nodiscard]] ModePage* page() const { return pages_.value(mode_); }
  /// Calls `look` with each panel of all modes; pages that nobody has wanted yet are made.
  void eachPanel(const std::function<void(const PanelDef&, QWidget&)>& look);
  /// Writes all arrangements into the settings.
  void save();

 private:
  ModePage& pageOf(Mode mode);

  PanelTable panels_;
  PanelContext& context_;
  QSettings& store_;
  QHash<Mode, ModePage*> pages_;
  Mode mode_ = Mode::Welcome;
};

}  // namespace tenon::ui
