#!/bin/bash
# Reads what "ppl run --format parquet,zarr" writes with other programs: xarray (Debian's
# python3-xarray and python3-zarr) and the reader of Apache Arrow for Go, which go run fetches
# and builds. Usage: check.sh [PPL]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
ppl=${1:-ppl}
python=${PYTHON:-/usr/bin/python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > model.ppl <<'MODEL'
data { int N; array[N] int n; array[N] int y; }
parameters { real mu; vector[N] b; simplex[3] s; matrix[2, 3] m; }
model {
  mu ~ normal(0, 1); b ~ normal(mu, 1); s ~ dirichlet(rep_vector(2, 3)); to_vector(m) ~ std_normal();
  y ~ binomial_logit(n, b);
}
generated quantities {
  vector[N] log_lik;
  array[N] int y_rep = binomial_rng(n, inv_logit(b));
  complex_vector[2] z = [to_complex(mu, 1), to_complex(2, mu)]';
  for (k in 1:N) log_lik[k] = binomial_logit_lpmf(y[k] | n[k], b[k]);
}
MODEL
echo '{"N": 3, "n": [10, 20, 5], "y": [4, 11, 1]}' > model.json
"$ppl" run model.ppl --seed 1 --out fit --draws 200 --warmup 300 --format parquet,zarr --predictive --save-warmup --quiet > run.txt
"$python" "$here/check_zarr.py" fit
go run github.com/apache/arrow-go/v18/parquet/cmd/parquet_reader@v18.8.0 --json fit/draws.parquet > printed.txt
"$python" "$here/check_parquet.py" fit printed.txt
