#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh [--out DIR]: pictures of every mode at all sizes and scales, in both themes and all states, and once in the
# pseudo-locale; then the walk, which fails if it finds a fault. `./dev screens` builds first. Look at the pictures:
# docs/screens.md says what for.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$root/build/screens
while [ $# -gt 0 ]; do
  case $1 in
    --out)
      [ $# -ge 2 ] || { echo "run.sh: --out wants a folder" >&2; exit 2; }
      out=$2
      shift 2
      ;;
    *) echo "Usage: run.sh [--out DIR]" >&2; exit 2 ;;
  esac
done
program=$root/build/release/bin/tenon_screens
[ -x "$program" ] || { echo "run.sh: the build made no tenon_screens" >&2; exit 1; }

failed=

# pictures NAME SIZE SCALE ARGUMENTS...
pictures() {
  name=$1
  size=$2
  scale=$3
  shift 3
  echo "== $name"
  rm -rf "${out:?}/$name"
  QT_SCALE_FACTOR=$scale sh "$root/tests/screens/with_display.sh" "$size" "$program" pictures --out "$out/$name" "$@" ||
    failed="$failed $name"
}

# walk NAME ARGUMENTS...: what is wrong goes to standard output and into NAME.txt.
walk() {
  name=$1
  shift
  echo "== $name"
  sh "$root/tests/screens/with_display.sh" 1280x800 "$program" walk --out "$out" "$@" >"$out/$name.txt" 2>&1 ||
    failed="$failed $name"
  cat "$out/$name.txt"
}

pictures 1280x800-100 1280x800 1
pictures 1920x1080-100 1920x1080 1
pictures 1920x1200-150 1920x1200 1.5
pictures 2560x1600-200 2560x1600 2
pictures 1280x800-pseudo 1280x800 1 --lang pseudo
walk walk
walk walk-pseudo --lang pseudo
echo "$(find "$out" -name '*.png' | wc -l) pictures in $out"
[ -z "$failed" ] || { echo "run.sh: not as it should be:$failed" >&2; exit 1; }
