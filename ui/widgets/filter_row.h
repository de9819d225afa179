// SPDX-License-Identifier: GPL-3.0-or-later
// The line over a list that narrows it: a search field and what else belongs there.
#pragma once

#include <QList>
#include <QWidget>

class QHBoxLayout;

namespace tenon::ui {

class SearchField;

/// Its field makes way while the panel is so low that the list needs the room: it is there if a
/// header and three rows fit beneath it, as long as it narrows the list or is written in, and when
/// it is asked for. What stands beside it says what the list shows and stays.
class FilterRow final : public QWidget {
  Q_OBJECT
 public:
  /// `placeholder` is the field's accessible name too; the height of `panel`, which holds this,
  /// decides.
  FilterRow(const QString& placeholder, QWidget* panel);

  [[nodiscard]] SearchField* field() const { return field_; }
  /// Beside the field; the row is spread between them. The field is at most so wide then. Hide the
  /// widget while it has nothing to say.
  void addBefore(QWidget* widget, int fieldWidth);
  void addBehind(QWidget* widget, int fieldWidth);
  /// Brings the field, if it made way, and puts the focus there.
  void open();

 Q_SIGNALS:
  void searchChanged(const QString& text);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void addCompanion(QWidget* widget, int fieldWidth);
  void fit();
  void showField(bool wanted);
  [[nodiscard]] int fullHeight() const;

  QWidget* panel_;
  SearchField* field_;
  QHBoxLayout* row_;
  QList<QWidget*> companions_;
};

}  // namespace tenon::ui
