// SPDX-License-Identifier: GPL-3.0-or-later
// The one table of the window's commands: menus, shortcuts, palette and panels' buttons come from
// it.
#pragma once

#include <QString>
#include <span>

namespace tenon::ui {

enum class Menu { File, Edit, View, Run, Help };

struct CommandSpec {
  const char* id;  ///< ui/session/commands.h
  Menu menu;
  int section;           ///< a line is drawn between sections
  const char* text;      ///< QT_TRANSLATE_NOOP("Command", "&Open…")
  const char* help;      ///< what and why; tooltip
  const char* icon;      ///< resources/icons, may be empty
  const char* shortcut;  ///< portable text, may be empty
};

/// In the order of the menus.
[[nodiscard]] std::span<const CommandSpec> commandTable();
/// Id of the command that shows a mode: "view.mode.train".
[[nodiscard]] QString modeCommand(int mode);
[[nodiscard]] QString menuTitle(Menu menu);

}  // namespace tenon::ui
