#!/bin/bash
# Runs two models with log_lik and compares ppl loo with R's loo. Usage: compare.sh [PPL]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
ppl=${1:-ppl}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > model.ppl <<'MODEL'
data { int N; vector[N] x; vector[N] y; }
parameters { real a; real b; real<lower=0> s; }
model { a ~ normal(0, 5); b ~ normal(0, 5); s ~ exponential(1); y ~ normal(a + b * x, s); }
generated quantities {
  vector[N] log_lik;
  for (n in 1:N) log_lik[n] = normal_lpdf(y[n] | a + b * x[n], s);
}
MODEL
sed 's/a + b \* x\[n\]/a/; s/a + b \* x/a/' model.ppl > flat.ppl
cat > model.json <<'DATA'
{"N": 12, "x": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
 "y": [1.2, 1.9, 3.4, 3.6, 5.3, 6.1, 6.8, 8.4, 8.9, 15, 10.8, 12.3]}
DATA
"$ppl" run model.ppl --seed 1 --out fit --digits 17 --quiet > run.txt
"$ppl" run flat.ppl --data model.json --seed 1 --out flat --digits 17 --quiet > run.txt
"$ppl" loo fit flat --refit 0 --json > loo.json
Rscript "$here/compare.R" loo.json fit flat
