// SPDX-License-Identifier: GPL-3.0-or-later
// ModePage: one mode's panels in a window of their own, with docks that can be moved.
#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QList>
#include <QSize>
#include <QString>
#include <QWidget>
#include <functional>
#include <span>

#include "ui/session/panel_def.h"

class QAction;
class QDockWidget;
class QMainWindow;
class QSettings;
class QVBoxLayout;

namespace tenon::ui {

/// Where panels come from: panelDefinitions(), or a test's own.
using PanelTable = std::span<const PanelDef& (*const)()>;

class ModePage final : public QWidget {
  Q_OBJECT
 public:
  ModePage(Mode mode, PanelTable panels, PanelContext& context, QSettings& store,
           QWidget* parent = nullptr);

  [[nodiscard]] Mode mode() const { return mode_; }
  /// The page is shown or left: floating docks come and go with it.
  void enter();
  void leave();
  /// Shows, raises and focuses a panel; false if this mode has none of that id.
  bool showPanel(const QString& id);
  [[nodiscard]] QWidget* panel(const QString& id) const { return panels_.value(id); }
  void eachPanel(const std::function<void(const PanelDef&, QWidget&)>& look) const;
  /// Check boxes for the View menu.
  [[nodiscard]] QList<QAction*> panelActions() const;
  void resetArrangement();
  /// Writes places and panel memories into the settings.
  void save();
  [[nodiscard]] QMainWindow* dockWindow() const { return window_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  struct Item {
    const PanelDef* def = nullptr;
    Placement placement;
    QDockWidget* dock = nullptr;
  };
  void collect(PanelTable panels);
  QWidget* makePanel(const PanelDef& def, QWidget* parent);
  void buildStrips(QVBoxLayout* column);
  void buildCentre();
  void buildDocks();
  void arrangeByDefault();
  void sizeByDefault();
  void settleSoon();
  void settle();
  [[nodiscard]] QString key(const QString& id = {}) const;

  Mode mode_;
  PanelContext& context_;
  QSettings& store_;
  QMainWindow* window_;
  QList<Item> items_;
  QHash<QString, QWidget*> panels_;
  QList<QDockWidget*> hiddenFloats_;
  QElapsedTimer shown_;    ///< since the first time
  QSize settledFor_;       ///< size of the page for which the docks have theirs
  bool restores_ = false;  ///< there is an arrangement to bring back, else the default
  bool settling_ = false;
  bool settled_ = false;
};

}  // namespace tenon::ui
