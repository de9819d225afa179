// SPDX-License-Identifier: GPL-3.0-or-later
// Structure of panels: collapsible sections, search fields, buttons of the mode bar.
#pragma once

#include <QLineEdit>
#include <QString>
#include <QToolButton>
#include <QWidget>
#include <optional>

#include "ui/widgets/theme.h"

class QTimer;
class QVBoxLayout;

namespace tenon::ui {

/// A header with a chevron over a content widget; a click or Space folds it.
class Section final : public QWidget {
  Q_OBJECT
 public:
  explicit Section(const QString& title, QWidget* parent = nullptr);

  /// Takes the widget; an earlier one is deleted.
  void setContent(QWidget* content);
  [[nodiscard]] QWidget* content() const { return content_; }
  void setTitle(const QString& title);
  /// Secondary text at the right of the header ("12", "3.4 MiB").
  void setNote(const QString& note);
  [[nodiscard]] bool isExpanded() const { return expanded_; }
  void setExpanded(bool expanded);

 Q_SIGNALS:
  void expandedChanged(bool expanded);

 private:
  class Header;
  Header* header_;
  QVBoxLayout* layout_;
  QWidget* content_ = nullptr;
  bool expanded_ = true;
};

/// A line to search with: icon, clear button, Escape clears, Enter presses no button of a dialog;
/// searchChanged comes 120 ms after the last key.
class SearchField final : public QLineEdit {
  Q_OBJECT
 public:
  explicit SearchField(const QString& placeholder = {}, QWidget* parent = nullptr);

 Q_SIGNALS:
  void searchChanged(const QString& text);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QTimer* rest_;
};

/// A checkable button of the mode bar: icon over label, accent bar at the left when checked, count
/// badge.
class ModeButton final : public QToolButton {
  Q_OBJECT
 public:
  ModeButton(const QString& iconName, const QString& text, QWidget* parent = nullptr);

  /// A dot that calls attention (a run is going, issues exist); nothing removes it.
  void setBadge(std::optional<Tint> tint);
  [[nodiscard]] std::optional<Tint> badge() const { return badge_; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString iconName_;
  std::optional<Tint> badge_;
};

}  // namespace tenon::ui
