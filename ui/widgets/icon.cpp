// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the SVG strokes of resources/icons in theme colours.
#include "ui/widgets/icon.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <cmath>

#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

QString pathOf(const QString& name) { return QStringLiteral(":/tenon/icons/%1.svg").arg(name); }

QString known(const QString& name) { return hasIcon(name) ? name : QStringLiteral("layer"); }

/// A picture of `pixels` device pixels, from the cache when it was drawn before.
QPixmap drawn(const QString& name, const QColor& color, int pixels) {
  const QString key = QStringLiteral("tenon-icon/%1/%2/%3").arg(name, color.name()).arg(pixels);
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;
  pixmap = QPixmap(pixels, pixels);
  pixmap.fill(Qt::transparent);
  QSvgRenderer renderer(pathOf(name));
  QPainter painter(&pixmap);
  renderer.render(&painter, QRectF(0, 0, pixels, pixels));
  painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
  painter.fillRect(pixmap.rect(), color);
  painter.end();
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

class ThemedIconEngine final : public QIconEngine {
 public:
  ThemedIconEngine(QString name, Tint tint) : name_(std::move(name)), tint_(tint) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const int side = std::min(rect.width(), rect.height());
    const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
    QPixmap pixmap = drawn(name_, color(mode), static_cast<int>(std::lround(side * ratio)));
    pixmap.setDevicePixelRatio(ratio);
    const QPoint corner =
        rect.topLeft() + QPoint((rect.width() - side) / 2, (rect.height() - side) / 2);
    painter->drawPixmap(corner, pixmap);
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
    return drawn(name_, color(mode), std::max(1, std::min(size.width(), size.height())));
  }

  [[nodiscard]] QIconEngine* clone() const override { return new ThemedIconEngine(name_, tint_); }
  QString iconName() override { return name_ + u'/' + QString::number(static_cast<int>(tint_)); }
  bool isNull() override { return false; }

 private:
  [[nodiscard]] QColor color(QIcon::Mode mode) const {
    const Theme& theme = currentTheme();
    const QColor full = theme.color(tint_);
    return mode == QIcon::Disabled ? mixed(theme.secondary, theme.surface, 0.5) : full;
  }

  QString name_;
  Tint tint_;
};

}  // namespace

QIcon icon(const QString& name, Tint tint) {
  return QIcon(new ThemedIconEngine(known(name), tint));
}

QPixmap iconPixmap(const QString& name, const QColor& color, int size, qreal devicePixelRatio) {
  const int pixels = std::max(1, static_cast<int>(std::lround(size * devicePixelRatio)));
  QPixmap pixmap = drawn(known(name), color, pixels);
  pixmap.setDevicePixelRatio(devicePixelRatio);
  return pixmap;
}

bool hasIcon(const QString& name) { return QFile::exists(pathOf(name)); }

QStringList iconNames() {
  QStringList names =
      QDir(QStringLiteral(":/tenon/icons")).entryList({"*.svg"}, QDir::Files, QDir::Name);
  for (QString& name : names) name.chop(4);
  return names;
}

}  // namespace tenon::ui
