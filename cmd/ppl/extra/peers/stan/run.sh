#!/bin/sh
# Compares gradients and sampling with real Stan.
# usage: run.sh PEER ROOT BENCH
# PEER: the folder of shared material with the peer's own run.sh; ROOT: where it builds its
# Debian root (6 GB, needs root rights); BENCH: a folder for models and data.
set -e
peer=${1:?usage: run.sh PEER ROOT BENCH}
root=${2:?usage: run.sh PEER ROOT BENCH}
bench=${3:?usage: run.sh PEER ROOT BENCH}
cd "$(dirname "$0")/../../../../.."
tools=$(mktemp -d)
go build -o "$tools/stan" ./cmd/ppl/extra/peers/stan
go build -o "$tools/ppl" ./cmd/ppl
"$tools/stan" prepare "$bench"
sh "$peer/run.sh" "$root" "$bench" native=0 jobs=1 reuse=1
"$tools/stan" compare "$root" "$bench" "$tools/ppl"
rm -r "$tools"
