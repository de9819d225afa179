// SPDX-License-Identifier: GPL-3.0-or-later
// The table.
#include "ui/shell/command_table.h"

#include <QCoreApplication>
#include <array>

#include "ui/session/commands.h"

#define TEXT(text) QT_TRANSLATE_NOOP("Command", text)

namespace tenon::ui {
namespace {

constexpr std::array kCommands = {
    CommandSpec{command::kOpen, Menu::File, 0, TEXT("&Open project…"),
                TEXT("Open a project folder"), "open", "Ctrl+O"},
    CommandSpec{command::kOpenSample, Menu::File, 0, TEXT("Open sa&mple"),
                TEXT("Open a fresh copy of the Fashion-MNIST sample"), "sparkle", ""},
    CommandSpec{command::kDuplicate, Menu::File, 0, TEXT("&Duplicate project…"),
                TEXT("Copy the project, without its runs, into a new folder"), "copy", ""},
    CommandSpec{command::kSave, Menu::File, 1, TEXT("&Save"), TEXT("Write the project file"),
                "save", "Ctrl+S"},
    CommandSpec{command::kReload, Menu::File, 1, TEXT("Re&load from file"),
                TEXT("Drop unsaved edits and read the project file again"), "refresh", ""},
    CommandSpec{command::kShowFolder, Menu::File, 1, TEXT("Show in &file manager"),
                TEXT("Open the project's folder in the file manager"), "folder", ""},
    CommandSpec{command::kQuit, Menu::File, 2, TEXT("&Quit"),
                TEXT("Close the window; asks when a training is running"), "close", "Ctrl+Q"},

    CommandSpec{command::kUndo, Menu::Edit, 0, TEXT("&Undo"),
                TEXT("Take back the last edit; the place it changed is shown first"), "undo",
                "Ctrl+Z"},
    CommandSpec{command::kRedo, Menu::Edit, 0, TEXT("&Redo"), TEXT("Make the edit again"), "redo",
                "Ctrl+Shift+Z"},
    CommandSpec{command::kSettings, Menu::Edit, 1, TEXT("&Settings…"),
                TEXT("Theme, folders, habits and shortcuts"), "settings", "Ctrl+,"},

    CommandSpec{"view.mode.0", Menu::View, 0, TEXT("&Welcome"), TEXT("Samples and recent projects"),
                "home", "Ctrl+1"},
    CommandSpec{"view.mode.1", Menu::View, 0, TEXT("&Data"),
                TEXT("Images, labels, transforms and what the model is fed"), "data", "Ctrl+2"},
    CommandSpec{"view.mode.2", Menu::View, 0, TEXT("&Model"), TEXT("Layers and how they connect"),
                "model", "Ctrl+3"},
    CommandSpec{"view.mode.3", Menu::View, 0, TEXT("&Train"),
                TEXT("Settings of the training and its live curves"), "train", "Ctrl+4"},
    CommandSpec{"view.mode.4", Menu::View, 0, TEXT("&Inspect"),
                TEXT("The graph and the memory of a recorded step"), "inspect", "Ctrl+5"},
    CommandSpec{"view.mode.5", Menu::View, 0, TEXT("Res&ults"), TEXT("All runs and their curves"),
                "results", "Ctrl+6"},
    CommandSpec{command::kBack, Menu::View, 1, TEXT("&Back"), TEXT("To the place before"),
                "arrow-left", "Alt+Left"},
    CommandSpec{command::kForward, Menu::View, 1, TEXT("&Forward"), TEXT("To the place after"),
                "arrow-right", "Alt+Right"},
    CommandSpec{command::kIssues, Menu::View, 1, TEXT("I&ssues"),
                TEXT("Show what is wrong with the project"), "warning", "Ctrl+Shift+M"},
    CommandSpec{command::kResetArrangement, Menu::View, 2, TEXT("&Reset arrangement"),
                TEXT("Put the panels of this mode back where they were at first"), "reset", ""},
    CommandSpec{command::kSwitchTheme, Menu::View, 2, TEXT("Switch t&heme"),
                TEXT("From dark to light colours or back"), "sparkle", "Ctrl+Shift+T"},
    CommandSpec{command::kFullScreen, Menu::View, 2, TEXT("Full s&creen"),
                TEXT("Use the whole screen"), "zoom-fit", "F11"},

    CommandSpec{command::kRun, Menu::Run, 0, TEXT("&Run"),
                TEXT("Train the model, or go on after a pause"), "run", "F5"},
    CommandSpec{command::kPause, Menu::Run, 0, TEXT("&Pause"), TEXT("Wait after the current step"),
                "pause", "F7"},
    CommandSpec{command::kStep, Menu::Run, 0, TEXT("S&tep"), TEXT("Train for one step, then pause"),
                "step", "F8"},
    CommandSpec{command::kStop, Menu::Run, 0, TEXT("&Stop"),
                TEXT("End the training after the current step and keep a checkpoint"), "stop",
                "Shift+F5"},
    CommandSpec{command::kRecord, Menu::Run, 1, TEXT("Record &next step"),
                TEXT("Keep the graph and the memory of the next step for Inspect"), "record",
                "Ctrl+R"},
    CommandSpec{command::kCheckpoint, Menu::Run, 1, TEXT("Save &checkpoint now"),
                TEXT("Keep the weights as they are after the current step"), "download", ""},
    CommandSpec{command::kResumeRun, Menu::Run, 1, TEXT("Resu&me selected run"),
                TEXT("Go on with the selected run from its newest checkpoint"), "history", ""},

    CommandSpec{command::kPalette, Menu::Help, 0, TEXT("&Find action…"),
                TEXT("Search every action by name"), "search", "Ctrl+K"},
    CommandSpec{command::kShortcuts, Menu::Help, 0, TEXT("&Keyboard shortcuts"),
                TEXT("All shortcuts; they can be changed"), "list", ""},
    CommandSpec{command::kShowLog, Menu::Help, 1, TEXT("Show &log"),
                TEXT("What the program wrote down lately"), "log", ""},
    CommandSpec{command::kDiagnostics, Menu::Help, 1, TEXT("Copy &diagnostics"),
                TEXT("Version, device and log as text for a report"), "copy", ""},
    CommandSpec{command::kAbout, Menu::Help, 2, TEXT("&About Tenon"),
                TEXT("Version, device and licences"), "info", ""},
};

}  // namespace

std::span<const CommandSpec> commandTable() { return kCommands; }

QString modeCommand(int mode) { return QStringLiteral("view.mode.%1").arg(mode); }

QString menuTitle(Menu menu) {
  switch (menu) {
    case Menu::File:
      return QCoreApplication::translate("Command", "&File");
    case Menu::Edit:
      return QCoreApplication::translate("Command", "&Edit");
    case Menu::View:
      return QCoreApplication::translate("Command", "&View");
    case Menu::Run:
      return QCoreApplication::translate("Command", "&Run");
    case Menu::Help:
      break;
  }
  return QCoreApplication::translate("Command", "&Help");
}

}  // namespace tenon::ui
