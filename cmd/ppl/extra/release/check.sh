#!/bin/bash
# Makes the files of a release, looks at them, installs each in a folder with nothing else, and fits eight schools by what
# was installed.
#
# Usage: check.sh [quick] [DIST]
#
# DIST is a folder of files that were made before. Without it they are made here: all of them, twice, the second time
# without Go's build cache; with quick those for this machine's processor under Linux, and with the cache. What cannot be looked at on this machine is
# SKIPPED, and said to be: it takes Linux, root, dpkg, rpm, pip, npm and ruby to see everything.
set -euo pipefail
cd "$(dirname "$0")/../../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
arch=$(go env GOARCH)

quick=
if [ "${1:-}" = quick ]; then
	quick=1
	shift
fi

skipped() { echo "SKIPPED, NOT CHECKED: $1" >&2; }

make_files() {
	local options=(-twice -cold) nfpm
	[ -z "$quick" ] || options=(-twice -only "linux-$arch")
	GOPROXY="file://$(go env GOMODCACHE)/cache/download,$(go env GOPROXY)"
	export GOPROXY
	nfpm=$(sed -n 's/^const nfpmModule = "\(.*\)"$/\1/p' cmd/ppl/extra/release/linux.go)
	if ! GOBIN=$work/bin GOFLAGS='' CGO_ENABLED=0 go install "$nfpm"; then
		skipped "$nfpm cannot be had on this machine: packages of Debian and Red Hat"
		options+=(-packages=false)
	fi
	go run ./cmd/ppl/extra/release -out "$dist" "${options[@]}"
}

