#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# with_display.sh WIDTHxHEIGHT PROGRAM [ARGUMENTS]: runs a program on a display of its own with a window manager, in an
# empty home folder, and cleans up. Needs Xvfb, openbox, xdotool and xprop; works as root and without D-Bus.
set -eu
[ $# -ge 2 ] || { echo "Usage: with_display.sh WIDTHxHEIGHT PROGRAM [ARGUMENTS]" >&2; exit 2; }
size=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
for tool in Xvfb openbox xdotool xprop; do
  command -v "$tool" >/dev/null 2>&1 || { echo "with_display: no $tool here (./dev setup)" >&2; exit 1; }
done

place=$(mktemp -d "${TMPDIR:-/tmp}/tenon-screens.XXXXXX")
server=
manager=
program=
# shellcheck disable=SC2317  # the trap below reaches it
cleanUp() {
  for pid in $program $manager $server; do kill "$pid" 2>/dev/null || true; done
  # The program may still be writing its last checkpoint.
  for pid in $program $manager $server; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$place"
}
trap cleanUp EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

mkfifo "$place/display"
Xvfb -displayfd 3 -screen 0 "${size}x24" -nolisten tcp -noreset 3>"$place/display" 2>"$place/xvfb.log" &
server=$!
# Opening a pipe waits for the other end: a server that dies at once must not leave us there.
number=$(timeout 30 head -n 1 "$place/display" || true)
[ -n "$number" ] || { cat "$place/xvfb.log" >&2; exit 1; }

export DISPLAY=":$number"
export HOME="$place/home" XDG_RUNTIME_DIR="$place/runtime" TENON_SCREENS_HOME="$place/home"
export TENON_PROJECTS="${TENON_PROJECTS:-$here/../../projects}"
# libdbus would start a bus of its own otherwise, and a desktop's theme must not reach us.
export DBUS_SESSION_BUS_ADDRESS=disabled: QT_QPA_PLATFORM=xcb LC_ALL=C.UTF-8
unset WAYLAND_DISPLAY XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME QT_STYLE_OVERRIDE QT_QPA_PLATFORMTHEME
mkdir -p "$HOME" "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"

openbox --config-file "$here/openbox.xml" >"$place/openbox.log" 2>&1 &
manager=$!
tries=0
until xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q 'window id'; do
  tries=$((tries + 1))
  [ $tries -lt 150 ] || { echo "with_display: no window manager after 30 s" >&2; cat "$place/openbox.log" >&2; exit 1; }
  sleep 0.2
done

"$@" &
program=$!
code=0
wait "$program" || code=$?
program=
exit $code
