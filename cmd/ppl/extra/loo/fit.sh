#!/bin/sh
# Fits two regressions and compares every figure that R's posterior, loo and bridgesampling also give (fit.R).
# Usage: fit.sh PPL [FOLDER]; without Rscript the folder is left for "Rscript fit.R FOLDER" elsewhere.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
ppl=$1
dir=${2:-$(mktemp -d)}
mkdir -p "$dir"
cd "$dir"
cat > normal.ppl <<'M'
data { int N; vector[N] x; vector[N] y; }
parameters { real a; real b; real<lower=0> s; }
model { a ~ normal(0, 5); b ~ normal(0, 5); s ~ exponential(1); y ~ normal(a + b * x, s); }
generated quantities { vector[N] log_lik; for (n in 1:N) log_lik[n] = normal_lpdf(y[n] | a + b * x[n], s); }
M
sed 's/y ~ normal(a/y ~ student_t(4, a/; s/normal_lpdf(y\[n\] | a/student_t_lpdf(y[n] | 4, a/' normal.ppl > student.ppl
cat > d.json <<'D'
{"N": 23,
 "x": [-0.941, 0.223, 1.293, 1.535, 1.181, 0.048, 0.33, -0.245, -1.305, -0.463, 0.944, 0.248, -0.316, -1.05, -0.091, -0.578, 0.036, 0.484, -2.268, -0.089, -1.454, -0.928, -1.233],
 "y": [2.497, 0.677, -0.835, -2.011, 0.964, 0.173, 0.213, 0.768, 2.674, 0.854, 0.523, 0.633, 2.298, 2.036, 0.457, 0.661, 1.014, 0.599, 3.556, 0.9, 2.201, 1.415, 1.899]}
D
for m in normal student; do
  "$ppl" run $m.ppl --data d.json --seed 4 --quiet --chains 4 --warmup 500 --draws 1000 --digits 17 --out $m --json > $m.json
done
"$ppl" loo normal student --refit 0 --json > loo.json
"$ppl" compare normal student --json > compare.json
if command -v Rscript > /dev/null; then Rscript "$here/fit.R" .; else echo "$dir"; fi
