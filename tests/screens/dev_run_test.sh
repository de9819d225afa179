#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# dev_run_test.sh DEV: `./dev run` opens the window where a display answers; elsewhere it trains a copy of the sample on
# the command line and says why. Start it through with_display.sh. Programs and package tools are stand-ins that tell
# how they were called.
set -eu
place=$(mktemp -d "${TMPDIR:-/tmp}/tenon-dev-run.XXXXXX")
trap 'rm -rf "$place"' EXIT
root=$place/clone
sample=$root/projects/fashion-mnist
mkdir -p "$sample" "$root/build/release/bin" "$place/tools" "$place/runtime"
cp "$1" "$root/dev"
printf '{\n  "name": "Fashion-MNIST"\n}\n' >"$sample/project.tenon"
echo "of a run" >"$sample/tenon.sqlite"
touch "$root/CMakePresets.json"
touch "$root/build/release/build.ninja"

standIn() {  # FILE TEXT
  printf '#!/bin/sh\n%s\n' "$2" >"$1"
  chmod +x "$1"
}
# shellcheck disable=SC2016  # the stand-ins' own
{
  standIn "$place/tools/cmake" 'exit 0'
  standIn "$place/tools/dpkg-query" 'shift 2; for package in "$@"; do echo "installed $package"; done'
  standIn "$root/build/release/bin/tenon" 'echo "window $QT_QPA_PLATFORM $*"'
  standIn "$root/build/release/bin/tenon-cli" 'echo "cli $*"'
}
export PATH="$place/tools:$PATH" HOME="$place/home"
unset QT_QPA_PLATFORM WAYLAND_DISPLAY
mkdir "$HOME"

failed=
expect() {  # NAME PATTERN GOT
  # shellcheck disable=SC2254  # a pattern it is
  case $3 in
    $2) ;;
    *)
      printf '%s: wanted\n%s\ngot\n%s\n' "$1" "$2" "$3" >&2
      failed=yes
      ;;
  esac
}
dead=:9871  # no server has such a number
copy=$HOME/Tenon/Fashion-MNIST

expect "a display that answers" "window xcb $sample" "$("$root/dev" run 2>&1)"
expect "no display" "*DISPLAY and WAYLAND_DISPLAY are empty*cli train $copy --epochs 1" \
  "$(DISPLAY='' "$root/dev" run --epochs 1 2>&1)"
[ ! -e "$copy/tenon.sqlite" ] || { echo "the copy has runs of the shipped sample" >&2; failed=yes; }
expect "a display that is gone" "*no server answers at DISPLAY=$dead.*cli train $copy" \
  "$(DISPLAY=$dead "$root/dev" run 2>&1)"
expect "Wayland without a socket" "*no socket $place/runtime/wayland-7*cli train $copy" \
  "$(DISPLAY='' WAYLAND_DISPLAY=wayland-7 XDG_RUNTIME_DIR=$place/runtime "$root/dev" run 2>&1)"
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$place/runtime/wayland-7"
for display in '' $dead; do
  expect "Wayland with '$display'" "window wayland $sample" \
    "$(DISPLAY=$display WAYLAND_DISPLAY=wayland-7 XDG_RUNTIME_DIR=$place/runtime "$root/dev" run 2>&1)"
done
expect "a platform of one's own" "window offscreen $sample" \
  "$(DISPLAY='' QT_QPA_PLATFORM=offscreen "$root/dev" run 2>&1)"

# Another project of that name is left alone; a copy that was edited is used again.
printf '{\n  "name": "mine"\n}\n' >"$copy/project.tenon"
expect "the name is taken" "*cli train $copy 2" "$(DISPLAY='' "$root/dev" run 2>&1)"
printf '{\n  "name": "Fashion-MNIST",\n  "edited": 1\n}\n' >"$copy 2/project.tenon"
expect "an edited copy" "*cli train $copy 2" "$(DISPLAY='' "$root/dev" run 2>&1)"
[ -z "$failed" ]
