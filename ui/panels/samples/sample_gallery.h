// SPDX-License-Identifier: GPL-3.0-or-later
// Cards of samples side by side: the picture with a sign for right or wrong, beside it what it is
// and bars of the likeliest classes.
#pragma once

#include <QWidget>

#include "ui/panels/samples/sample_cards.h"

namespace tenon::ui {

/// Lays the cards out in as many rows as the width asks for; arrow keys move over them. Put it into
/// a scroll area.
class SampleGallery final : public QWidget {
  Q_OBJECT
 public:
  explicit SampleGallery(QWidget* parent = nullptr);

  void setCards(const QList<SampleCard>& cards, const QStringList& classNames);
  [[nodiscard]] const QList<SampleCard>& cards() const { return cards_; }
  [[nodiscard]] int rightCount() const;
  /// The card under a point, -1 if there is none.
  [[nodiscard]] int cardAt(const QPoint& point) const;
  [[nodiscard]] QRect cardRect(int card) const;
  /// Where the card's class is written.
  [[nodiscard]] QRect nameRect(int card) const;

  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  [[nodiscard]] int columns(int width) const;
  [[nodiscard]] int cardWidth(int width) const;
  void measureNames();
  void setCurrent(int card);
  void paintCard(QPainter& painter, int card) const;
  void paintPicture(QPainter& painter, const SampleCard& card, const QRect& area) const;
  void paintTarget(QPainter& painter, const SampleCard& card, const QRect& line) const;
  void paintBar(QPainter& painter, const Guess& guess, bool isTarget, const QRect& line) const;

  QList<SampleCard> cards_;
  QStringList names_;
  int wanted_ = 96;  ///< width of a card that shortens no name
  int current_ = -1;
};

}  // namespace tenon::ui
