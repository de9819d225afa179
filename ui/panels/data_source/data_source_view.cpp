// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the data settings and turns what a person changes into edits.
#include "ui/panels/data_source/data_source_view.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/data/reader_def.h"
#include "engine/data/transform_def.h"
#include "ui/properties/part_form.h"
#include "ui/properties/property_form.h"
#include "ui/session/commands.h"
#include "ui/session/document.h"
#include "ui/session/document_edits.h"
#include "ui/session/live_check.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/prompts.h"
#include "ui/session/texts.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/finish_editing.h"
#include "ui/widgets/focus_visibly.h"
#include "ui/widgets/form_scroll.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/quiet_combo_box.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

template <class Defs>
QList<PartChoice> choicesOf(const Defs& defs) {
  QList<PartChoice> choices;
  for (const auto* def : defs)
    choices.append({QString::fromStdString(def->id), engineText(def->title), &def->schema});
  return choices;
}

void showPart(PartForm& form, const PartSpec& part) {
  form.setPart(QString::fromStdString(part.type), part.params);
}

void setOrErase(ParamMap& params, const QString& name, const std::optional<ParamValue>& value) {
  if (value) {
    params.set(name.toStdString(), *value);
  } else {
    params.erase(name.toStdString());
  }
}

QString transformField(int position) { return QStringLiteral("data.transforms.%1").arg(position); }

}  // namespace

DataSourceView::DataSourceView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(QStringLiteral("data"), tr("No project"),
                            tr("Open a project to see where its data comes from."), this)),
      reader_(new PartForm(tr("Reader"))),
      splitKind_(new QuietComboBox),
      split_(new PropertyForm(splitSchema())),
      splitReader_(new PartForm(tr("Reader"))),
      newTransform_(new QuietComboBox) {
  build();
  follow();
}

void DataSourceView::build() {
  reader_->setChoices(choicesOf(allReaders()));
  splitReader_->setChoices(choicesOf(allReaders()));
  splitReader_->setAccessibleName(tr("Reader of the validation files"));
  splitKind_->addItems(
      {tr("No validation"), tr("A part of the training samples"), tr("Files of their own")});
  splitKind_->setAccessibleName(tr("Where validation samples come from"));
  splitKind_->setToolTip(tr("Where validation samples come from"));
  newTransform_->addItem(tr("Add a transform …"));
  for (const TransformDef* def : allTransforms())
    newTransform_->addItem(engineText(def->title), QString::fromStdString(def->id));
  newTransform_->setAccessibleName(tr("Add a transform"));
  newTransform_->setToolTip(tr("Append a transform to the chain"));
  auto* form = new QWidget;
  auto* layout = new QVBoxLayout(form);
  layout->setContentsMargins(measure::kGap3, measure::kGap2, measure::kGap3, measure::kGap2);
  layout->setSpacing(measure::kGap2);
  layout->addWidget(reader_);
  layout->addSpacing(measure::kGap2);
  layout->addWidget(newTitle(tr("Validation")));
  layout->addWidget(splitKind_);
  layout->addWidget(split_);
  layout->addWidget(splitReader_);
  layout->addSpacing(measure::kGap2);
  layout->addWidget(newTitle(tr("Transforms")));
  transformRows_ = new QVBoxLayout;
  transformRows_->setSpacing(measure::kGap2);
  layout->addLayout(transformRows_);
  layout->addWidget(newTransform_);
  layout->addStretch(1);
  empty_->setAction(tr("Open project"));
  stack_->addWidget(empty_);
  stack_->addWidget(new FormScroll(form));
}

