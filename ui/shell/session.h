// SPDX-License-Identifier: GPL-3.0-or-later
// Session: everything one window works with, in the order it depends on each other.
#pragma once

#include <QSettings>
#include <QString>

#include "ui/session/background.h"
#include "ui/session/document.h"
#include "ui/session/engine_requests.h"
#include "ui/session/live_check.h"
#include "ui/session/navigation.h"
#include "ui/session/recent_projects.h"
#include "ui/session/recovery.h"
#include "ui/session/run_controller.h"
#include "ui/session/run_data.h"
#include "ui/session/selection.h"
#include "ui/settings/user_settings.h"

namespace tenon::ui {

/// Members are destroyed from last to first; who refers to another stands below it.
struct Session {
  /// @param dataFolder where recovery files are kept
  Session(QSettings& store, const QString& dataFolder)
      : settings(store),
        background(3, "tenon-work"),
        document(background),
        recovery(document, background, dataFolder + QStringLiteral("/recovery")),
        check(document, background),
        run(document, check),
        requests(run),
        runs(document, run),
        navigation(selection),
        recents(store) {}

  UserSettings settings;
  Background background;
  Document document;
  Recovery recovery;
  LiveCheck check;
  RunController run;
  EngineRequests requests;
  RunData runs;
  Selection selection;
  Navigation navigation;
  RecentProjects recents;
};

}  // namespace tenon::ui
