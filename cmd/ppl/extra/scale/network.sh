#!/usr/bin/env bash
# Units over a network with delay, between network namespaces: a diagnosis and a fit against one process, and the same with the
# network gone for longer than a lease in the middle. As root, for ip and tc.
#
#   cmd/ppl/extra/scale/network.sh [MILLISECONDS] [NATS-SERVER]
#
# With a second argument, the server is that program (Debian: nats-server), and not ppl serve.
delay=${1:-20}
foreign=${2:-}
near=ppl-$$-a
far=ppl-$$-b
source "$(dirname "$0")/begin.sh"
afterwards() {
	ip netns del "$near" 2>/dev/null || true
	ip netns del "$far" 2>/dev/null || true
}
cp examples/eight_schools/eight_schools.{ppl,json} "$work"
cd "$work"
ip netns add "$near"
ip netns add "$far"
ip link add near netns "$near" type veth peer name far netns "$far"
ip -n "$near" addr add 10.77.0.1/24 dev near
ip -n "$far" addr add 10.77.0.2/24 dev far
for n in "$near near" "$far far"; do
	read -r name link <<<"$n"
	ip -n "$name" link set lo up
	ip -n "$name" link set "$link" up
	ip netns exec "$name" tc qdisc add dev "$link" root netem delay "$((delay / 2))ms" 2>/dev/null || { [ "$delay" = 0 ] || echo "this kernel has no netem: there is no delay"; delay=0; }
done
url=nats://10.77.0.1:4222
TIMEFORMAT='%R s'

# start NAMESPACE NAME COMMAND... runs a command in the background until it says that it is ready.
start() {
	local namespace=$1 name=$2
	shift 2
	ip netns exec "$namespace" "$@" >"$name.log" 2>&1 &
	started+=($!)
	until grep -q -e msg=serving -e msg=working -e 'Server is ready' "$name.log"; do sleep 0.1; done
}

if [ -n "$foreign" ]; then
	start "$near" server "$foreign" -js -sd store -a 10.77.0.1 -p 4222
	grep -o 'Version: .*' server.log
else
	start "$near" server ./ppl serve --listen 10.77.0.1:4222 --store store --insecure
fi
start "$far" worker ./ppl work $url --jobs 2 --insecure
judge() { ./ppl diagnose eight_schools.ppl --with 'sbc(nuts(warmup = 300, draws = 300, chains = 1), replications = 800)' --quiet "$@"; }
fit() { ./ppl run eight_schools.ppl --quiet "$@"; }
there() { ip netns exec "$near" ./ppl "$@" --quiet --on $url --insecure; }
compare() { cmp "$1" "$2" && echo "equal to the byte"; }

echo "== one process"
time judge --seed 7 >judged.txt
time fit --seed 7 >fitted.txt
echo "== $delay ms away"
time there diagnose eight_schools.ppl --with 'sbc(nuts(warmup = 300, draws = 300, chains = 1), replications = 800)' --seed 7 >on.txt
compare judged.txt on.txt
time there run eight_schools.ppl --seed 7 >on.txt
compare fitted.txt on.txt
echo "== the network gone for 8 s"
judge --seed 8 >judged.txt
there diagnose eight_schools.ppl --with 'sbc(nuts(warmup = 300, draws = 300, chains = 1), replications = 800)' --seed 8 >on.txt &
until grep -q 'msg=done.*task=5 ' worker.log; do sleep 0.02; done
sleep 0.3
ip -n "$far" link set far down
sleep 8
ip -n "$far" link set far up
time wait $!
compare judged.txt on.txt
