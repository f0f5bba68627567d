#!/bin/bash
# Makes the library that ppl bridgestan puts programs into. It needs Go and a C compiler.
#
# Usage: build.sh [FILE]    (libppl_bridgestan.so without it)
set -euo pipefail
out=$(realpath -m "${1:-libppl_bridgestan.so}")
cd "$(dirname "$0")"
CGO_ENABLED=1 go build -trimpath -tags bridgestan -buildmode=c-shared -ldflags='-s -w' -o "$out" .
rm -f "${out%.*}.h"
