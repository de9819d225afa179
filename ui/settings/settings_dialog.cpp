// SPDX-License-Identifier: GPL-3.0-or-later
// Pages that make themselves from the schema's groups.
#include "ui/settings/settings_dialog.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/properties/property_form.h"
#include "ui/settings/user_settings.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

/// Icons of the schema's groups, by their English name.
QString groupIcon(const std::string& group) {
  static const QHash<QString, QString> kIcons = {
      {QStringLiteral("Look"), QStringLiteral("sparkle")},
      {QStringLiteral("Projects"), QStringLiteral("folder")},
      {QStringLiteral("Canvas"), QStringLiteral("model")},
      {QStringLiteral("Plots"), QStringLiteral("train")},
      {QStringLiteral("Training"), QStringLiteral("run")},
  };
  return kIcons.value(QString::fromStdString(group), QStringLiteral("settings"));
}

}  // namespace

SettingsDialog::SettingsDialog(UserSettings& settings, PathPicker picker, QWidget* parent)
    : QDialog(parent),
      settings_(settings),
      list_(new QListWidget(this)),
      stack_(new QStackedWidget(this)) {
  setWindowTitle(tr("Settings"));
  setObjectName(QStringLiteral("settings"));
  resize(720, 480);
  list_->setFixedWidth(184);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setIconSize({measure::kIconSmall, measure::kIconSmall});
  list_->setAccessibleName(tr("Pages"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);

  auto* right = new QVBoxLayout;
  right->setContentsMargins(0, 0, measure::kGap4, measure::kGap3);
  right->addWidget(stack_, 1);
  right->addWidget(buttons);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(measure::kGap4);
  row->addWidget(list_);
  row->addLayout(right, 1);

  connect(list_, &QListWidget::currentRowChanged, stack_, &QStackedWidget::setCurrentIndex);
  addSettingsPages(picker);
  list_->setCurrentRow(0);
  connect(&settings_, &UserSettings::changed, this, &SettingsDialog::showValues);
  showValues();
}

void SettingsDialog::addSettingsPages(const PathPicker& picker) {
  std::vector<std::pair<std::string, std::vector<ParamSpec>>> groups;
  for (ParamSpec spec : userSettingsSchema()) {
    const std::string group = spec.group;
    spec.group.clear();  // the page's heading says it
    if (groups.empty() || groups.back().first != group) groups.push_back({group, {}});
    groups.back().second.push_back(std::move(spec));
  }
  for (auto& [group, specs] : groups) {
    auto* form = new PropertyForm;
    form->setPathPicker(picker);
    form->setChoiceNames(&settingChoiceName);
    form->setSchema(ParamSchema(std::move(specs)));
    forms_.append(form);
    connect(form, &PropertyForm::changed, this,
            [this](const QString& name, const std::optional<ParamValue>& value) {
              if (value) {
                settings_.set(name, *value);
              } else {
                settings_.reset(name);
              }
            });
    addPage(QCoreApplication::translate("Engine", group.c_str()), groupIcon(group), form);
  }
}

void SettingsDialog::addPage(const QString& title, const QString& iconName, QWidget* page) {
  auto* area = new QScrollArea;
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);  // Tab is for what the page holds
  auto* body = new QWidget;
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, measure::kGap4, 0, 0);
  column->setSpacing(measure::kGap3);
  column->addWidget(newTitle(title));
  const bool grows = page->sizePolicy().verticalPolicy() == QSizePolicy::Expanding;
  column->addWidget(page, grows ? 1 : 0);
  if (!grows) column->addStretch(1);
  area->setWidget(body);
  stack_->addWidget(area);
  auto* item = new QListWidgetItem(icon(iconName), title, list_);
  item->setSizeHint({0, measure::kPrimary});
}

void SettingsDialog::showPage(const QString& title) {
  for (int row = 0; row < list_->count(); ++row)
    if (list_->item(row)->text() == title) list_->setCurrentRow(row);
}

void SettingsDialog::showValues() {
  const ParamMap chosen = settings_.chosen();
  for (PropertyForm* form : forms_) form->setValues(chosen);
}

}  // namespace tenon::ui
