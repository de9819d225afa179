// SPDX-License-Identifier: GPL-3.0-or-later
// The title bar of a dock: name, the panel's own actions, float and close.
#pragma once

#include <QWidget>

class QDockWidget;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace tenon::ui {

class ElidedLabel;

/// While the dock is one tab of several its tab says the name, so the bar shows actions only.
class DockTitle final : public QWidget {
  Q_OBJECT
 public:
  DockTitle(QDockWidget& dock, QWidget& panel);

  /// Looks again whether the dock is a tab.
  void updateTabbed();

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void addPanelActions();
  QToolButton* addButton(const QString& iconName, const QString& text);

  QDockWidget& dock_;
  QWidget& panel_;
  QHBoxLayout* row_;
  QHBoxLayout* actions_;
  ElidedLabel* title_;
  QToolButton* float_;
  QToolButton* close_;
  bool tabbed_ = false;
};

}  // namespace tenon::ui
