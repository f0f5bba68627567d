#!/bin/bash
# Runs every method and wrapper with fixed seeds on several kinds of processor and compares the bytes of
# what they write: the README promises that one seed is one answer on all of them.
#
# Usage: check.sh [quick] [platform ...]
#
# Platforms are: nojit (this machine's ppl without machine code), nofma (without FMA), 386, arm64, riscv64, s390x, loong64, ppc64le (under QEMU's
# user emulation, Debian's qemu-user; 386 runs on amd64 by itself), js and wasip1 (with node). Without any all of them are
# taken. quick takes a few cases on nofma and 386, with QEMU=1 also on riscv64, arm64 and s390x. A platform that cannot be run here is SKIPPED, and said to be.
#
# CASES is a regular expression of the cases to take; PAGE a file for the table as a page of Markdown.
#
# Printed is a table: cases by platforms, how many files differ of how many. Compared are draws, adaptation,
# and diagnoses, without what is of the machine: dates, seconds, paths. The exit code is 1 if a file differs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CGO_ENABLED=0

only=${CASES:-}
if [ "${1:-}" = quick ]; then
	shift
	set -- nofma 386 ${QEMU:+riscv64 arm64 s390x} "$@"
	only=${only:-nuts|gibbs|laplace}
fi
[ $# -gt 0 ] || set -- nojit nofma 386 arm64 riscv64 s390x loong64 ppc64le js wasip1

# plain writes a file without what differs from run to run.
plain() {
	sed -E -e '/^#/d' -e '/"(seconds|warmup_seconds|sampling_seconds|started|file|machine|kernels|system|processor|machine_code|go_version)"/d' \
		-e 's/[0-9.e+-]+ *s(econds)?$//' "$1"
}

# fit runs a case and leaves the files to be compared in a folder.
fit() {
	local out=$1 command=$2 model=$3 program=$4
	shift 4
	mkdir -p "$out/raw" "$out/plain"
	(cd examples && $program "$command" "$model.ppl" --seed 11 --quiet --out "$out/raw/fit" "$@") >"$out/raw/printed" 2>&1 || echo "exit code $?" >>"$out/raw/printed"
	find "$out/raw" -type f ! -path '*/checkpoint/*' ! -name '*config.json' ! -name ppl-manifest.json ! -name printed | while read -r file; do
		plain "$file" >"$out/plain/$(basename "$file")"
	done
}

program() {
	case $1 in
	native | nojit | nofma) echo "$work/ppl-native" ;;
	386) echo "$work/ppl-386" ;;
	js) echo "node --stack-size=8192 $(go env GOROOT)/lib/wasm/wasm_exec_node.js $work/ppl-js" ;;
	# Node 20 ends with a segmentation fault where V8 calls its WASI functions directly.
	wasip1) echo "node --no-turbo-fast-api-calls --experimental-wasi-unstable-preview1 --no-warnings $here/wasi.mjs $work/ppl-wasip1" ;;
	arm64) echo "qemu-aarch64 $work/ppl-arm64" ;;
	*) echo "qemu-$1 $work/ppl-$1" ;;
	esac
}

# tools reports whether this machine has what runs a platform's ppl.
tools() {
	case $1 in
	native | nojit) ;;
	nofma | 386) [ "$(go env GOARCH)" = amd64 ] ;;
	*) command -v "$(program "$1" | cut -d' ' -f1)" >/dev/null ;;
	esac
}

# build makes ppl for a platform.
build() {
	case $1 in
	nojit | nofma) ;;
	native) go build -o "$work/ppl-native" ./cmd/ppl ;;
	js) GOOS=js GOARCH=wasm go build -o "$work/ppl-js" ./cmd/ppl ;;
	wasip1) GOOS=wasip1 GOARCH=wasm go build -o "$work/ppl-wasip1" ./cmd/ppl ;;
	*) GOOS=linux GOARCH=$1 go build -o "$work/ppl-$1" ./cmd/ppl ;;
	esac
}

# starts reports whether this machine starts a platform's ppl. A kernel may lack what starts 32-bit programs, which
# only a trial shows: the shell's code is 126 then, and no other failure is excused.
starts() {
	local code=0
	"$1" version >/dev/null 2>&1 || code=$?
	[ "$code" -ne 126 ]
}

build native
platforms=()
for platform; do
	if tools "$platform"; then
		build "$platform" # what does not build is no reason to skip it
		if [ "$platform" != 386 ] || starts "$work/ppl-386"; then
			platforms+=("$platform")
			continue
		fi
	fi
	echo "SKIPPED, NOT COMPARED: $platform cannot be run on this machine" >&2
done

# tell prints what is also a row of the page.
page=${PAGE:-/dev/null}
cat >"$page" <<END
# One seed, the same bytes

Written by \`cmd/ppl/extra/platforms/check.sh\`, which runs each method and wrapper with a fixed seed here
($(go env GOHOSTOS)/$(go env GOHOSTARCH)) and on other platforms, and compares the files: draws, adaptation and diagnoses, without what is of the
machine (dates, seconds, paths). *nojit* is this machine without machine code, *nofma* without the FMA instruction,
386 is 32-bit code; arm64, riscv64 and s390x (big-endian) run under QEMU, js and wasip1 are WebAssembly under Node. An
entry is the number of files that differ, of how many.

| case | $(printf '%s | ' "${platforms[@]}")
| --- | $(printf -- '--: | %.0s' "${platforms[@]}")
END
tell() {
	printf "$1" "$2"
	printf '%s | ' "$2" >>"$page"
}

printf '%-12s' case
printf '%10s' "${platforms[@]}"
echo
differing=0
while read -r name command model arguments; do
	case $name in '' | '#'*) continue ;; esac
	[ -z "$only" ] || [[ $name =~ ^($only)$ ]] || continue
	eval "set -- $arguments"
	fit "$work/native/$name" "$command" "$model" "$(program native)" "$@"
	printf '| ' >>"$page"
	tell '%-12s' "$name"
	if ! ls "$work/native/$name/plain/"* >/dev/null 2>&1; then
		echo "  failed here: $(tail -1 "$work/native/$name/raw/printed")"
		differing=$((differing + 1))
		echo "failed" >>"$page"
		continue
	fi
	for platform in "${platforms[@]}"; do
		option= without=()
		[ "$platform" != nofma ] || option=cpu.fma=off
		[ "$platform" != nojit ] || without=(--no-jit)
		GODEBUG=$option fit "$work/$platform/$name" "$command" "$model" "$(program "$platform")" "$@" "${without[@]}"
		files=0 bad=0
		for file in "$work/native/$name/plain/"*; do
			files=$((files + 1))
			if ! cmp -s "$file" "$work/$platform/$name/plain/$(basename "$file")"; then
				bad=$((bad + 1))
				[ -z "${VERBOSE:-}" ] || diff "$file" "$work/$platform/$name/plain/$(basename "$file")" 2>&1 | head -6 >&2 || true
			fi
		done
		differing=$((differing + bad))
		tell '%10s' "$bad of $files"
	done
	echo
	echo >>"$page"
done <"$here/cases.txt"
[ "$page" = /dev/null ] || sed -i 's/ *$//' "$page"
echo "files that differ: $differing"
echo "
Files that differ: $differing." >>"$page"
[ "$differing" -eq 0 ]
