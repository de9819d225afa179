// SPDX-License-Identifier: GPL-3.0-or-later
// The pseudo-locale.
#include "app/desktop/pseudo_translator.h"

#include <QHash>

namespace tenon {
namespace {

QChar accented(QChar letter) {
  static const QString kPlain = QStringLiteral("aceinorstuyzACEINORSTUYZ");
  static const QString kAccented = QStringLiteral("áčéîñôřšťůýžÁČÉÎÑÔŘŠŤŮÝŽ");
  const qsizetype at = kPlain.indexOf(letter);
  return at < 0 ? letter : kAccented[at];
}

/// Length of what must stay as it is at `at`: a placeholder, a tag or an entity; 0: nothing.
qsizetype fixedLength(const QString& text, qsizetype at) {
  const QChar first = text[at];
  if (first == u'%' && at + 1 < text.size()) {
    qsizetype end = at + 1;
    if (text[end] == u'L') ++end;
    while (end < text.size() && (text[end].isDigit() || text[end] == u'n')) ++end;
    return end - at;
  }
  const QChar close = first == u'{' ? u'}' : first == u'<' ? u'>' : first == u'&' ? u';' : QChar();
  if (close.isNull()) return 0;
  const qsizetype end = text.indexOf(close, at);
  const bool entity =
      first == u'&' && (end < 0 || end - at > 6 || text.mid(at, end - at).contains(u' '));
  if (end < 0 || entity) return first == u'&' ? 2 : 0;  // a mnemonic keeps its letter
  return end - at + 1;
}

/// Longer by `count` signs; a long text can still be wrapped there, as words can.
QString padding(qsizetype count) {
  constexpr qsizetype kWord = 8;
  QString dots;
  for (qsizetype i = 0; i < count; ++i) {
    if (i > 0 && i % kWord == 0) dots += u' ';
    dots += QChar(0x2025);
  }
  return dots;
}

}  // namespace

QString pseudoText(const QString& text) {
  if (text.isEmpty()) return text;
  QString out = QStringLiteral("[!!");
  qsizetype letters = 0;
  for (qsizetype at = 0; at < text.size();) {
    const qsizetype fixed = std::min(fixedLength(text, at), text.size() - at);
    if (fixed > 0) {
      out += text.mid(at, fixed);
      at += fixed;
    } else {
      out += accented(text[at++]);
      ++letters;
    }
  }
  return out + padding((letters * 4 + 9) / 10) + QStringLiteral("!!]");
}

QString PseudoTranslator::translate(const char*, const char* source, const char*, int n) const {
  QString text = pseudoText(QString::fromUtf8(source));
  // Qt fills %n only into what the translator gives, but picks no plural form here.
  if (n >= 0) text.replace(QLatin1String("%n"), QString::number(n));
  return text;
}

}  // namespace tenon
