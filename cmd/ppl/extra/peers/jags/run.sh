#!/bin/sh
# Compares Gibbs sampling with JAGS. Needs Rscript with the packages rjags and coda.
# usage: run.sh [DIR for data and draws]
set -e
cd "$(dirname "$0")"
dir=${1:-$(mktemp -d)}
Rscript jags.R "$dir"
go run . "$dir"
