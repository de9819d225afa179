// SPDX-License-Identifier: GPL-3.0-or-later
// ProblemFrame: the content of a panel, or why it cannot be read and a way to try again.
#pragma once

#include <QString>
#include <QWidget>

class QStackedLayout;

namespace tenon::ui {

class EmptyState;
class InlineMessage;

/**
 * Stands around what a panel shows. While that cannot be read the reason stands in its place, or
 * above it if there is something worth seeing already, with a button to try again.
 */
class ProblemFrame final : public QWidget {
  Q_OBJECT
 public:
  /// @param title what cannot be done: "The log cannot be read"
  /// @param content the panel's own widget; taken over
  ProblemFrame(const QString& title, QWidget* content, QWidget* parent = nullptr);

  /// `reason` empty: all is well. `keepsContent`: what was read before stays in sight.
  void setProblem(const QString& reason, bool keepsContent = false);
  [[nodiscard]] const QString& problem() const { return problem_; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void retryWanted();

 private:
  [[nodiscard]] QWidget* newBand();

  QString title_;
  QString problem_;
  QWidget* content_;
  InlineMessage* line_ = nullptr;
  QWidget* band_;
  EmptyState* page_;
  QStackedLayout* stack_;
};

}  // namespace tenon::ui