void DataSourceView::follow() {
  connect(&context_.document, &Document::specChanged, this, &DataSourceView::refresh);
  connect(&context_.document, &Document::closed, this, &DataSourceView::refresh);
  connect(&context_.document, &Document::aboutToMove, this, [this] { finishEditing(*this); });
  connect(&context_.check, &LiveCheck::changed, this, &DataSourceView::showErrors);
  connect(&context_.navigation, &Navigation::focusWanted, this, &DataSourceView::arrive);
  connect(empty_, &EmptyState::actionTriggered, this,
          [this] { context_.commands.action(QLatin1String(command::kOpen))->trigger(); });
  const PathPicker pick = [this](const QString& from, std::function<void(const QString&)> then) {
    FileWish wish;
    wish.title = tr("Choose a data file");
    wish.folder = from.isEmpty() ? context_.document.folder() : from;
    context_.prompts.pickFile(wish, [then = std::move(then)](const QString& path) {
      if (!path.isEmpty()) then(path);
    });
  };
  reader_->form()->setPathPicker(pick);
  splitReader_->form()->setPathPicker(pick);
  followPart(reader_, QStringLiteral("data.reader"), [](DataSpec& data) { return &data.reader; });
  followPart(splitReader_, QStringLiteral("data.split"),
             [](DataSpec& data) { return &data.split.reader; });
  connect(splitKind_, &QComboBox::activated, this, [this](int index) {
    editSplit({}, [index](SplitSpec& split) { split.kind = SplitSpec::Kind(index); });
  });
  connect(split_, &PropertyForm::changed, this,
          [this](const QString& name, const std::optional<ParamValue>& value) {
            ParamMap params = splitSchema().defaults();
            const SplitSpec& now = context_.document.spec().data->split;
            params.set("fraction", now.fraction);
            params.set("seed", now.seed);
            const ParamSpec* spec = splitSchema().find(name.toStdString());
            if (!spec) return;
            params.set(spec->name, value ? *value : spec->defaultValue);
            editSplit(u'.' + name, [params](SplitSpec& split) {
              split.fraction = params.getFloat("fraction");
              split.seed = params.getInt("seed");
            });
          });
  connect(newTransform_, &QComboBox::activated, this, &DataSourceView::addTransform);
}

void DataSourceView::edit(const QString& text, const QString& field,
                          const std::function<void(DataSpec&)>& change) {
  DataSpec data = *context_.document.spec().data;
  change(data);
  edits::setData(context_.document, text, data, field);
}

void DataSourceView::followPart(PartForm* form, const QString& field,
                                const std::function<PartSpec*(DataSpec&)>& part) {
  connect(form, &PartForm::typeChanged, this, [this, field, part](const QString& id) {
    edit(tr("Change data"), field, [&](DataSpec& data) {
      if (PartSpec* spec = part(data)) *spec = {id.toStdString(), {}};
    });
  });
  connect(form, &PartForm::changed, this,
          [this, field, part](const QString& name, const std::optional<ParamValue>& value) {
            edit(tr("Change data"), field + u'.' + name, [&](DataSpec& data) {
              if (PartSpec* spec = part(data)) setOrErase(spec->params, name, value);
            });
          });
}

void DataSourceView::editSplit(const QString& field,
                               const std::function<void(SplitSpec&)>& change) {
  edit(tr("Change validation samples"), QStringLiteral("data.split") + field,
       [&](DataSpec& data) { change(data.split); });
}

void DataSourceView::addTransform() {
  const QString id = newTransform_->currentData().toString();
  newTransform_->setCurrentIndex(0);
  if (id.isEmpty()) return;
  edit(tr("Add transform"), QStringLiteral("data.transforms"), [&](DataSpec& data) {
    data.transforms.push_back({id.toStdString(), {}});
  });
}

void DataSourceView::refresh() {
  if (!isVisible()) return;
  stack_->setCurrentIndex(context_.document.isOpen() ? 1 : 0);
  const DataSpec& data = *context_.document.spec().data;
  showPart(*reader_, data.reader);
  showSplit(data.split);
  showTransforms(data.transforms);
  showErrors();
}

void DataSourceView::showSplit(const SplitSpec& split) {
  splitKind_->setCurrentIndex(int(split.kind));
  split_->setVisible(split.kind == SplitSpec::Kind::Fraction);
  splitReader_->setVisible(split.kind == SplitSpec::Kind::Files);
  ParamMap params;
  params.set("fraction", split.fraction);
  params.set("seed", split.seed);
  split_->setValues(params);
  showPart(*splitReader_, split.reader);
}

