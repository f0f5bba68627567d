#!/bin/bash
# Runs the tests of machine code on arm64, on such a machine or under QEMU's user emulation
# (Debian's qemu-user-static). Usage: check.sh [quick]
#
# quick runs the tests of the package that makes the code. Without it, those of all packages
# that use it follow, and then ppl itself: examples must give the same bytes with machine code
# and without it, and, where this machine is another one, the same as here.
set -euo pipefail
cd "$(dirname "$0")/../../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

emulator=
if [ "$(go env GOHOSTARCH)" != arm64 ]; then
	emulator=${QEMU:-$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)}
	if [ -z "$emulator" ]; then
		echo "SKIPPED: machine code on arm64 is not tested: there is no qemu-aarch64-static (set QEMU, or install qemu-user-static)" >&2
		exit 0
	fi
fi
export PPL_SHARED=${PPL_SHARED:-$(dirname "$PWD")/shared}

# test_package runs a package's tests in its folder. The emulator cannot start a program by
# itself, which one test wants; and now and then it loses a signal or a thread of a program
# with many, so that what fails under it is run again: an error of ours fails each time.
test_package() {
	local tries=3
	[ -n "$emulator" ] || tries=1
	GOOS=linux GOARCH=arm64 go test -c -o "$work/test" "./$1"
	echo "$1"
	while [ "$tries" -gt 0 ]; do
		(cd "$1" && $emulator "$work/test" -test.short -test.timeout 30m -test.skip '^TestExecutableMemoryRefused$') && return
		tries=$((tries - 1))
	done
	return 1
}

test_package autodiff/native
if [ "${1:-}" = quick ]; then
	exit 0
fi
for package in autodiff autodiff/vec autodiff/vec/dense ir/bind ir/eval; do
	test_package "$package"
done

# Whole fits.
GOOS=linux GOARCH=arm64 go build -o "$work/arm64" ./cmd/ppl
go build -o "$work/here" ./cmd/ppl
$emulator "$work/arm64" version | grep 'native code: yes'

fit() {
	local out=$1
	shift
	"$@" --quiet --seed 3 --method 'nuts(chains = 1, warmup = 100, draws = 50)' --out "$work/$out" >/dev/null
	grep -v '^#' "$work/$out/chain-1.csv" >"$work/$out.csv"
}
for model in eight_schools nile rats pumps dugongs; do
	path=examples/$model/$model.ppl
	rm -rf "$work"/{native,plain,other}
	fit native $emulator "$work/arm64" run "$path"
	fit plain $emulator "$work/arm64" run "$path" --no-jit
	fit other "$work/here" run "$path"
	cmp "$work/native.csv" "$work/plain.csv"
	cmp "$work/native.csv" "$work/other.csv"
	echo "$model: the same bytes with machine code, without it, and on $(go env GOHOSTARCH)"
done
echo "all good"
