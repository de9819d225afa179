// SPDX-License-Identifier: GPL-3.0-or-later
// Navigation: the places of the window a person can go to, and back and forth between them.
#pragma once

#include <QList>
#include <QObject>
#include <QString>

#include "engine/base/error.h"
#include "ui/session/mode.h"
#include "ui/session/selection.h"

namespace tenon::ui {

/// A place in the window. Empty members leave things as they are.
struct Destination {
  Mode mode = Mode::Welcome;
  QString panel;  ///< id of a panel to raise and focus
  QString node;   ///< to select
  QString field;  ///< dotted path of the setting to focus: "train.optimizer.lr", or the name of the
                  ///< node's parameter
  qint64 run = 0;
  RecordingKey recording;
  friend bool operator==(const Destination&, const Destination&) = default;
};

/// Where an issue can be mended.
[[nodiscard]] Destination destinationOf(const Issue& issue);
/// Where a setting of the project is shown, by its path: "train.device".
[[nodiscard]] Destination destinationOf(const QString& field);

/**
 * Remembers where a person was. go() selects what the destination names and says `arrived`: the
 * shell switches mode and raises the panel. Then it says `focusWanted`, which panels hear that
 * were only made for it: the one that owns the field focuses it.
 */
class Navigation final : public QObject {
  Q_OBJECT
 public:
  explicit Navigation(Selection& selection, QObject* parent = nullptr);

  [[nodiscard]] const Destination& current() const { return places_[at_]; }
  [[nodiscard]] bool canGoBack() const { return at_ > 0; }
  [[nodiscard]] bool canGoForward() const { return at_ + 1 < places_.size(); }

  void go(const Destination& destination);
  void go(Mode mode);
  void back();
  void forward();
  /// Forgets the past (another project was opened).
  void clear(Mode mode);

 Q_SIGNALS:
  void arrived(const tenon::ui::Destination& destination);
  /// The place is on the screen now.
  void focusWanted(const tenon::ui::Destination& destination);
  void historyChanged();

 private:
  void arrive();

  Selection& selection_;
  QList<Destination> places_ = {{}};
  qsizetype at_ = 0;
};

}  // namespace tenon::ui
