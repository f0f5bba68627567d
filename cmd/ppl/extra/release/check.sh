#!/bin/bash
# Makes the files of a release, looks at them, installs each in a folder with nothing else, and fits eight schools by what
# was installed.
#
# Usage: check.sh [quick] [DIST]
#
# DIST is a folder of files that were made before. Without it they are made here: all of them, twice, the second time
# without Go's build cache; with quick those for this machine's processor under Linux, and with the cache. What cannot be looked at on this machine is
# SKIPPED, and said to be: it takes Linux, root, dpkg, rpm, rpm2archive, pip, npm, ruby, qemu-user and Wine 10 to see everything.
# WINE is the program that runs those of Windows; PAGE a file whose table of what was installed is written anew.
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
version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' cmd/ppl/internal/frame/build.go)

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
	"$@" version --licences | tr -d '\r' | grep "^Go's standard library: LICENSE$" >/dev/null
	echo "installed and run: $name"
	printf '| %s | fits; the same draws |\n' "$name" >>"$work/table"
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
rooted "archive, linux-$arch, in a root of its own" "$at" /ppl

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
rooted "image, linux-$arch, its layer as the root" "$at" "${entry#* }"

deb=$dist/ppl-$version-linux-$arch.deb
if [ -e "$deb" ] && command -v dpkg >/dev/null && [ "$(id -u)" -eq 0 ]; then
	at=$(root deb)
	mkdir -p "$at/var/lib/dpkg/info" "$at/var/lib/dpkg/updates"
	touch "$at/var/lib/dpkg/status"
	dpkg --root="$at" --log=/dev/null --install "$deb" >"$work/dpkg.out" 2>&1
	dpkg --root="$at" --verify ppl
	page "$at"
	rooted "deb, linux-$arch, \`dpkg --root\`" "$at" /usr/bin/ppl
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
	rooted "rpm, linux-$arch, \`rpm --root\`" "$at" /usr/bin/ppl
	rpm --root "$at" --erase ppl
	[ ! -e "$at/usr/bin/ppl" ]
else
	skipped "rpm: it takes rpm and root"
fi

if python3 -m venv "$work/venv" >"$work/pip.out" 2>&1; then
	"$work/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$dist"/ppl_lang-"$version"-py3-none-*linux*_"$(uname -m)"*.whl
	fits "wheel, linux-$arch, \`pip install\` without network" "$work/wheel" "$work/wheel" env -i "$work/venv/bin/ppl"
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
	fits "npm, linux-$arch, \`npm install\` without network" "$at/work" "$at/work" env -i PATH="$(dirname "$node")" "$at/node_modules/.bin/ppl"
else
	skipped "npm: it takes node and npm"
fi

# The manifests are read, and install, by a stand-in for what reads them.
if [ -e "$dist/homebrew/ppl.rb" ]; then
	if command -v ruby >/dev/null; then
		manifests=$work/manifests
		ruby cmd/ppl/extra/release/manifests.rb "$dist" "$manifests"
		rooted "formula of Homebrew, linux-$arch, read by \`manifests.rb\`" "$manifests/homebrew" /bin/ppl
	else
		skipped "homebrew, scoop, winget: it takes ruby"
	fi
fi

# under_windows is fits by a program of Windows, under Wine.
wine=${WINE:-$(command -v wine64 || command -v wine || true)}
under_windows() {
	local told
	if told=$([ -n "$wine" ] && "$wine" "$2" version 2>/dev/null); then
		grep -q "windows/amd64" <<<"$told"
		fits "$1" "$work/$3" "$work/$3" "$wine" "$2"
	else
		skipped "$1: it takes Wine 10, which has what Go needs"
	fi
}

archive=$dist/ppl-$version-windows-amd64.zip
if [ -e "$archive" ]; then
	at=$(root windows)
	python3 -m zipfile -e "$archive" "$at"
	under_windows "archive, windows-amd64, under Wine" "$at/ppl-$version-windows-amd64/ppl.exe" run-archive
	for by in scoop/64bit winget/x64; do
		program=${manifests:-}/$by/ppl-$version-windows-amd64/ppl.exe
		[ ! -e "$program" ] || under_windows "manifest of ${by%/*}, windows-amd64, read by \`manifests.rb\`, under Wine" "$program" "run-${by%/*}"
	done
fi

