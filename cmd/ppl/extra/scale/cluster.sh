#!/usr/bin/env bash
# The replications of sbc by workers of a server, against one process: the same bytes, and the processor time of both.
# Then the same with a worker and the server killed in the middle.
#
#   cmd/ppl/extra/scale/cluster.sh [REPLICATIONS]
replications=${1:-4000}
source "$(dirname "$0")/begin.sh"
cp examples/eight_schools/eight_schools.{ppl,json} "$work"
cd "$work"
with="sbc(nuts(warmup = 300, draws = 300, chains = 1), replications = $replications)"
port=$((20000 + RANDOM % 10000))
url=nats://127.0.0.1:$port
TIMEFORMAT='%R s, %U + %S s of processors'

# start NAME COMMAND... runs a command in the background; its times go to NAME.times in the end.
start() {
	local name=$1
	shift
	("$@" 2>"$name.log" & echo $! >"$name.pid"; wait $!) 2>/dev/null &
	until [ -s "$name.pid" ] && grep -q -e msg=serving -e msg=working "$name.log"; do sleep 0.1; done
	started+=("$(cat "$name.pid")")
}

# used NAME... is the processor time of processes and of the children that they have.
used() {
	local total=0 name pid child
	for name in "$@"; do
		pid=$(cat "$name.pid")
		for child in "$pid" $(cat /proc/"$pid"/task/*/children); do
			total=$((total + $(awk '{print $14 + $15}' /proc/"$child"/stat)))
		done
		total=$((total + $(awk '{print $16 + $17}' /proc/"$pid"/stat)))
	done
	echo "$name and others: $(awk "BEGIN {print $total / $(getconf CLK_TCK)}") s of processors"
}

judge() { ./ppl diagnose eight_schools.ppl --with "$with" --seed 7 --quiet "$@"; }
compare() { cmp whole.txt "$1" && echo "equal to the byte"; }

echo "== one process, 2 goroutines"
time judge --jobs 2 >whole.txt
for workers in 1 2; do
	echo "== $workers workers"
	rm -rf store ./*.pid
	start server ./ppl serve --listen 127.0.0.1:$port --store store
	for w in $(seq "$workers"); do start "worker$w" ./ppl work $url --jobs 1 --name "worker$w"; done
	time judge --on $url >on.txt
	used server
	used $(seq -f 'worker%g' "$workers")
	compare on.txt
	echo "== again, from the store"
	time judge --on $url >on.txt
	compare on.txt
	du -sh store
	for p in worker1 worker2 server; do [ ! -e $p.pid ] || kill -INT "$(cat $p.pid)"; done
	wait
done

echo "== 2 workers, one killed and another started; the server killed and started again"
rm -rf store ./*.pid
start server ./ppl serve --listen 127.0.0.1:$port --store store
start worker1 ./ppl work $url --jobs 1 --name worker1
start worker2 ./ppl work $url --jobs 1 --name worker2
judge --on $url >on.txt &
sender=$!
until grep -q msg=done worker1.log; do sleep 0.1; done
kill -9 "$(cat worker1.pid)"
start worker3 ./ppl work $url --jobs 1 --name worker3
until grep -q msg=done worker3.log; do sleep 0.1; done
kill -9 "$(cat server.pid)"
start server ./ppl serve --listen 127.0.0.1:$port --store store
time wait $sender
compare on.txt
echo "tasks done: $(cat worker?.log | grep -c msg=done), twice: $(cat worker?.log | grep -o 'msg=done.* task=[0-9]* ' | grep -o 'task=[0-9]*' | sort | uniq -d | wc -l)"
