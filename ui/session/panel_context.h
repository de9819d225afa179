// SPDX-License-Identifier: GPL-3.0-or-later
// PanelContext: the session as a panel sees it, references only. A panel includes the headers of
// what it uses and no other.
#pragma once

namespace tenon::ui {

class Document;
class LiveCheck;
class RunController;
class EngineRequests;
class RunData;
class Selection;
class Navigation;
class Prompts;
class Commands;
class RecentProjects;
class UserSettings;

/// All members outlive every panel. GUI thread only.
struct PanelContext {
  Document& document;        ///< document.h: the project, edits with undo, saving
  LiveCheck& check;          ///< live_check.h: issues, checked graph and opened data of the project
  RunController& run;        ///< run_controller.h: the training of this window
  EngineRequests& requests;  ///< engine_requests.h: looking at data and engine memory
  RunData& runs;             ///< run_data.h: runs, curves, events, recordings, live or old
  Selection& selection;      ///< selection.h: what is selected, shared by all panels
  Navigation& navigation;    ///< navigation.h: go to a place, back, forward
  Prompts& prompts;          ///< prompts.h: questions, file choice, errors, notices
  Commands& commands;        ///< commands.h: the window's actions, for buttons and menus of panels
  RecentProjects& recents;   ///< recent_projects.h: what was open lately
  UserSettings& settings;    ///< ui/settings/user_settings.h: the person's habits
};

}  // namespace tenon::ui
