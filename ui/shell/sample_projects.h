// SPDX-License-Identifier: GPL-3.0-or-later
// The sample projects that come with the program, and copies of projects.
#pragma once

#include <QString>

namespace tenon::ui {

/// Folder of the shipped samples: beside the installed program or in the source tree it was built
/// from; empty if there is none.
[[nodiscard]] QString samplesFolder();
/// The sample a first start opens; empty if it was not shipped.
[[nodiscard]] QString firstSample();

/// The shipped sample that a path names (its folder or the file in it); empty: it names none.
/// Shipped samples are never written: who opens one gets a copy.
[[nodiscard]] QString shippedSampleOf(const QString& path);
/// The copy of a sample that an earlier start made in `parent`; empty: there is none yet.
[[nodiscard]] QString copyOfSample(const QString& sample, const QString& parent);

/// A folder in `parent` that is not there yet: "Fashion-MNIST", "Fashion-MNIST 2", ...
[[nodiscard]] QString freeFolder(const QString& parent, const QString& name);
/// A project's name as a folder may be called: no slashes, no leading dots.
[[nodiscard]] QString folderName(const QString& projectName);

/**
 * Copies a project into a new folder of `parent`: its file and what lies beside it, but no runs,
 * locks and hidden files. Gives the new folder back. @thread any
 * @throws tenon::Error if it cannot be read or written.
 */
QString copyProject(const QString& folder, const QString& parent);

}  // namespace tenon::ui
