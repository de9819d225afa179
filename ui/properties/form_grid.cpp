// SPDX-License-Identifier: GPL-3.0-or-later
// Measures of the columns of a form.
#include "ui/properties/form_grid.h"

#include <QGridLayout>

#include "ui/widgets/theme.h"

namespace tenon::ui {

QGridLayout* newFormGrid(QWidget* parent) {
  auto* grid = new QGridLayout(parent);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(measure::kGap1);
  grid->setVerticalSpacing(measure::kGap1);
  grid->setColumnMinimumWidth(0, form::kLabel);
  grid->setColumnMinimumWidth(1, form::kDot);
  grid->setColumnMinimumWidth(3, form::kReset);
  grid->setColumnStretch(2, 1);
  return grid;
}

}  // namespace tenon::ui