# Other processors' archives run under QEMU's user emulation.
for archive in "$dist"/ppl-"$version"-linux-*.tar.gz; do
	other=$(basename "$archive" .tar.gz)
	other=${other##*-}
	[ "$other" != "$arch" ] || continue
	qemu=$(command -v "qemu-$(sed 's/arm64/aarch64/' <<<"$other")" || true) how="under QEMU"
	if [ "$other-$arch" = 386-amd64 ]; then # runs by itself; QEMU 7.2 fails at programs of Go for it
		qemu=env how="on amd64"
	fi
	if [ -z "$qemu" ]; then
		skipped "linux-$other: it takes qemu-user"
		continue
	fi
	at=$(root "$other")
	tar -xzf "$archive" -C "$at" --strip-components 1
	code=0
	[ "$qemu" != env ] || "$at/ppl" version >/dev/null 2>&1 || code=$?
	if [ "$code" -eq 126 ]; then # a kernel may lack what starts 32-bit programs
		skipped "linux-$other: this machine cannot start its programs"
		continue
	fi
	fits "archive, linux-$other, $how" "$at/work" "$at/work" "$qemu" "$at/ppl"
done
# What the packages of one system hold is one program, so that what was seen of the archive's holds for all.
rpm_content() {
	rpm2archive - <"$1" 2>/dev/null | tar -xzO ./usr/bin/ppl
}

layer() {
	tar -xO -f "$1" "$(tar -xO -f "$1" manifest.json | python3 -c 'import json, sys; print(json.load(sys.stdin)[0]["Layers"][0])')" | tar -xzO ppl
}

zip_content() {
	python3 -c 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); sys.stdout.buffer.write(z.read(next(n for n in z.namelist() if n.endswith(("/ppl", "/ppl.exe")))))' "$1"
}

same() {
	local sum
	sum=$("${@:3}" | sha256sum)
	[ "$sum" = "$1" ] || {
		echo "$2 holds another program than the archive"
		exit 1
	}
	held=$((held + 1))
}

held=0
for archive in "$dist"/ppl-"$version"-*-*.tar.gz "$dist"/ppl-"$version"-windows-*.zip; do
	[ -e "$archive" ] || continue
	system=$(basename "$archive")
	system=${system#"ppl-$version-"}
	system=${system%%.*}
	if [[ $archive == *.zip ]]; then
		zip_content "$archive" >"$work/program"
	else
		tar -xzO -f "$archive" "ppl-$version-$system/ppl" >"$work/program"
	fi
	sum=$(sha256sum <"$work/program")
	go version -m "$work/program" >"$work/stamp"
	for stamp in GOOS="${system%-*}" GOARCH="${system#*-}" CGO_ENABLED=0 vcs.modified=false; do
		grep "build	$stamp\$" "$work/stamp" >/dev/null
	done
	file=$dist/ppl-$version-$system
	[ ! -e "$file.deb" ] || same "$sum" "$file.deb" sh -c 'dpkg-deb --fsys-tarfile "$0" | tar -xO ./usr/bin/ppl' "$file.deb"
	[ ! -e "$file.oci.tar" ] || same "$sum" "$file.oci.tar" layer "$file.oci.tar"
	if [ -e "$file.rpm" ]; then
		if command -v rpm2archive >/dev/null; then
			same "$sum" "$file.rpm" rpm_content "$file.rpm"
		else
			skipped "content of $file.rpm: it takes rpm2archive"
		fi
	fi
	node=$(sed 's/windows/win32/; s/amd64/x64/' <<<"$system")
	file=$dist/ppl-lang-$node-$version.tgz
	[ ! -e "$file" ] || same "$sum" "$file" sh -c 'tar -xzO -f "$0" --wildcards "package/bin/ppl*"' "$file"
	tag=$(sed 's/linux-\(.*\)/manylinux*_\1/; s/darwin-/macosx*_/; s/windows-/win_/; s/386/i686/; s/freebsd.*/none/' <<<"$system")
	case $system in
	windows-*) ;;
	darwin-amd64 | linux-amd64) tag=${tag/amd64/x86_64} ;;
	linux-arm64) tag=${tag/arm64/aarch64} ;;
	esac
	for file in "$dist"/ppl_lang-"$version"-py3-none-$tag*.whl; do
		[ ! -e "$file" ] || same "$sum" "$file" zip_content "$file"
	done
done
echo "packages that hold the archive's program: $held"

cat "$work/table"
if [ -n "${PAGE:-}" ]; then
	{
		sed '/^<!-- installed -->$/q' "$PAGE"
		printf '\n| what | eight schools |\n| --- | --- |\n'
		cat "$work/table"
		printf '\n%s further packages for the ten systems hold the program of their archive, byte for byte.\n' "$held"
		sed -n '/^<!-- end of installed -->$/,$p' "$PAGE"
	} >"$work/page"
	cp "$work/page" "$PAGE"
fi
echo "release: checked"