dist=$work/dist
if [ $# -gt 0 ]; then
	dist=$(cd "$1" && pwd)
else
	make_files
fi
version=$(sed -n 's/^const version = "\(.*\)"$/\1/p' cmd/ppl/version.go)

# The list has every file, and manifests have the sums of what they load.
(
	cd "$dist"
	sha256sum --quiet --check SHA256SUMS
	[ "$(find . -type f ! -name SHA256SUMS | wc -l)" -eq "$(wc -l <SHA256SUMS)" ]
	for manifest in homebrew/ppl.rb scoop/ppl.json winget/*.installer.yaml; do
		[ -e "$manifest" ] || continue
		sums=$(grep -oiE '\b[0-9a-f]{64}\b' "$manifest" | tr A-F a-f | sort -u)
		[ -n "$sums" ]
		for sum in $sums; do
			grep -q "^$sum  ppl-" SHA256SUMS
		done
		echo "sums agree: $manifest"
	done
)

# fits runs eight schools by a command, in a folder that has another name for the command, and looks at what it wrote.
fits() {
	local name=$1 dir=$2 inside=$3
	shift 3
	mkdir -p "$dir"
	cp examples/eight_schools/eight_schools.ppl examples/eight_schools/eight_schools.json "$dir"
	"$@" run "$inside/eight_schools.ppl" --seed 1 --quiet --method 'nuts(chains = 1, warmup = 200, draws = 100)' --out "$inside/fit" >"$work/printed"
	grep -qE '^mu +[0-9.-]+ ' "$work/printed"
	[ "$(grep -vc '^#' "$dir/fit/chain-1.csv")" -eq 101 ]
	[ -z "${first:-}" ] || cmp <(grep -v '^#' "$dir/fit/chain-1.csv") "$first"
	if [ -z "${first:-}" ]; then
		first=$work/first
		grep -v '^#' "$dir/fit/chain-1.csv" >"$first"
	fi
	"$@" version --licences | grep "^Go's standard library: LICENSE$" >/dev/null
	echo "installed and run: $name"
}

chroot=$(command -v chroot || true)

# rooted is fits in a folder that is all that the process sees.
rooted() {
	if [ "$(id -u)" -eq 0 ]; then
		fits "$1" "$2/work" /work env -i "$chroot" "$2" "$3"
	else
		skipped "$1: only root may change the root of a process"
	fi
}

# page looks at a manual page in an installed tree.
page() {
	gzip -dc "$1/usr/share/man/man1/ppl-run.1.gz" | grep '^\.TH PPL' >/dev/null
	[ -s "$1/usr/share/bash-completion/completions/ppl" ]
	[ -s "$1/usr/share/fish/vendor_completions.d/ppl.fish" ]
}

root() { mkdir -p "$work/$1" && echo "$work/$1"; }

archive=$dist/ppl-$version-linux-$arch.tar.gz
at=$(root archive)
tar -xzf "$archive" -C "$at" --strip-components 1
rooted "archive" "$at" /ppl

image=$dist/ppl-$version-linux-$arch.oci.tar
layout=$(root layout) at=$(root image)
tar -xf "$image" -C "$layout"
while read -r sum file; do # blobs are named by what they hold
	[ "blobs/sha256/$sum" = "$file" ]
done < <(cd "$layout" && sha256sum blobs/sha256/* | sed 's/  / /')
entry=$(python3 - "$layout" <<'END'
import json, sys
blob = lambda d: f"{sys.argv[1]}/blobs/{d['digest'].replace(':', '/')}"
manifest = json.load(open(blob(json.load(open(sys.argv[1] + "/index.json"))["manifests"][0])))
print(blob(manifest["layers"][0]), json.load(open(blob(manifest["config"])))["config"]["Entrypoint"][0])
END
)
tar -xzf "${entry% *}" -C "$at"
rooted "image" "$at" "${entry#* }"

deb=$dist/ppl-$version-linux-$arch.deb
if [ -e "$deb" ] && command -v dpkg >/dev/null && [ "$(id -u)" -eq 0 ]; then
	at=$(root deb)
	mkdir -p "$at/var/lib/dpkg/info" "$at/var/lib/dpkg/updates"
	touch "$at/var/lib/dpkg/status"
	dpkg --root="$at" --log=/dev/null --install "$deb" >"$work/dpkg.out" 2>&1
	dpkg --root="$at" --verify ppl
	page "$at"
	rooted "deb" "$at" /usr/bin/ppl
	dpkg --root="$at" --log=/dev/null --purge ppl >"$work/dpkg.out" 2>&1
	[ ! -e "$at/usr/bin/ppl" ]
else
	skipped "deb: it takes dpkg and root"
fi

rpm=$dist/ppl-$version-linux-$arch.rpm
if [ -e "$rpm" ] && command -v rpm >/dev/null && [ "$(id -u)" -eq 0 ]; then
	at=$(root rpm)
	rpm --root "$at" --initdb
	rpm --root "$at" --nosignature --install "$rpm" >"$work/rpm.out" 2>&1
	rpm --root "$at" --verify ppl
	page "$at"
	rooted "rpm" "$at" /usr/bin/ppl
	rpm --root "$at" --erase ppl
	[ ! -e "$at/usr/bin/ppl" ]
else
	skipped "rpm: it takes rpm and root"
fi

if python3 -m venv "$work/venv" >"$work/pip.out" 2>&1; then
	"$work/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$dist"/ppl_lang-"$version"-py3-none-*linux*_"$(uname -m)"*.whl
	fits "wheel" "$work/wheel" "$work/wheel" env -i "$work/venv/bin/ppl"
	"$work/venv/bin/pip" uninstall --quiet --yes ppl-lang
	[ ! -e "$work/venv/bin/ppl" ]
else
	skipped "wheel: it takes python3 with venv and pip"
fi

node=$(command -v node || true)
if [ -n "$node" ] && command -v npm >/dev/null; then
	at=$(root npm)
	cpu=$("$node" -p process.arch)
	(cd "$at" && npm install --offline --no-audit --no-fund --loglevel=error "$dist/ppl-lang-linux-$cpu-$version.tgz" "$dist/ppl-lang-$version.tgz" >"$work/npm-install")
	fits "npm" "$at/work" "$at/work" env -i PATH="$(dirname "$node")" "$at/node_modules/.bin/ppl"
else
	skipped "npm: it takes node and npm"
fi

if [ -e "$dist/homebrew/ppl.rb" ]; then
	if command -v ruby >/dev/null; then
		ruby -c "$dist/homebrew/ppl.rb"
	else
		skipped "homebrew/ppl.rb: it takes ruby"
	fi
fi

# Other processors' archives run under QEMU's user emulation.
for archive in "$dist"/ppl-"$version"-linux-*.tar.gz; do
	other=$(basename "$archive" .tar.gz)
	other=${other##*-}
	[ "$other" != "$arch" ] || continue
	qemu=$(command -v "qemu-$(sed 's/arm64/aarch64/; s/386/i386/' <<<"$other")" || true)
	if [ -z "$qemu" ]; then
		skipped "linux-$other: it takes qemu-user"
		continue
	fi
	at=$(root "$other")
	tar -xzf "$archive" -C "$at" --strip-components 1
	fits "archive for $other" "$at/work" "$at/work" "$qemu" "$at/ppl"
done
echo "release: checked"
