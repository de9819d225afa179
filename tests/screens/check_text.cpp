// SPDX-License-Identifier: GPL-3.0-or-later
// Texts: whole or told by a tooltip, readable, translatable.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QHelpEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTabBar>
#include <QTextDocument>
#include <QToolTip>
#include <algorithm>

#include "tests/screens/drawn_text.h"
#include "tests/screens/fault.h"
#include "ui/widgets/theme.h"

namespace tenon::screens {
namespace {

constexpr double kTextContrast = 4.5;
constexpr double kSlackX = 1.5;  // the last letter's advance is a little wider than its ink
constexpr double kSlackY = 2.5;  // and a line is higher than its letters
const QChar kDots(0x2026);

QString plainText(const QString& html) {
  QTextDocument document;
  document.setHtml(html);
  return document.toPlainText();
}

/// What a tooltip says at this place of the widget, as plain text; empty: none comes up.
QString tooltipAt(QWidget& widget, QPoint at) {
  QHelpEvent event(QEvent::ToolTip, at, widget.mapToGlobal(at));
  QApplication::sendEvent(&widget, &event);
  QString text = QToolTip::isVisible() ? QToolTip::text() : QString();
  // hideText() lets the tip stand for a while; the next question must not see it.
  for (QWidget* top : QApplication::topLevelWidgets())
    if (top->inherits("QTipLabel")) delete top;
  return (Qt::mightBeRichText(text) ? plainText(text) : text).simplified();
}

/// The view whose viewport the widget is.
const QAbstractItemView* viewOf(const QWidget& widget) {
  auto* view = qobject_cast<const QAbstractItemView*>(widget.parentWidget());
  return view && view->viewport() == &widget ? view : nullptr;
}

/// False where something stands disabled: it may be pale.
bool isActive(const QWidget& widget, QPoint at) {
  if (!widget.isEnabled()) return false;
  if (const auto* menu = qobject_cast<const QMenu*>(&widget)) {
    const QAction* action = menu->actionAt(at);
    return !action || action->isEnabled();
  }
  if (const auto* bar = qobject_cast<const QMenuBar*>(&widget)) {
    const QAction* action = bar->actionAt(at);
    return !action || action->isEnabled();
  }
  if (const auto* tabs = qobject_cast<const QTabBar*>(&widget)) {
    const int tab = tabs->tabAt(at);
    return tab < 0 || tabs->isTabEnabled(tab);
  }
  if (const QAbstractItemView* view = viewOf(widget)) {
    const QModelIndex index = view->indexAt(at);
    return !index.isValid() || (index.flags() & Qt::ItemIsEnabled);
  }
  return true;
}

/// Texts the widget or the item there wants to show, with their dots if they have some.
bool isWholeText(const QWidget& widget, const DrawnText& drawn) {
  const QString text = drawn.text.trimmed();
  const auto same = [&text](QString whole) { return whole.remove(u'&').trimmed() == text; };
  if (same(widget.property("text").toString())) return true;
  // What paints itself tells screen readers "caption: value", whole.
  if (widget.accessibleName().contains(text)) return true;
  if (const auto* box = qobject_cast<const QComboBox*>(&widget))
    return same(box->currentText()) || same(box->placeholderText());
  if (const auto* line = qobject_cast<const QLineEdit*>(&widget))
    return same(line->placeholderText());
  const QPoint at = drawn.box.center().toPoint();
  if (const auto* menu = qobject_cast<const QMenu*>(&widget)) {
    const QAction* action = menu->actionAt(at);
    return action && same(action->text());
  }
  if (const QAbstractItemView* view = viewOf(widget))
    return same(view->indexAt(at).data(Qt::DisplayRole).toString());
  return false;
}

/// True if part of the text's box lies where nobody can see it.
bool isClipped(const QWidget& widget, const DrawnText& text) {
  QRectF room = QRectF(reachableRect(widget));
  const auto* area = qobject_cast<const QAbstractScrollArea*>(widget.parentWidget());
  const bool viewport = area && area->viewport() == &widget;
  const bool scrollsX = viewport && scrolls(*area, Qt::Horizontal);
  const bool scrollsY = viewport && scrolls(*area, Qt::Vertical);
  const auto* line = qobject_cast<const QLineEdit*>(&widget);
  const bool editable = line && !line->isReadOnly() && !line->text().isEmpty();
  room = room.adjusted(-kSlackX, -kSlackY, kSlackX, kSlackY);
  const QRectF seen = text.shown & room;
  const bool cutX = text.box.width() - seen.width() > kSlackX;
  const bool cutY = text.box.height() - seen.height() > kSlackY;
  // Whoever types into a field walks along its text with the keys.
  return (cutX && !scrollsX && !editable) || (cutY && !scrollsY);
}

/// Letters without accents: the pseudo-locale leaves a mnemonic's letter as it is.
QString withoutAccents(const QString& text) {
  QString plain;
  for (const QChar sign : text.normalized(QString::NormalizationForm_D))
    if (sign.category() != QChar::Mark_NonSpacing) plain += sign;
  return plain;
}

/// Part of a line before its dots (and before what the pseudo-locale appends), which a tooltip must
/// repeat.
QString shownPart(const QString& text) {
  static const QRegularExpression end(QStringLiteral("[\u2026\u2025].*$"));
  QString part = text;
  if (text.indexOf(kDots) == 0) part.remove(0, 1);
  return withoutAccents(part.remove(end).simplified());
}

bool hasLetters(const QString& text) {
  return std::any_of(text.begin(), text.end(), [](QChar sign) { return sign.isLetter(); });
}

/// Takes out a word wherever it stands by itself.
void removeWord(QString& text, const QString& word) {
  qsizetype at = 0;
  while ((at = text.indexOf(word, at)) >= 0) {
    const qsizetype end = at + word.size();
    const bool inside = (at > 0 && text[at - 1].isLetterOrNumber()) ||
                        (end < text.size() && text[end].isLetterOrNumber());
    if (inside) {
      at = end;
    } else {
      text.remove(at, word.size());
    }
  }
}

class TextCheck {
 public:
  explicit TextCheck(const View& view) : view_(view) {}

