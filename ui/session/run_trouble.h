// SPDX-License-Identifier: GPL-3.0-or-later
// RunTrouble: why a run cannot be saved at the moment, and what a person can do about it.
#pragma once

#include <QString>

#include "engine/store/store.h"

namespace tenon::ui {

/// Texts in the language in force; empty while nothing is wrong.
struct RunTrouble {
  QString word;    ///< for a narrow place: "Disk full"
  QString text;    ///< what cannot be saved and where
  QString advice;  ///< what to do, and that nothing is lost
  QString cause;   ///< as the store says it: operation, file and error of the system

  [[nodiscard]] bool isEmpty() const { return text.isEmpty(); }
  /// All of it, a sentence a line.
  [[nodiscard]] QString whole() const;
  friend bool operator==(const RunTrouble&, const RunTrouble&) = default;
};

/// @param folder of the project, where the store's files are
[[nodiscard]] RunTrouble troubleOf(const StoreTrouble& trouble, const QString& folder);

}  // namespace tenon::ui