/// Forms stay where they are, so that an edit does not take the focus away.
void DataSourceView::showTransforms(const std::vector<PartSpec>& transforms) {
  while (transforms_.size() > qsizetype(transforms.size())) {
    QWidget* row = transforms_.takeLast()->parentWidget();
    row->hide();
    row->deleteLater();  // its own button may be what brought us here
  }
  while (transforms_.size() < qsizetype(transforms.size())) {
    const int position = int(transforms_.size());
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(measure::kGap1);
    auto* form = new PartForm(tr("Step %1").arg(position + 1));
    form->setChoices(choicesOf(allTransforms()));
    followPart(form, transformField(position), [position](DataSpec& data) {
      return size_t(position) < data.transforms.size() ? &data.transforms[size_t(position)]
                                                       : nullptr;
    });
    auto* remove = new QToolButton;
    remove->setIcon(icon(QStringLiteral("remove")));
    remove->setAutoRaise(true);
    remove->setToolTip(tr("Remove this transform"));
    remove->setAccessibleName(tr("Remove transform %1").arg(position + 1));
    connect(remove, &QToolButton::clicked, this, [this, position] {
      edit(tr("Remove transform"), QStringLiteral("data.transforms"), [&](DataSpec& data) {
        if (size_t(position) < data.transforms.size())
          data.transforms.erase(data.transforms.begin() + position);
      });
    });
    layout->addWidget(form, 1);
    layout->addWidget(remove, 0, Qt::AlignTop);
    transformRows_->addWidget(row);
    transforms_.append(form);
  }
  for (qsizetype i = 0; i < transforms_.size(); ++i)
    showPart(*transforms_[i], transforms[size_t(i)]);
}

QHash<QString, QString> DataSourceView::errorsBelow(const QString& prefix) const {
  QHash<QString, QString> errors;
  for (const Issue& issue : context_.check.result()->issues) {
    const QString field = QString::fromStdString(issue.place.field);
    if (issue.severity == Severity::Error && field.startsWith(prefix))
      errors.insert(field.section(u'.', -1), issueMessage(issue));
  }
  return errors;
}

void DataSourceView::showErrors() {
  if (!isVisible()) return;
  reader_->form()->setErrors(errorsBelow(QStringLiteral("data.reader.")));
  split_->setErrors(errorsBelow(QStringLiteral("data.split.")));
  splitReader_->form()->setErrors(errorsBelow(QStringLiteral("data.split.")));
  for (int i = 0; i < int(transforms_.size()); ++i)
    transforms_[i]->form()->setErrors(errorsBelow(transformField(i) + u'.'));
}

void DataSourceView::arrive(const Destination& destination) {
  if (destination.mode != Mode::Data || destination.field.isEmpty() || !isVisible()) return;
  refresh();
  const QStringList path = destination.field.split(u'.');  // "data", "reader", "path"
  const QString part = path.value(1);
  const QString name = path.size() > 2 ? path.last() : QString();
  if (part == QLatin1String("reader") && !reader_->focusField(name)) reader_->focusField({});
  if (part == QLatin1String("split")) focusSplit(name);
  if (part == QLatin1String("transforms")) focusTransform(path.mid(2));
}

/// The chain as a whole is where one is added.
void DataSourceView::focusTransform(const QStringList& path) {
  bool numbered = false;
  const int position = path.value(0).toInt(&numbered);
  const bool isThere = numbered && position >= 0 && position < transforms_.size();
  if (isThere && transforms_[position]->focusField(path.value(1))) return;
  focusVisibly(*newTransform_);
}

void DataSourceView::focusSplit(const QString& name) {
  if (split_->isVisible() && split_->focusField(name)) return;
  const QString field = name == QLatin1String("reader") ? QStringLiteral("type") : name;
  if (splitReader_->isVisible() && !field.isEmpty() && splitReader_->focusField(field)) return;
  focusVisibly(*splitKind_);
}

void DataSourceView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace tenon::ui
