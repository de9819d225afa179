// SPDX-License-Identifier: GPL-3.0-or-later
// What a place shows while it is empty: what belongs here and the action that fills it.
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace tenon::ui {

class EmptyState final : public QWidget {
  Q_OBJECT
 public:
  explicit EmptyState(QWidget* parent = nullptr);
  EmptyState(const QString& iconName, const QString& title, const QString& text,
             QWidget* parent = nullptr);

  void setIconName(const QString& name);
  void setTitle(const QString& title);
  void setText(const QString& text);
  /// Shows a button; empty hides it. `primary` paints it in the accent.
  void setAction(const QString& text, bool primary = true);
  [[nodiscard]] QPushButton* button() const { return button_; }

 Q_SIGNALS:
  void actionTriggered();

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] int heightNeeded(int textWidth, bool title, bool icon) const;
  void fit();

  QString iconName_;
  QLabel* icon_;
  QLabel* title_;
  QLabel* text_;
  QPushButton* button_;
};

}  // namespace tenon::ui
