#!/bin/sh
# Compares gradients with real Stan on the models of models/.
# usage: classes.sh PEER ROOT BENCH
# PEER: the folder of shared material with the peer's own run.sh; ROOT: where it builds its
# Debian root (6 GB, needs root rights); BENCH: a folder for models and data.
set -e
peer=${1:?usage: classes.sh PEER ROOT BENCH}
root=${2:?usage: classes.sh PEER ROOT BENCH}
bench=${3:?usage: classes.sh PEER ROOT BENCH}
cd "$(dirname "$0")/../../../../.."
tools=$(mktemp -d)
go build -o "$tools/stan" ./cmd/ppl/extra/peers/stan
go build -o "$tools/ppl" ./cmd/ppl
"$tools/stan" classes "$bench"
sh "$peer/run.sh" "$root" "$bench" native=0 jobs=1 reuse=1 chains=1 warmup=100 samples=40
"$tools/stan" gradients "$root" "$bench" "$tools/ppl"
rm -r "$tools"
