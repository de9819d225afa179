#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install_test.sh CMAKE BUILD [window]: installs a build into a folder of its own and starts the programs there, with
# the library that was installed beside them and not the one of the build.
set -eu
cmake=$1
build=$2
place=$(mktemp -d "${TMPDIR:-/tmp}/tenon-install.XXXXXX")
trap 'rm -rf "$place"' EXIT
unset LD_LIBRARY_PATH LD_PRELOAD
"$cmake" --install "$build" --prefix "$place/usr" >"$place/log" || { cat "$place/log" >&2; exit 1; }
# Moved: nothing may know where it was put first.
mv "$place/usr" "$place/elsewhere"
prefix=$place/elsewhere

die() { echo "install_test: $*" >&2; exit 1; }
starts() {  # PROGRAM
  said=$("$prefix/bin/$1" --version) || die "an installed $1 does not start"
  case $said in
    *[0-9].[0-9]*) ;;
    *) die "$1 --version says '$said'" ;;
  esac
  library=$(ldd "$prefix/bin/$1" | sed -n 's/.*libtenon_engine.* => \(.*\) (.*/\1/p')
  case $(readlink -f "${library:-none}") in
    "$(readlink -f "$prefix")"/*) ;;
    *) die "$1 takes its engine from '$library'" ;;
  esac
}

starts tenon-cli
sample=$prefix/share/tenon/projects/fashion-mnist
[ -f "$sample/project.tenon" ] || die "no sample"
[ "$(ls -A "$sample")" = project.tenon ] || die "more than the sample: $(ls -A "$sample")"
[ -f "$prefix/share/tenon/schemas/project.schema.json" ] || die "no schema"
[ "${3:-}" = window ] || exit 0
export QT_QPA_PLATFORM=offscreen HOME="$place"
starts tenon
for file in applications/tenon.desktop mime/packages/tenon-mime.xml icons/hicolor/scalable/apps/tenon.svg; do
  [ -f "$prefix/share/$file" ] || die "no $file"
done
