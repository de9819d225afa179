// SPDX-License-Identifier: GPL-3.0-or-later
// The whole graph as a file: SVG, PDF or PNG.
#include <QBuffer>
#include <QFileInfo>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>

#include "ui/graphview/graph_scene.h"
#include "ui/graphview/graph_view.h"

namespace tenon::ui {
namespace {

constexpr int kMargin = 24;             // as toImage() leaves it
constexpr int kDetail = 4;              // icons are drawn in so many pixels for each of the canvas
constexpr double kLargestPage = 14400;  // points of a side that readers of PDF take

void paint(const GraphView& view, QPaintDevice& device, const QSizeF& size) {
  QPainter painter(&device);
  painter.fillRect(QRectF(QPointF(0, 0), size), view.graphStyle().ground);
  view.paintAll(painter, QRectF(QPointF(0, 0), size));
}

void writeSvg(const GraphView& view, QIODevice& device, const QSizeF& size) {
  QSvgGenerator svg;
  svg.setOutputDevice(&device);
  svg.setResolution(90);  // the one at which Qt reads its millimetres back as pixels
  svg.setSize(size.toSize());
  svg.setViewBox(QRectF(QPointF(0, 0), size * kDetail));
  svg.setTitle(view.accessibleName());
  paint(view, svg, size * kDetail);
}

void writePdf(const GraphView& view, QIODevice& device, const QSizeF& size) {
  constexpr int kPointsPerInch = 72;
  const double scale = std::min(1.0, kLargestPage / std::max(size.width(), size.height()));
  QPdfWriter pdf(&device);
  pdf.setResolution(kPointsPerInch * kDetail);
  pdf.setTitle(view.accessibleName());
  pdf.setPageSize(QPageSize(size * scale, QPageSize::Point, {}, QPageSize::ExactMatch));
  pdf.setPageMargins({});
  paint(view, pdf, size * scale * kDetail);
}

}  // namespace

QString GraphView::savePicture(const QString& path) const {
  if (graph().nodes.isEmpty()) return tr("There is nothing to save.");
  const QSizeF size =
      scene_->contents().adjusted(-kMargin, -kMargin, kMargin, kMargin).toAlignedRect().size();
  const QString suffix = QFileInfo(path).suffix().toLower();
  QBuffer picture;
  picture.open(QIODevice::WriteOnly);
  if (suffix == QLatin1String("svg")) {
    writeSvg(*this, picture, size);
  } else if (suffix == QLatin1String("pdf")) {
    writePdf(*this, picture, size);
  } else if (suffix == QLatin1String("png")) {
    toImage().save(&picture, "PNG");
  } else {
    return tr("%1: the name must end in .svg, .pdf or .png").arg(path);
  }
  QSaveFile file(path);
  const bool written = file.open(QIODevice::WriteOnly) &&
                       file.write(picture.data()) == picture.size() && file.commit();
  return written ? QString() : tr("%1: %2").arg(path, file.errorString());
}

}  // namespace tenon::ui
