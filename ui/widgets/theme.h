// SPDX-License-Identifier: GPL-3.0-or-later
// The look of Tenon as values: colours of both themes, measures, text sizes, and who switches them.
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>
#include <array>
#include <memory>

class QApplication;

namespace tenon::ui {

/// A colour token by name, for what must follow the theme: icons, dots, states.
enum class Tint {
  Text,
  Secondary,
  Accent,
  AccentText,
  Good,
  Bad,
  Warn,
  Series0,
  Series1,
  Series2,
  Series3,
  Series4,
  Series5,
  Series6,
  Series7
};
/// Tint of a class, a run or a layer family, in turn.
[[nodiscard]] Tint seriesTint(int index);

/// The colour tokens of one theme. Contrast on `surface` is at least 4.5 for text and 3 for icons.
struct Theme {
  enum class Kind { Dark, Light };

  Kind kind = Kind::Dark;
  QColor surface;      ///< windows and panels
  QColor raised;       ///< fields, cards, menus, canvas nodes
  QColor sunken;       ///< plot and canvas grounds, grooves, headers
  QColor hairline;     ///< separators
  QColor fieldBorder;  ///< outlines of controls
  QColor text;
  QColor secondary;   ///< captions, units, hints
  QColor accent;      ///< primary action, selection frame, focus ring
  QColor accentText;  ///< text on accent
  QColor selection;   ///< ground of selected rows
  QColor good;        ///< always with an icon or a sign
  QColor bad;
  QColor warn;
  std::array<QColor, 8> series;  ///< runs, classes, layer families; never amber

  [[nodiscard]] static const Theme& dark();
  [[nodiscard]] static const Theme& light();

  [[nodiscard]] bool isDark() const { return kind == Kind::Dark; }
  /// The palette that stock widgets and plots read; every group and role is set.
  [[nodiscard]] QPalette palette() const;
  [[nodiscard]] QColor color(Tint tint) const;
  /// Series colour of any index, in turn.
  [[nodiscard]] QColor seriesColor(int index) const;
  /// Ground under the pointer: `base` moved a little towards the text colour.
  [[nodiscard]] QColor hovered(const QColor& base) const;
};

/// WCAG contrast ratio of two opaque colours, 1..21.
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);
/// `top` laid over `bottom` with `share` 0..1.
[[nodiscard]] QColor mixed(const QColor& top, const QColor& bottom, double share);

/// Measures in logical pixels.
namespace measure {
inline constexpr int kRow = 24;
inline constexpr int kField = 26;
inline constexpr int kButton = 28;
inline constexpr int kPrimary = 32;
inline constexpr int kGap1 = 4;
inline constexpr int kGap2 = 8;
inline constexpr int kGap3 = 12;
inline constexpr int kGap4 = 16;
inline constexpr int kIconSmall = 16;
inline constexpr int kIcon = 20;
inline constexpr int kIconLarge = 24;
inline constexpr int kCorner = 6;
inline constexpr int kFocusRing = 2;
inline constexpr int kModeBar = 56;
inline constexpr int kTopBar = 40;
inline constexpr int kJobBar = 28;
inline constexpr int kThumbnail = 96;
}  // namespace measure

/// 9, 10, 12 and 16 pt in the system font.
enum class TextSize { Small, Body, Title, Display };
[[nodiscard]] QFont textFont(TextSize size = TextSize::Body, bool bold = false);
/// As textFont, in a family whose ten digits have one width.
[[nodiscard]] QFont numberFont(TextSize size = TextSize::Body);

/// The theme in force: the one the controller installed, else the one that fits the palette.
[[nodiscard]] const Theme& currentTheme();

/// Dynamic property of a QPushButton that marks the one primary action of its place.
inline constexpr const char* kPrimaryProperty = "primary";
/// Dynamic property of a QPushButton for an action that destroys something.
inline constexpr const char* kDangerProperty = "danger";

/**
 * Chooses the theme and applies it to the running application: palette, TenonStyle, fonts; no style
 * sheet. Widgets that paint by themselves read currentTheme() in paintEvent; a switch repaints
 * everything.
 */
class ThemeController final : public QObject {
  Q_OBJECT
 public:
  enum class Choice { System, Dark, Light };

  /// Applies `choice` at once. One per application; `app` must outlive it.
  explicit ThemeController(QApplication& app, Choice choice = Choice::System,
                           QObject* parent = nullptr);
  ~ThemeController() override;

  [[nodiscard]] Choice choice() const { return choice_; }
  void setChoice(Choice choice);
  [[nodiscard]] const Theme& theme() const;

 Q_SIGNALS:
  /// After the palette was set; plots and canvases take their colours anew.
  void changed();

 private:
  void apply();

  Choice choice_;
  QPalette platform_;  ///< what the desktop gave before we changed it
  Theme::Kind applied_ = Theme::Kind::Dark;
  bool hasApplied_ = false;
  std::unique_ptr<class SystemScheme> system_;
};

}  // namespace tenon::ui