  QList<Fault> run() {
    for (QWidget* widget : visibleWidgets(view_.root)) {
      depth_ = 0;
      for (const DrawnText& text : drawnTexts(*widget)) {
        if (!isOnTop(*widget, text)) continue;
        checkCut(*widget, text);
        checkContrast(*widget, text, groundAt(*widget, text));
        checkPlural(*widget, text.text);
        if (view_.pseudo) checkTranslated(*widget, text.text);
      }
      if (view_.pseudo) checkSaid(*widget);
      depth_ = 0;
      for (const DrawnText& text : pictureTexts(*widget)) {
        checkContrast(*widget, text, ui::currentTheme().surface);
        if (view_.pseudo) checkTranslated(*widget, text.text);
      }
    }
    return faults_;
  }

 private:
  /// Texts scrolled out of sight or under another widget are judged when they are in sight.
  [[nodiscard]] bool isOnTop(QWidget& widget, const DrawnText& text) const {
    const QPoint at = text.box.center().toPoint();
    if (!widget.visibleRegion().boundingRect().intersects(text.box.toAlignedRect())) return false;
    const QWidget* there = view_.root.childAt(widget.mapTo(&view_.root, at));
    if (&widget == &view_.root) return !there;
    // Outside of the root, or of the widget: cut, but not covered.
    return !there || there == &widget || there->isAncestorOf(&widget) ||
           !widget.rect().contains(at);
  }

  [[nodiscard]] QColor groundAt(QWidget& widget, const DrawnText& text) const {
    const QRect box = text.box.toAlignedRect() & widget.rect();
    return groundOf(view_, box.translated(widget.mapTo(&view_.root, QPoint())), text.color);
  }

  void checkCut(QWidget& widget, const DrawnText& text) {
    const bool elided = text.text.contains(kDots) && !isWholeText(widget, text);
    if (!elided && !isClipped(widget, text)) return;
    const QRect room = reachableRect(widget) & text.box.toAlignedRect();
    const QString tip = tooltipAt(widget, room.isEmpty() ? widget.rect().center() : room.center());
    if (!tip.isEmpty() && withoutAccents(tip).contains(shownPart(text.text))) return;
    const QString said = tip.isEmpty() ? QStringLiteral("no tooltip")
                                       : QStringLiteral("the tooltip is \"%1\"").arg(tip.left(60));
    add(QStringLiteral("cut text"), widget,
        QStringLiteral("\"%1\" %2, %3")
            .arg(text.text.trimmed(),
                 elided ? QStringLiteral("is shortened")
                        : QStringLiteral("needs %1x%2 px, sees %3x%4")
                              .arg(qRound(text.box.width()))
                              .arg(qRound(text.box.height()))
                              .arg(qRound((text.shown & QRectF(reachableRect(widget))).width()))
                              .arg(qRound((text.shown & QRectF(reachableRect(widget))).height())),
                 said));
  }

