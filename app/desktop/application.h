// SPDX-License-Identifier: GPL-3.0-or-later
// What every program with Tenon's window does before the window: names, scaling, languages.
#pragma once

#include <QString>

class QApplication;

namespace tenon {

/// Names and scaling rules; before the QApplication is made.
void nameApplication();

/// Texts of `language` ("de", "en_GB"; empty: the system's; "pseudo": see pseudo_translator.h).
void installTranslations(QApplication& app, const QString& language);

}  // namespace tenon
