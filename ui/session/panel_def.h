// SPDX-License-Identifier: GPL-3.0-or-later
// PanelDef: everything the window knows of a panel. A folder ui/panels/X is a panel; its
// X_panel.cpp defines `const PanelDef& panelDef_X()` in tenon::ui and nothing is entered in a list
// by hand.
#pragma once

#include <QByteArray>
#include <QSize>
#include <QString>
#include <span>
#include <vector>

#include "ui/session/mode.h"

class QWidget;

namespace tenon::ui {

struct PanelContext;

/// Where a panel stands at first. Centre is the mode's fixed middle: one panel, no title bar.
enum class Area { Centre, Left, Right, Top, Bottom };

struct Placement {
  Mode mode = Mode::Train;
  Area area = Area::Left;
  int order = 0;            ///< position in the area: top to bottom, left to right
  QSize size = {};          ///< first size in logical pixels; 0: as it comes
  bool tabbed = false;      ///< shares the place of the panel before it in its area
  bool fixedStrip = false;  ///< a strip without title bar and dock habits (Train's status strip)
  bool hidden = false;      ///< not shown until asked for
};

/**
 * One kind of panel. A panel used in several modes is one instance a mode over one model.
 *
 * - `make` builds the widget; it takes what it needs from the context, which outlives it.
 * - Actions added to the widget (QWidget::addAction) with an icon appear as buttons in the dock's
 *   title bar; all of them are in the dock's menu. Their shortcuts act while the panel has the
 *   focus.
 * - A widget that also derives from PanelMemory has its state kept with the arrangement.
 * - Accessible name and object name of the widget are set from the definition where empty.
 */
struct PanelDef {
  QString id;                    ///< stable, "loss"; the folder's name
  const char* title = "";        ///< QT_TRANSLATE_NOOP("Panel", "Loss")
  const char* description = "";  ///< QT_TRANSLATE_NOOP: what it shows; tooltip in the View menu
  QString icon;                  ///< name in resources/icons
  std::vector<Placement> placements;
  QWidget* (*make)(PanelContext& context, QWidget* parent) = nullptr;
};

/// The title in the language in force.
[[nodiscard]] QString panelTitle(const PanelDef& panel);
[[nodiscard]] QString panelDescription(const PanelDef& panel);

/// What a panel remembers between starts (columns, zoom habits), besides its place and size.
class PanelMemory {
 public:
  virtual ~PanelMemory() = default;
  [[nodiscard]] virtual QByteArray savePanel() const = 0;
  /// False if the bytes are not its own; the panel then stands as new.
  virtual bool restorePanel(const QByteArray& state) = 0;
};

/// Every panel, by folder name. Generated from the folders of ui/panels (cmake/TenonRegistry).
std::span<const PanelDef& (*const)()> panelDefinitions();

}  // namespace tenon::ui
