// SPDX-License-Identifier: GPL-3.0-or-later
// A window with one fault of each kind.
#include "tests/screens/checks_job.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <memory>

#include "app/desktop/pseudo_translator.h"
#include "tests/screens/act.h"
#include "tests/screens/drawn_text.h"
#include "tests/screens/fault.h"
#include "tests/screens/journal.h"
#include "ui/plot/line_plot.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::screens {
namespace {

QString told(const QList<Fault>& faults) {
  QStringList lines;
  for (const Fault& fault : faults)
    lines << QStringLiteral("%1 | %2 | %3").arg(fault.kind, fault.where, fault.what);
  return lines.join(u'\n');
}

/// A window of its own with a column of widgets.
class Specimen {
 public:
  Specimen() : column_(new QVBoxLayout(&window_)) {
    window_.setObjectName(QStringLiteral("specimen"));
    window_.setFixedSize(600, 480);
  }

  template <class T>
  T* add(T* widget) {
    column_->addWidget(widget, 0, Qt::AlignLeft);
    return widget;
  }

  [[nodiscard]] QList<Fault> faults(bool pseudo = false, const QStringList& data = {}) {
    window_.show();
    settle(200);
    const View view{window_, window_.grab().toImage(), pseudo, data, {}};
    return textFaults(view) + controlFaults(view) + orderFaults(view);
  }

 private:
  QWidget window_;
  QVBoxLayout* column_;
};

/// Paints its text itself, so nobody tells what is cut of it.
class PaintedLine final : public QWidget {
 public:
  explicit PaintedLine(int flags = Qt::AlignVCenter) : flags_(flags) {}

  void paintEvent(QPaintEvent*) override {
    QPainter(this).drawText(rect(), flags_, QStringLiteral("A painted line without any room"));
  }

