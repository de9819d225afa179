// SPDX-License-Identifier: GPL-3.0-or-later
// A LinePlot as image, SVG and CSV.
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QSaveFile>
#include <QSvgGenerator>
#include <charconv>

#include "ui/plot/line_plot_impl.h"

namespace tenon::ui {

namespace {

/// The shortest text that reads back as the same number.
void appendNumber(QByteArray& line, double value) {
  if (std::isnan(value)) {
    line.append("nan");
    return;
  }
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
  line.append(text, end - text);
}

QByteArray quoted(const QString& text) {
  QByteArray bytes = text.toUtf8();
  if (bytes.indexOf(',') < 0 && bytes.indexOf('"') < 0 && bytes.indexOf('\n') < 0) return bytes;
  bytes.replace("\"", "\"\"");
  return '"' + bytes + '"';
}

QByteArray csvRow(const QByteArray& name, const SeriesPoint& point, double smooth) {
  QByteArray line = name + ',' + QByteArray::number(static_cast<qlonglong>(point.step)) + ',';
  appendNumber(line, point.epoch);
  line.append(',');
  appendNumber(line, point.seconds);
  line.append(',');
  appendNumber(line, point.value);
  line.append(',');
  appendNumber(line, smooth);
  line.append('\n');
  return line;
}

}  // namespace

QImage LinePlot::image(QSize size, double ratio) const {
  PlotCanvas canvas;
  d_->styleCanvas(canvas);
  d_->settleIfDue();
  QImage image(size * ratio, QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  image.fill(d_->theme.surface);
  const Impl::Picture picture = d_->makePicture(canvas, QRect(QPoint(), size), ratio);
  d_->paintPicture(canvas, &image, picture, false, true);
  return image;
}

void LinePlot::copyImage() const { QGuiApplication::clipboard()->setImage(image(size(), 2)); }

QString LinePlot::exportPng(const QString& path, double ratio) const {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return file.errorString();
  if (!image(size(), ratio).save(&file, "PNG")) return file.errorString();
  return file.commit() ? QString() : file.errorString();
}

QString LinePlot::exportSvg(const QString& path) const {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return file.errorString();
  QSvgGenerator svg;
  svg.setOutputDevice(&file);
  svg.setResolution(90);  // the one at which Qt reads its millimetres back as pixels
  svg.setSize(size());
  svg.setViewBox(rect());
  svg.setTitle(d_->title);
  svg.setDescription(summary());
  PlotCanvas canvas;
  d_->styleCanvas(canvas);
  d_->settleIfDue();
  const Impl::Picture picture = d_->makePicture(canvas, rect(), 1);
  d_->paintPicture(canvas, &svg, picture, true, true);
  return file.commit() ? QString() : file.errorString();
}

QString LinePlot::exportCsv(const QString& path) const {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return file.errorString();
  file.write("series,step,epoch,time_s,value,smoothed\n");
  for (const auto& curve : d_->curves) {
    if (!curve->visible) continue;
    const QByteArray name = quoted(curve->spec.name);
    for (std::size_t i = 0; i < curve->spec.data->size(); ++i) {
      const SeriesPoint point = curve->spec.data->at(i);
      const double smooth = d_->smoothed(*curve) ? curve->smooth.at(i) : point.value;
      file.write(csvRow(name, point, smooth));
    }
  }
  return file.commit() ? QString() : file.errorString();
}

}  // namespace tenon::ui