  void checkContrast(QWidget& widget, const DrawnText& text, const QColor& ground) {
    if (!ground.isValid() || !isActive(widget, text.box.center().toPoint())) return;
    const QColor ink = ui::mixed(text.color, ground, text.color.alphaF());
    const double contrast = ui::contrastRatio(ink, ground);
    if (contrast >= kTextContrast) return;
    add(QStringLiteral("contrast"), widget,
        QStringLiteral("\"%1\": %2 for %3 on %4, wanted %5")
            .arg(text.text.trimmed())
            .arg(contrast, 0, 'f', 2)
            .arg(ink.name(), ground.name())
            .arg(kTextContrast));
  }

  /// English has its plurals in a translation file too; without an entry the source text shows.
  void checkPlural(QWidget& widget, const QString& text) {
    if (!view_.pseudo && text.contains(QLatin1String("(s)")))
      add(QStringLiteral("plural"), widget, QStringLiteral("\"%1\"").arg(text.trimmed()));
  }

  /// What is not painted but said: tooltips, and what screen readers get.
  void checkSaid(QWidget& widget) {
    for (const QString& said : {widget.toolTip(), widget.accessibleName(),
                                widget.accessibleDescription(), widget.statusTip()}) {
      depth_ = 0;
      checkTranslated(widget, Qt::mightBeRichText(said) ? plainText(said) : said);
    }
  }

  void checkTranslated(QWidget& widget, const QString& line) {
    QString rest = withoutTranslated(line);
    if (isBeginningOfData(rest)) return;
    for (const QString& word : view_.data)
      if (hasLetters(rest)) removeWord(rest, word);
    // Numbers with their units, types, sizes and shapes of tensors are the same in every language.
    static const QRegularExpression number(
        QStringLiteral("(?<!\\p{L})[-+]?\\d[\\d.,\u2009 ]*(e[-+]?\\d+)?\\s*"
                       "(KiB|MiB|GiB|B|kB|k|M|G|T|ms|\u00b5s|s|min|h|d|Hz|%|px)?(?!\\p{L})"
                       "|(?<!\\p{L})(bf|[a-z])\\d+(?!\\p{L})|\\d+(x\\d+)+|N(?=[\u00d7\\]])"),
        QRegularExpression::UseUnicodePropertiesOption);
    rest.remove(number);
    if (hasLetters(rest))
      add(QStringLiteral("untranslated"), widget, QStringLiteral("\"%1\"").arg(line.trimmed()));
  }

  /// "Ankle b…" of "Ankle boot".
  [[nodiscard]] bool isBeginningOfData(const QString& text) const {
    const qsizetype dots = text.indexOf(kDots);
    const QString part = text.left(dots).trimmed();
    return dots > 0 && std::any_of(view_.data.begin(), view_.data.end(),
                                   [&part](const QString& word) { return word.startsWith(part); });
  }

  /// Takes out what stands in the brackets of the pseudo-locale; a text may go over lines.
  QString withoutTranslated(const QString& line) {
    static const QRegularExpression bracket(QStringLiteral("\\[!!|!!\\]"));
    QString rest;
    qsizetype from = 0;
    auto found = bracket.globalMatch(line);
    while (found.hasNext()) {
      const QRegularExpressionMatch match = found.next();
      if (depth_ == 0) rest += line.mid(from, match.capturedStart() - from);
      depth_ = std::max(0, depth_ + (match.capturedView() == u"[!!" ? 1 : -1));
      from = match.capturedEnd();
    }
    if (depth_ == 0) rest += line.mid(from);
    if (line.contains(kDots)) depth_ = 0;  // shortened: its end does not come
    return rest;
  }

  void add(const QString& kind, const QWidget& widget, const QString& what) {
    const Fault fault{kind, pathOf(widget), what};
    if (!faults_.contains(fault)) faults_.append(fault);
  }

  const View& view_;
  int depth_ = 0;
  QList<Fault> faults_;
};

}  // namespace

QList<Fault> textFaults(const View& view) { return TextCheck(view).run(); }

}  // namespace tenon::screens
