#!/bin/bash
# Puts the playground into a folder, which any server of files can serve: ppl play DIR is one.
#
# Usage: build.sh DIR
#
# The folder is as large as the program, compressed by gzip: the worker unpacks it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 1 ] || { echo "usage: build.sh DIR" >&2; exit 2; }
mkdir -p "$1/examples"
out=$(cd "$1" && pwd)
cd "$here"
# The library's FMA gets the name that the faster one calls it by (cmd/ppl/internal/play/exactfma).
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
library=$(go env GOROOT)/src/math
sed 's/^func FMA(/func fmaByIntegers(/' "$library/fma.go" >"$work/fma.go"
printf '{"Replace": {"%s": "%s", "%s": "%s"}}' "$library/fma.go" "$work/fma.go" "$library/fma_exact.go" "$here/../../internal/play/exactfma/exact.go" >"$work/overlay"
GOOS=js GOARCH=wasm go build -trimpath -overlay "$work/overlay" -ldflags='-s -w' -o "$out/play.wasm" .
gzip -9 -n <"$out/play.wasm" >"$out/play.wasm.packed"
rm "$out/play.wasm"
cp index.html style.css page.js worker.js "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$out"
examples="eight_schools dugongs pumps challenger seeds coal_mining old_faithful nile"
printf '%s\n' $examples >"$out/examples/list.txt"
for name in $examples; do
	cp "$here/../../../../examples/$name/$name.ppl" "$here/../../../../examples/$name/$name.json" "$out/examples"
done
du -sb "$out" | cut -f1
