#!/bin/sh
# Installs the release binary of maia for this machine into ~/.local/bin (or $MAIA_INSTALL_DIR), its checksum verified.
# Usage: sh install.sh RELEASE_URL      where RELEASE_URL/maia-linux-x64 and RELEASE_URL/SHA256SUMS are served.
set -eu

base=${1:-${MAIA_RELEASE_URL:-}}
[ -n "$base" ] || { echo "usage: sh install.sh RELEASE_URL" >&2; exit 2; }
base=${base%/}
dir=${MAIA_INSTALL_DIR:-$HOME/.local/bin}

case $(uname -s) in
  Linux) os=linux ;;
  Darwin) os=darwin ;;
  *) echo "maia: no binary for $(uname -s); on Windows download maia-windows-x64.exe" >&2; exit 1 ;;
esac
case $(uname -m) in
  x86_64 | amd64) arch=x64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) echo "maia: no binary for $(uname -m)" >&2; exit 1 ;;
esac
name=maia-$os-$arch
if [ "$os" = linux ] && ldd --version 2>&1 | grep -qi musl; then name=$name-musl; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
fetch() {
  if command -v curl >/dev/null 2>&1; then curl -fsSL "$1" -o "$2"; else wget -q "$1" -O "$2"; fi
}
fetch "$base/$name" "$work/$name"
fetch "$base/SHA256SUMS" "$work/SHA256SUMS"

cd "$work"
grep " [*]\{0,1\}$name\$" SHA256SUMS > expected || { echo "maia: SHA256SUMS does not name $name" >&2; exit 1; }
if command -v sha256sum >/dev/null 2>&1; then sha256sum -c expected >/dev/null; else shasum -a 256 -c expected >/dev/null; fi

mkdir -p "$dir"
chmod 755 "$name"
mv "$name" "$dir/maia"
echo "maia is installed in $dir/maia"
case ":$PATH:" in *":$dir:"*) ;; *) echo "Add $dir to your PATH." ;; esac
