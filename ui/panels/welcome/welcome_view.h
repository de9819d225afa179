// SPDX-License-Identifier: GPL-3.0-or-later
// The first page: three ways to begin, and what was open lately. The window takes drops anywhere.
#pragma once

#include <QWidget>

class QListView;
class QModelIndex;
class QPushButton;
class QStackedWidget;

namespace tenon::ui {

struct PanelContext;
class EmptyState;

class WelcomeView final : public QWidget {
  Q_OBJECT
 public:
  explicit WelcomeView(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  [[nodiscard]] QWidget* newActions();
  [[nodiscard]] QWidget* newRecents();
  [[nodiscard]] QPushButton* newButton(const char* commandId, bool primary);
  void openRow(const QModelIndex& index);
  void locate(const QString& folder);
  void showMenu(const QPoint& place);
  void showState();

  PanelContext& context_;
  QListView* list_;
  QStackedWidget* pages_;
};

}  // namespace tenon::ui
