// SPDX-License-Identifier: GPL-3.0-or-later
// A local socket a project.
#include "ui/shell/single_instance.h"

#include <unistd.h>

#include <QCryptographicHash>
#include <QFileInfo>
#include <QLocalSocket>

#include "engine/base/log.h"

namespace tenon::ui {
namespace {
constexpr int kWaitMs = 200;
}

SingleInstance::SingleInstance(QObject* parent) : QObject(parent) {
  server_.setSocketOptions(QLocalServer::UserAccessOption);
  connect(&server_, &QLocalServer::newConnection, this, [this] {
    while (QLocalSocket* socket = server_.nextPendingConnection()) {
      connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
      Q_EMIT raiseRequested();
    }
  });
}

QString SingleInstance::socketName(const QString& folder) {
  QString path = QFileInfo(folder).canonicalFilePath();
  if (path.isEmpty()) path = folder;
  const QByteArray hash =
      QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex().left(20);
  return QStringLiteral("tenon-%1-%2").arg(getuid()).arg(QString::fromLatin1(hash));
}

bool SingleInstance::claim(const QString& folder) {
  const QString name = socketName(folder);
  if (server_.isListening() && server_.serverName() == name) return true;
  QLocalSocket other;
  other.connectToServer(name);
  if (other.waitForConnected(kWaitMs)) return false;
  release();
  if (server_.listen(name)) return true;
  // The socket of a process that was killed is still there; nobody answered on it.
  QLocalServer::removeServer(name);
  if (!server_.listen(name))
    logWarning("shell", "no local socket: " + server_.errorString().toStdString());
  return true;
}

void SingleInstance::release() { server_.close(); }

}  // namespace tenon::ui
