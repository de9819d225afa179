// SPDX-License-Identifier: GPL-3.0-or-later
// A paint device that keeps texts.
#include "tests/screens/drawn_text.h"

#include <QFile>
#include <QPaintEngine>
#include <QPainterPath>
#include <QTemporaryDir>
#include <QWidget>
#include <QXmlStreamReader>
#include <cmath>
#include <optional>

#include "ui/plot/line_plot.h"

namespace tenon::screens {
namespace {

/// Takes every text item with the pen, the transformation and the clip in force.
class TextEngine final : public QPaintEngine {
 public:
  TextEngine() : QPaintEngine(AllFeatures) {}

  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  Type type() const override { return User; }
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  void drawPolygon(const QPoint*, int, PolygonDrawMode) override {}
  void drawPath(const QPainterPath&) override {}

  void updateState(const QPaintEngineState& state) override {
    const DirtyFlags flags = state.state();
    if (flags & DirtyPen) color_ = state.pen().color();
    if (flags & DirtyTransform) transform_ = state.transform();
    if (flags & DirtyClipEnabled) clipped_ = state.isClipEnabled();
    if (flags & DirtyClipRegion)
      takeClip(transform_.mapRect(QRectF(state.clipRegion().boundingRect())),
               state.clipOperation());
    if (flags & DirtyClipPath)
      takeClip(transform_.mapRect(state.clipPath().boundingRect()), state.clipOperation());
  }

  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    const QRectF box = transform_.mapRect(
        QRectF(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent()));
    const QRectF shown = clipped_ && clip_ ? box & *clip_ : box;
    if (!texts.isEmpty() && continues(texts.last(), box)) {
      DrawnText& line = texts.last();
      line.text += item.text();
      line.box |= box;
      line.shown |= shown;
      return;
    }
    texts.append({item.text(), box, shown, color_});
  }

  QList<DrawnText> texts;

 private:
  void takeClip(const QRectF& rect, Qt::ClipOperation operation) {
    if (operation == Qt::NoClip) {
      clip_.reset();
      return;
    }
    clip_ = operation == Qt::IntersectClip && clip_ ? *clip_ & rect : rect;
    clipped_ = true;
  }

  /// A line is painted in pieces where its script or its underlining changes.
  [[nodiscard]] bool continues(const DrawnText& line, const QRectF& box) const {
    return line.color == color_ && std::abs(line.box.right() - box.left()) < 1.5 &&
           std::abs(line.box.center().y() - box.center().y()) < 3;
  }

  QColor color_ = Qt::black;
  QTransform transform_;
  bool clipped_ = false;
  std::optional<QRectF> clip_;
};

/// As large and as fine as the widget.
class TextDevice final : public QPaintDevice {
 public:
  explicit TextDevice(const QWidget& widget) : widget_(widget) {}
  QPaintEngine* paintEngine() const override { return &engine_; }
  [[nodiscard]] QList<DrawnText> texts() const { return engine_.texts; }

 protected:
  int metric(PaintDeviceMetric what) const override {
    switch (what) {
      case PdmWidth:
        return widget_.width();
      case PdmHeight:
        return widget_.height();
      case PdmWidthMM:
        return widget_.widthMM();
      case PdmHeightMM:
        return widget_.heightMM();
      case PdmNumColors:
        return 0x1000000;
      case PdmDepth:
        return 32;
      case PdmDpiX:
      case PdmPhysicalDpiX:
        return widget_.logicalDpiX();
      case PdmDpiY:
      case PdmPhysicalDpiY:
        return widget_.logicalDpiY();
      case PdmDevicePixelRatio:
        return 1;
      case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
    }
    return 0;
  }

 private:
  const QWidget& widget_;
  mutable TextEngine engine_;
};

}  // namespace

QList<DrawnText> drawnTexts(QWidget& widget) {
  TextDevice device(widget);
  widget.render(&device, QPoint(), QRegion(), QWidget::RenderFlags());
  QList<DrawnText> texts;
  for (const DrawnText& text : device.texts())
    if (!text.text.trimmed().isEmpty()) texts.append(text);
  return texts;
}

QList<DrawnText> pictureTexts(QWidget& widget) {
  const auto* plot = qobject_cast<ui::LinePlot*>(&widget);
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("plot.svg"));
  QFile file(path);
  if (!plot || !plot->exportSvg(path).isEmpty() || !file.open(QIODevice::ReadOnly)) return {};
  QList<DrawnText> texts;
  QXmlStreamReader xml(&file);
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement || xml.name() != QLatin1String("text"))
      continue;
    const QColor color(xml.attributes().value(QLatin1String("fill")).toString());
    const QString text = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
    if (!text.isEmpty()) texts.append({text, {}, {}, color});
  }
  return texts;
}

}  // namespace tenon::screens
