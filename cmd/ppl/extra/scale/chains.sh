#!/usr/bin/env bash
# The chains of a fit by workers of a server, against one process: the same table, and the time of both.
#
#   cmd/ppl/extra/scale/chains.sh [ROWS]
rows=${1:-20000}
source "$(dirname "$0")/begin.sh"
cd "$work"
cat >model.ppl <<'MODEL'
data { int N; int K; }
transformed data {
  matrix[N, K] x;
  array[N] int y;
  for (n in 1:N) {
    for (k in 1:K) x[n, k] = normal_rng(0, 1);
    y[n] = bernoulli_logit_rng(0.3 + sum(x[n]) / K);
  }
}
parameters { real a; vector[K] b; }
model { a ~ normal(0, 5); b ~ normal(0, 1); y ~ bernoulli_logit_glm(x, a, b); }
MODEL
echo "{\"N\": $rows, \"K\": 10}" >model.json
port=$((20000 + RANDOM % 10000))
url=nats://127.0.0.1:$port
TIMEFORMAT='%R s'

# start NAME COMMAND... runs a command in the background.
start() {
	local name=$1
	shift
	"$@" 2>"$name.log" &
	started+=($!)
	until grep -q -e msg=serving -e msg=working "$name.log"; do sleep 0.1; done
}

fit() { ./ppl run model.ppl --method 'nuts(check = "none")' --seed 7 --quiet "$@"; }
for jobs in 1 2; do
	echo "== one process, $jobs goroutines"
	time fit --jobs "$jobs" >whole.txt
done
for workers in 1 2; do
	echo "== $workers workers"
	rm -rf store
	start server ./ppl serve --listen 127.0.0.1:$port --store store
	for w in $(seq "$workers"); do start "worker$w" ./ppl work $url --jobs 1 --name "worker$w"; done
	time fit --on $url >on.txt
	cmp whole.txt on.txt && echo "equal to the byte"
	echo "tasks: $(cat worker*.log | grep -c msg=done)"
	echo "again, from the store"
	time fit --on $url >on.txt
	cmp whole.txt on.txt && echo "equal to the byte"
	for p in "${started[@]}"; do kill -INT "$p"; done
	wait
	started=()
	rm -f worker*.log
done
