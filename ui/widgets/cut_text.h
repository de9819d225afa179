// SPDX-License-Identifier: GPL-3.0-or-later
// What a control has no room to show is told by its tooltip, whatever the language.
#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace tenon::ui {

/// Tooltip of a place that shows `whole` cut: the text in front of what `tip` explains anyway.
/// Either may be rich text; `tip` alone if it says the text already.
[[nodiscard]] QString tipWithWhole(const QString& whole, const QString& tip);

/// True for the kinds of widgets that CutTextTips answers for: buttons, combo boxes, labels,
/// fields with a placeholder and the viewports of headers.
[[nodiscard]] bool mayCutText(const QWidget& widget);

/// Puts the whole text in front of the tooltip while it is cut. TenonStyle installs one on every
/// widget of a kind that may be squeezed.
class CutTextTips final : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace tenon::ui
