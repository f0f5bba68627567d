#!/usr/bin/env bash
# One chain whose sum over data is evaluated in parts by workers, against one process: the same table, the time of both, and the time of
# a gradient. For each number of rows, in 1, 2 and 4 groups by as many workers. In the middle of the last, a worker is killed.
#
#   cmd/ppl/extra/scale/parts.sh [ROWS...]            with reduce_sum
#   form=rows cmd/ppl/extra/scale/parts.sh [ROWS...]  as an ordinary statement, with --divide
set -euo pipefail
cd "$(dirname "$0")/../../../.."
work=$(mktemp -d)
started=()
# Only what was started here is ended, by its number.
end() {
	for p in "${started[@]}"; do kill -INT "$p" 2>/dev/null || true; done
	wait
	rm -rf "$work"
}
trap end EXIT
CGO_ENABLED=0 go build -o "$work/ppl" ./cmd/ppl
cd "$work"
cat >model.ppl <<'MODEL'
functions {
  real part(array[] int y, int from, int to, matrix x, real a, vector b) {
    return bernoulli_logit_glm_lpmf(y | x[from:to], a, b);
  }
}
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
model { a ~ normal(0, 5); b ~ normal(0, 1); target += reduce_sum(part, y, 1, x, a, b); }
MODEL
flags=()
if [ "${form:-}" = rows ]; then
	sed -i 's/target += reduce_sum.*/y ~ bernoulli_logit_glm(x, a, b); }/' model.ppl
	flags=(--divide)
fi
port=$((20000 + RANDOM % 10000))
url=nats://127.0.0.1:$port
TIMEFORMAT='%R %U %S'

# start NAME COMMAND... runs a command in the background.
start() {
	local name=$1
	shift
	"$@" 2>"$name.log" &
	echo $! >"$name.pid"
	started+=($!)
	until grep -qs -e msg=serving -e msg=working "$name.log"; do sleep 0.1; done
}

# used NAME... is the processor time of processes and of the children that they have or had, in ticks.
used() {
	local total=0 pid child
	for pid in $(cat "${@/%/.pid}"); do
		for child in "$pid" $(cat /proc/"$pid"/task/*/children); do
			total=$((total + $(awk '{print $14 + $15}' /proc/"$child"/stat)))
		done
		total=$((total + $(awk '{print $16 + $17}' /proc/"$pid"/stat)))
	done
	echo "$total"
}

# A transition of hmc is ten gradients.
fit() { ./ppl run model.ppl --method "hmc(leapfrogs = 10, step_size = 0.01, warmup = 1, draws = $1, chains = 1, check = \"none\")" --seed 7 "${flags[@]}" "${@:2}"; }
# seconds COMMAND... is the time of a command and its processor time, in user code and in the system; what it prints is in out.txt and err.txt.
seconds() { { time "$@" >out.txt 2>err.txt; } 2>&1; }
# gradient DRAWS FEW... MANY... is wall and processor time of a gradient in microseconds, from runs of 3 draws and of many.
gradient() { echo "$@" | awk '{ n = ($1 - 3) * 10 / 1e6; printf "%.0f us a gradient, %.0f of a processor", ($5 - $2) / n, ($6 + $7 - $3 - $4) / n }'; }

for rows in "${@:-100000}"; do
	echo "{\"N\": $rows, \"K\": 20}" >model.json
	draws=$((40000000 / rows + 23))
	for procs in 1 2; do
		few=$(GOMAXPROCS=$procs seconds fit 3)
		many=$(GOMAXPROCS=$procs seconds fit $draws)
		cp out.txt whole.txt
		echo "$rows rows, one process on $procs cores: $(gradient $draws $few $many)"
	done
	for workers in 1 2 4; do
		rm -rf store
		start server ./ppl serve --listen 127.0.0.1:$port --store store
		for w in $(seq "$workers"); do start "worker$w" ./ppl work $url --jobs 1 --name "worker$w"; done
		names=$(seq -f 'worker%g' "$workers")
		few=$(seconds fit 3 --on $url --parts "$workers")
		sleep 3 # until the workers have let go
		before=$(used $names) server=$(used server)
		many=$(seconds fit $draws --on $url --parts "$workers")
		sleep 3
		echo "$rows rows, $workers workers: $(gradient $draws $few $many); workers $((($(used $names) - before) * 1000 / draws)), server $((($(used server) - server) * 1000 / draws)); $(tail -1 err.txt)"
		cmp whole.txt out.txt && echo "equal to the byte"
		if [ "$workers" = 4 ]; then
			fit $draws --on $url --parts "$workers" >out.txt 2>err.txt &
			run=$!
			sleep 5
			kill -9 "$(cat worker4.pid)"
			wait $run
			cmp whole.txt out.txt && echo "$rows rows, one of $workers workers killed: equal to the byte; $(tail -1 err.txt)"
		fi
		for p in "${started[@]}"; do kill -INT "$p" 2>/dev/null || true; done
		for p in "${started[@]}"; do wait "$p" || true; done
		started=()
		rm -f ./*.log ./*.pid
	done
done
