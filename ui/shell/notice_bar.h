// SPDX-License-Identifier: GPL-3.0-or-later
// Notices below the top bar: what happened, why, and what can be done about it, without a dialog.
#pragma once

#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <functional>

class QVBoxLayout;

namespace tenon::ui {

/// A button or a link of a notice.
struct NoticeAction {
  QString text;
  std::function<void()> run;
  bool primary = false;
  bool keeps = false;  ///< the notice stays after it
};

struct Notice {
  enum class Kind { Info, Warning, Error };
  QString key;  ///< a newer notice of the same key replaces it
  Kind kind = Kind::Info;
  QString text;
  QList<NoticeAction>
      lines;  ///< reasons, one below the other; each a link if it has something to run
  QList<NoticeAction> actions;
  bool stays = false;  ///< as long as what it says is so: it cannot be closed
};

/// Newest at the top; each can be closed, unless it says how things stand.
class NoticeBar final : public QWidget {
  Q_OBJECT
 public:
  explicit NoticeBar(QWidget* parent = nullptr);

  void show(const Notice& notice);
  void dismiss(const QString& key);
  /// Closes the newest notice that can be closed; false if there is none.
  bool dismissNewest();
  [[nodiscard]] bool isShowing(const QString& key) const { return shown_.contains(key); }

 private:
  QWidget* build(const Notice& notice);
  QWidget* buildLines(const Notice& notice, QWidget* parent);
  void addActions(const Notice& notice, class QHBoxLayout* row, QWidget* parent);

  QVBoxLayout* column_;
  QHash<QString, QWidget*> shown_;
  QStringList closable_;  ///< keys, the newest last
};

}  // namespace tenon::ui
