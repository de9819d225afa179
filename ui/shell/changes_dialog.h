// SPDX-License-Identifier: GPL-3.0-or-later
// A table of the settings in which two projects differ.
#pragma once

#include <QString>

#include "engine/project/specs.h"

class QWidget;

namespace tenon::ui {

class Prompts;

/// One of two projects with the heading of its column.
struct ComparedSpec {
  QString heading;
  ProjectSpec spec;
};

/// Opens a window over `parent`; it deletes itself. `prompts` asks where to save the table.
void showChanges(const QString& title, const ComparedSpec& before, const ComparedSpec& after,
                 Prompts& prompts, QWidget* parent);

}  // namespace tenon::ui
