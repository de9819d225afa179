// SPDX-License-Identifier: GPL-3.0-or-later
// The editor of a number: exact text, logarithmic stepping, unit, default marker, errors below.
#pragma once

#include <QString>
#include <QWidget>
#include <limits>
#include <optional>

class QTimer;
class QToolButton;

namespace tenon::ui {

class InlineMessage;
class NumberEdit;

/// What a NumberField accepts and how it steps.
struct NumberSpec {
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool minimumOpen = false;  ///< the minimum itself is refused (a learning rate > 0)
  bool maximumOpen = false;
  bool integer = false;
  bool logarithmic = false;  ///< arrows multiply (1-2-5 steps) instead of adding `step`
  double step = 0.0;         ///< 0: 1 for integers, else one unit of the last digit shown
  std::optional<double> defaultValue;
  QString unit;  ///< shown behind the number, "px", "%"
};

/**
 * A field for one number. Takes "2e-3", "0.002", "1/255"; shows the shortest text that reads back
 * the same. Text that cannot be taken stays visible with an error below while value() keeps the old
 * one. An edit (typing and Enter or leaving the field, a burst of arrows or wheel clicks, a reset)
 * gives one valueCommitted.
 */
class NumberField final : public QWidget {
  Q_OBJECT
  Q_PROPERTY(double value READ value WRITE setValue NOTIFY valueChanged USER true)
 public:
  explicit NumberField(QWidget* parent = nullptr);
  explicit NumberField(const NumberSpec& spec, QWidget* parent = nullptr);

  [[nodiscard]] const NumberSpec& spec() const { return spec_; }
  void setSpec(const NumberSpec& spec);

  [[nodiscard]] double value() const { return value_; }
  /// Sets the value from outside: no valueCommitted, drops uncommitted text and error.
  void setValue(double value);

  [[nodiscard]] QString text() const;
  [[nodiscard]] bool isDefault() const;
  /// Text typed but neither taken nor refused yet; while false, undo and redo keys pass on.
  [[nodiscard]] bool hasUncommittedText() const;
  [[nodiscard]] QString error() const { return error_; }
  /// Error of the owner ("stride exceeds the kernel"), shown until the next edit; empty clears it.
  void setError(const QString& text);
  void setReadOnly(bool readOnly);

  /// Takes the text in the field now. `true` when it was taken or nothing had changed.
  bool commit();
  /// Back to the default, as one edit.
  void reset();
  /// Steps up (positive) or down as the arrow keys do.
  void stepBy(int steps);

 Q_SIGNALS:
  /// While stepping, for live views; the edit is not finished yet.
  void valueChanged(double value);
  /// Once per edit.
  void valueCommitted(double before, double after);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  friend class NumberEdit;
  void build();
  void showValue();
  void showState();
  void take(double value);
  void finishStepping();
  [[nodiscard]] std::optional<QString> refusal(double value) const;
  [[nodiscard]] double stepped(double value, int steps) const;

  NumberSpec spec_;
  double value_ = 0.0;
  bool stepping_ = false;  ///< a burst of steps is going
  double before_ = 0.0;    ///< value when it began
  QString error_;
  NumberEdit* edit_ = nullptr;
  QToolButton* reset_ = nullptr;
  InlineMessage* message_ = nullptr;
  QTimer* rest_ = nullptr;
};

}  // namespace tenon::ui
