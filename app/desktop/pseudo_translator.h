// SPDX-License-Identifier: GPL-3.0-or-later
// A language that does not exist: brackets, accents and 40 % more letters show what is not
// translatable or does not fit.
#pragma once

#include <QTranslator>

namespace tenon {

/// "Train" -> "[!!Ťřáîn‥‥!!]". Placeholders (%1, %n, {0}), mnemonics, tags and entities stay.
QString pseudoText(const QString& text);

class PseudoTranslator final : public QTranslator {
  Q_OBJECT
 public:
  using QTranslator::QTranslator;
  [[nodiscard]] bool isEmpty() const override { return false; }
  [[nodiscard]] QString translate(const char* context, const char* source,
                                  const char* disambiguation, int n) const override;
};

}  // namespace tenon
