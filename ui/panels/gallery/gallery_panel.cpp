// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Gallery: the training images.
#include "ui/panels/gallery/gallery_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) { return new GalleryView(context, parent); }

}  // namespace

const PanelDef& panelDef_gallery() {
  static const PanelDef def{QStringLiteral("gallery"),
                            QT_TRANSLATE_NOOP("Panel", "Gallery"),
                            QT_TRANSLATE_NOOP("Panel", "The training images"),
                            QStringLiteral("image"),
                            {{Mode::Data, Area::Centre}},
                            &make};
  return def;
}

}  // namespace tenon::ui
