#!/bin/sh
# Fits a regression with outliers and compares moment matching, LOO-PIT, summaries and intervals with R's loo, bayesplot and rstan (mend.R).
# Usage: mend.sh PPL [FOLDER]; without Rscript the folder is left for "Rscript mend.R FOLDER" elsewhere.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
ppl=$1
dir=${2:-$(mktemp -d)}
mkdir -p "$dir"
cd "$dir"
cat > m.ppl <<'M'
data { int N; vector[N] x; vector[N] y; }
parameters { real a; real b; real<lower=0> s; }
model { a ~ normal(0, 5); b ~ normal(0, 5); s ~ exponential(1); y ~ normal(a + b * x, s); }
M
cat > d.json <<'D'
{"N": 20,
 "x": [-1.9, -1.7, -1.4, -1.2, -1.0, -0.8, -0.6, -0.3, -0.1, 0.1, 0.2, 0.5, 0.6, 0.9, 1.0, 1.2, 1.5, 1.6, 1.8, 2.9],
 "y": [-0.7, 0.1, -0.2, 0.4, 0.1, 0.9, 0.3, 1.2, 0.6, 1.4, 0.8, 1.1, 7.9, 1.5, 2.2, 1.7, 2.4, 2.0, 2.9, -1.5]}
D
now() { date +%s%N; }
"$ppl" run m.ppl --data d.json --seed 4 --quiet --chains 4 --warmup 500 --draws 1000 --digits 17 --out m --json > m.json
t0=$(now)
"$ppl" loo m --json > loo.json
t1=$(now)
"$ppl" loo m --pit --refit 0 --json > pit.json
t2=$(now)
"$ppl" summary m > summary.txt
t3=$(now)
echo "{\"loo\": $((t1 - t0)), \"pit\": $((t2 - t1)), \"summary\": $((t3 - t2))}" > times.json
if command -v Rscript > /dev/null; then Rscript "$here/mend.R" .; else echo "$dir"; fi