 private:
  int flags_;
};

/// Exactly these kinds, in this order.
void wants(Specimen& specimen, const QStringList& kinds, const QString& what, bool pseudo = false,
           const QStringList& data = {}) {
  const QList<Fault> faults = specimen.faults(pseudo, data);
  QStringList found;
  for (const Fault& fault : faults) found << fault.kind;
  require(found == kinds, QStringLiteral("%1: wanted [%2], found\n%3")
                              .arg(what, kinds.join(QLatin1String(", ")), told(faults)));
  note(QStringLiteral("%1: %2").arg(
      what, kinds.isEmpty() ? QStringLiteral("no fault") : kinds.join(QLatin1String(", "))));
}

QPushButton* button(const QString& text) {
  auto* made = new QPushButton(text);
  made->setMinimumSize(80, 28);
  return made;
}

void checkCuts() {
  Specimen good;
  good.add(new QLabel(QStringLiteral("A line with room")));
  auto* told = good.add(new ui::ElidedLabel(QStringLiteral("A long line that tells itself")));
  told->setFixedWidth(60);
  good.add(new QLabel(QStringLiteral("A line without any room")))->setFixedWidth(60);
  wants(good, {}, QStringLiteral("whole or told by a tooltip"));

  Specimen cut;
  cut.add(new PaintedLine)->setFixedSize(60, 24);
  wants(cut, {QStringLiteral("cut text")}, QStringLiteral("a clipped line"));

  Specimen wrong;
  auto* other = wrong.add(new PaintedLine);
  other->setFixedSize(60, 24);
  other->setToolTip(QStringLiteral("Something else"));
  wants(wrong, {QStringLiteral("cut text")}, QStringLiteral("a clipped line whose tip is other"));

  Specimen low;
  low.add(new PaintedLine(Qt::TextWordWrap))->setFixedSize(90, 26);
  require(!low.faults().isEmpty(), QStringLiteral("lines below the end of a text are missed"));
  note(QStringLiteral("lines that do not fit: found"));
}

void checkColours() {
  Specimen pale;
  auto* label = pale.add(new QLabel(QStringLiteral("Hardly to be read")));
  QPalette palette = label->palette();
  palette.setColor(QPalette::WindowText,
                   ui::mixed(ui::currentTheme().text, ui::currentTheme().surface, 0.4));
  label->setPalette(palette);
  wants(pale, {QStringLiteral("contrast")}, QStringLiteral("a pale line"));
  label->setEnabled(false);
  wants(pale, {}, QStringLiteral("a pale line that is disabled"));

  Specimen icons;
  auto* tool = icons.add(new QToolButton);
  tool->setFixedSize(28, 28);
  tool->setAccessibleName(QStringLiteral("Faint"));
  QPixmap faint(16, 16);
  faint.fill(ui::mixed(ui::currentTheme().text, ui::currentTheme().surface, 0.1));
  tool->setIcon(faint);
  wants(icons, {QStringLiteral("contrast")}, QStringLiteral("a faint icon"));
}

void checkControls() {
  Specimen good;
  good.add(button(QStringLiteral("&Good")));
  good.add(new QLineEdit)->setAccessibleName(QStringLiteral("Named"));
  wants(good, {}, QStringLiteral("good controls"));

  Specimen nameless;
  nameless.add(new QLineEdit);
  wants(nameless, {QStringLiteral("no name")}, QStringLiteral("a field without a name"));

  Specimen small;
  small.add(new QToolButton)->setFixedSize(20, 28);
  small.add(button(QStringLiteral("Large")));
  wants(small, {QStringLiteral("no name"), QStringLiteral("small target")},
        QStringLiteral("a small button without a name"));
}

void checkEdges() {
  Specimen cut;
  auto* area = cut.add(new QScrollArea);
  area->setFixedSize(120, 100);
  area->setFocusPolicy(Qt::NoFocus);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* wide = new QLineEdit;
  wide->setAccessibleName(QStringLiteral("Wide"));
  wide->setFixedSize(200, 28);
  area->setWidget(wide);
  wants(cut, {QStringLiteral("cut control")}, QStringLiteral("a field that goes on out of sight"));
}

void checkOrder() {
  Specimen same;
  same.add(button(QStringLiteral("&One")));
  same.add(button(QStringLiteral("&Other")));
  wants(same, {QStringLiteral("mnemonic")}, QStringLiteral("one letter twice"));

  Specimen back;
  QWidget* first = back.add(button(QStringLiteral("First")));
  QWidget* second = back.add(button(QStringLiteral("Second")));
  QWidget* third = back.add(button(QStringLiteral("Third")));
  QWidget::setTabOrder(first, third);
  QWidget::setTabOrder(third, second);
  wants(back, {QStringLiteral("order")}, QStringLiteral("a focus that jumps back"));
}

void checkLanguage() {
  Specimen texts;
  texts.add(new QLabel(pseudoText(QStringLiteral("Translated"))));
  texts.add(new QLabel(QStringLiteral("12.5 MiB")));
  texts.add(new QLabel(QStringLiteral("Ankle boot")));
  wants(texts, {}, QStringLiteral("translated, a number, a class"), true,
        {QStringLiteral("Ankle boot")});
  texts.add(new QLabel(QStringLiteral("Forgotten")));
  wants(texts, {QStringLiteral("untranslated")}, QStringLiteral("a forgotten text"), true,
        {QStringLiteral("Ankle boot")});

  Specimen plural;
  plural.add(new QLabel(QStringLiteral("3 run(s)")));
  wants(plural, {QStringLiteral("plural")}, QStringLiteral("a plural without its word"));

  ui::LinePlot plot;
  plot.setTitle(QStringLiteral("Painted"));
  plot.resize(400, 200);
  bool found = false;
  for (const DrawnText& text : pictureTexts(plot)) found |= text.text == QLatin1String("Painted");
  require(found, QStringLiteral("a plot's title is not seen"));
}

}  // namespace

void checkTheChecks() {
  ui::ThemeController theme(*qApp, ui::ThemeController::Choice::Light);
  checkCuts();
  checkColours();
  checkControls();
  checkEdges();
  checkOrder();
  checkLanguage();
}

}  // namespace tenon::screens
