// SPDX-License-Identifier: GPL-3.0-or-later
// DropVeil: lies over the window while something is dragged across it and says what a drop does.
#pragma once

#include <QWidget>

class QMimeData;

namespace tenon::ui {

class DropVeil final : public QWidget {
  Q_OBJECT
 public:
  /// Covers `window`, hidden at first.
  explicit DropVeil(QWidget& window);

  /// Shows what dropping this would do. False, and nothing shows, if it brings no files at all.
  bool begin(const QMimeData& data);
  void end() { hide(); }
  /// The project that a drop opens; empty: what is dragged is none.
  [[nodiscard]] const QString& project() const { return project_; }
  /// What is said, in two lines.
  [[nodiscard]] const QString& title() const { return title_; }
  [[nodiscard]] const QString& text() const { return text_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString project_;
  QString title_;
  QString text_;
};

}  // namespace tenon::ui
