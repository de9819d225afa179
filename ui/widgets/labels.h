// SPDX-License-Identifier: GPL-3.0-or-later
// Small pieces of text: elided labels, captions, numbers with equal digit widths, statistics,
// chips.
#pragma once

#include <QAbstractButton>
#include <QLabel>
#include <QString>
#include <QWidget>
#include <optional>

#include "ui/widgets/theme.h"

namespace tenon::ui {

/// One line that is cut with "…" when short of room and then has the whole text in its tooltip.
class ElidedLabel final : public QWidget {
  Q_OBJECT
 public:
  explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);

  [[nodiscard]] QString text() const { return text_; }
  void setText(const QString& text);
  void setElideMode(Qt::TextElideMode mode);
  /// Secondary colour instead of text colour.
  void setMuted(bool muted);
  [[nodiscard]] bool isElided() const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QString text_;
  Qt::TextElideMode mode_ = Qt::ElideRight;
  bool muted_ = false;
};

/// A 9 pt caption in the secondary colour.
[[nodiscard]] QLabel* newCaption(const QString& text, QWidget* parent = nullptr);
/// A 12 pt title.
[[nodiscard]] QLabel* newTitle(const QString& text, QWidget* parent = nullptr);

/// A 9 pt line with the icon of an error, a warning or a hint; wraps when short of room.
class InlineMessage final : public QWidget {
  Q_OBJECT
 public:
  enum class Kind { Error, Warning, Info };

  explicit InlineMessage(QWidget* parent = nullptr, Kind kind = Kind::Error);

  [[nodiscard]] QString text() const { return text_; }
  void setText(const QString& text);
  void setKind(Kind kind);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString text_;
  Kind kind_;
};

/// A number in a font with equal digit widths, right-aligned, whose width does not jump while it
/// counts.
class NumberLabel final : public QWidget {
  Q_OBJECT
 public:
  explicit NumberLabel(QWidget* parent = nullptr);

  [[nodiscard]] QString text() const { return text_; }
  void setText(const QString& text, const QString& unit = {});
  void setAlignment(Qt::Alignment alignment);
  /// Reserves the width of this text ("0.0000").
  void setWidest(const QString& sample);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString text_;
  QString unit_;
  QString widest_;
  Qt::Alignment alignment_ = Qt::AlignRight | Qt::AlignVCenter;
};

/// A caption over a number: the unit of status strips and statistics.
class StatTile final : public QWidget {
  Q_OBJECT
 public:
  explicit StatTile(const QString& caption, QWidget* parent = nullptr);

  void setCaption(const QString& caption);
  void setValue(const QString& value, const QString& unit = {});
  [[nodiscard]] QString value() const { return value_; }
  /// Colour of a state, always with an icon name: good, bad, warn; invalid colour and empty name
  /// clear it.
  void setState(const QString& iconName, Tint tint);
  /// Reserves the width of the widest of these values ("100.00 %").
  void setWidest(const QStringList& samples);
  /// Whether caption and value have the room they need; else the tooltip tells both.
  [[nodiscard]] bool isCut() const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void announce();
  [[nodiscard]] int valueLeft() const;

  QString caption_;
  QString value_;
  QString unit_;
  QString widest_;
  QString stateIcon_;
  Tint stateTint_ = Tint::Text;
};

/// A small rounded label with an optional colour dot; checkable for class filters, closable for
/// active filters.
class Chip final : public QAbstractButton {
  Q_OBJECT
 public:
  explicit Chip(const QString& text = {}, QWidget* parent = nullptr);

  /// Dot before the text (seriesTint(class)); nothing removes it.
  void setDot(std::optional<Tint> tint);
  void setClosable(bool closable);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void closed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] QRect closeRect() const;

  std::optional<Tint> dot_;
  bool closable_ = false;
};

}  // namespace tenon::ui
