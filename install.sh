#!/usr/bin/env bash
# Installs the newest release of tracectl for this system, without root and without Swift:
#
#   install.sh [PREFIX]    ~/.local unless named
#
# TRACECTL_FROM names another source of the files: an address, or a folder.
set -euo pipefail

# The address of the project. All scripts read it here; tools/regenerate writes it into the documents.
repository=OWNER/tracectl

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

# Brings a file of the release into this folder.
get() {
  case $from in
    *://*)
      if command -v curl > /dev/null; then
        curl -fsSL --retry 3 -o "$1" "$from/$1"
      elif command -v wget > /dev/null; then
        wget -q -O "$1" "$from/$1"
      else
        fail "there is neither curl nor wget; install one of them"
      fi
      ;;
    *) cp "$from/$1" . ;;
  esac || fail "$from/$1 cannot be read; check the address and the network"
}

# A function, so that nothing runs of a script whose download broke off.
main() {
  local prefix=${1:-$HOME/.local} system sum file files
  from=${TRACECTL_FROM:-https://github.com/$repository/releases/latest/download}
  from=${from#file://}
  mkdir -p "$prefix" 2> /dev/null && [ -w "$prefix" ] \
    || fail "$prefix cannot be written; name a folder of yours: install.sh ~/.local"
  prefix=$(cd "$prefix" && pwd)
  [ ! -d "$from" ] || from=$(cd "$from" && pwd)
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work"

  system=$(uname -sm | sed 's/Linux /linux-/; s/Darwin /macos-/')
  get SHA256SUMS
  read -r sum file < <(grep -E "^[0-9a-f]{64}  tracectl-[0-9.]+-$system\.tar\.gz$" SHA256SUMS) \
    || fail "$from has no tracectl for $system; tools/install builds it from the sources"
  get "$file"
  if [ "$({ sha256sum "$file" 2> /dev/null || shasum -a 256 "$file"; } | cut -d ' ' -f 1)" != "$sum" ]; then
    fail "$from/$file is not the file that SHA256SUMS names; nothing was installed"
  fi
  tar xzf "$file"
  cd "${file%.tar.gz}"
  ./bin/tracectl --version > /dev/null \
    || fail "the tracectl of $file does not run here; tools/install builds it from the sources"

  cp -Rf . "$prefix"
  files=$(find * -type f | tr '\n' ' ')
  echo "installed tracectl $(./bin/tracectl --version) in $prefix/bin, checked against $from/SHA256SUMS"
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "add it to the PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
  echo "to remove it: cd \"$prefix\" && rm ${files% }"
}

main "$@"
