// SPDX-License-Identifier: GPL-3.0-or-later
// Asking for a file, writing it and saying how it went, as every panel does it.
#pragma once

#include <QString>
#include <functional>

class QObject;

namespace tenon::ui {

class Prompts;
struct FileWish;

/// Writes a file; gives back what went wrong, empty if nothing did.
using FileWriter = std::function<QString(const QString& path)>;

/// Asks for the file, writes it and gives notice of it, or shows the error under the title
/// `failed`. Nothing happens when cancelled or once `context` is gone.
void askAndSave(Prompts& prompts, const FileWish& wish, const QString& failed, QObject& context,
                FileWriter write);

/// The wish for a picture of a graph: `name` without ending.
[[nodiscard]] FileWish pictureWish(const QString& name);

}  // namespace tenon::ui
