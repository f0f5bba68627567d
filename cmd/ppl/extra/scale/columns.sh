#!/usr/bin/env bash
# A regression on a table that is larger than the memory that the program may have: a file of columns, mapped into memory. The same table
# as from CSV without a limit, and the time of a gradient against that of reading the file once.
#
#   cmd/ppl/extra/scale/columns.sh [ROWS [LIMIT IN MB]]
set -euo pipefail
cd "$(dirname "$0")/../../../.."
rows=${1:-4000000}
limit=${2:-500}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CGO_ENABLED=0 go build -o "$work/ppl" ./cmd/ppl
cd "$work"
cat >model.ppl <<'MODEL'
data { int N; int K; array[N] int<lower=0, upper=1> y; matrix[N, K] x; }
parameters { real a; vector[K] b; }
model { a ~ normal(0, 5); b ~ normal(0, 1); y ~ bernoulli_logit_glm(x, a, b); }
MODEL
awk -v n="$rows" -v k=20 'BEGIN {
	srand(1)
	printf "y"; for (j = 1; j <= k; j++) printf ",x.%d", j; print ""
	for (i = 0; i < n; i++) {
		line = ""; m = rand() + rand() - rand() - rand()
		for (j = 1; j <= k; j++) { x = rand() - rand(); m += x / j; line = line sprintf(",%.4g", x) }
		print (m > 0) line
	}
}' >rows.csv
# Memory that is the program's own; pages of a file are the system's, and given back when they are wanted elsewhere.
limited() { (ulimit -d $((limit * 1024)); GOMEMLIMIT=$((limit * 7 / 10))MiB exec "$@"); }
TIMEFORMAT='%R s, %U + %S s of processors'
fit() { run ./ppl run model.ppl --method "hmc(leapfrogs = 10, step_size = 0.001, warmup = 1, draws = $1, chains = 1, check = \"none\")" --seed 7 --quiet --data "$2"; }
echo "== $rows rows as a file of columns, with $limit MB"
time limited ./ppl columns rows.csv --memory $((limit / 2))M --quiet
ls -l rows.csv rows.columns | awk '{print $9, $5 / 1e6, "MB"}'
echo "== read once, from the disk and from memory"
dd if=rows.columns iflag=nocache count=0 status=none # the system forgets it
time cat rows.columns >/dev/null
time cat rows.columns >/dev/null
for draws in 3 13; do
	echo "== $((10 * draws + 11)) gradients, with $limit MB"
	run() { limited "$@"; }
	time fit $draws rows.columns >columns.txt
	echo "== the same from memory, without a limit"
	run() { "$@"; }
	time fit $draws rows.csv >csv.txt
	cmp csv.txt columns.txt && echo "equal to the byte"
done
echo "== CSV with $limit MB"
run() { limited "$@"; }
fit 3 rows.csv >/dev/null 2>err.txt || grep -m 1 -i memory err.txt
echo "== ppl check with $limit MB"
time limited ./ppl check model.ppl --data rows.columns
