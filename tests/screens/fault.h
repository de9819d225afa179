// SPDX-License-Identifier: GPL-3.0-or-later
// What the walk through the window finds wrong, and what each check gets to see.
#pragma once

#include <QImage>
#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>

class QAbstractScrollArea;

namespace tenon::screens {

struct Fault {
  QString kind;   ///< "cut text", "contrast", "plural", "untranslated", "cut control", "no name",
                  ///< "small target", "order", "mnemonic"
  QString where;  ///< path of the widget below its window
  QString what;
  friend bool operator==(const Fault&, const Fault&) = default;
};

/// One window as it stands.
struct View {
  QWidget& root;
  QImage picture;  ///< of root, in device pixels
  bool pseudo = false;
  QStringList data;               ///< names and texts that are a person's own, longest first
  QList<const QWidget*> regions;  ///< panels and bars: the focus walks through one, then the next
};

/// Visible widgets of the window, parents first.
[[nodiscard]] QList<QWidget*> visibleWidgets(QWidget& root);
/// "loss > LossHeader > QSlider 'Smoothing'".
[[nodiscard]] QString pathOf(const QWidget& widget);
/// True for what a person presses, types into or walks through with keys.
[[nodiscard]] bool isControl(const QWidget& widget);
/// True if a person can move what the area shows along this way.
[[nodiscard]] bool scrolls(const QAbstractScrollArea& area, Qt::Orientation along);
/// Part of the widget that its ancestors leave visible, scrolled-out parts included; own
/// coordinates.
[[nodiscard]] QRect reachableRect(const QWidget& widget);
/// The most frequent colour of a part of the picture, apart from `ink` if that is valid.
[[nodiscard]] QColor groundOf(const View& view, const QRect& part, const QColor& ink = {});

/// Cut without a tooltip that tells it; contrast below 4.5; "1 run(s)"; in the pseudo-locale also
/// what is not translated.
[[nodiscard]] QList<Fault> textFaults(const View& view);
/// Without a name, less than 24 px, not to be seen as a whole, icons with a contrast below 3.
[[nodiscard]] QList<Fault> controlFaults(const View& view);
/// The focus jumps back; two mnemonics are the same letter.
[[nodiscard]] QList<Fault> orderFaults(const View& view);

}  // namespace tenon::screens
