#!/usr/bin/env bash
# Shares of a diagnosis against one process: the same bytes, and the time of both. Some
# tasks are killed and submitted again. With a second argument, the same through a
# Slurm of one node, of Debian's packages slurm-wlm and munge; it needs root.
#
#   cmd/ppl/extra/scale/shards.sh [REPLICATIONS] [slurm]
replications=${1:-4000}
source "$(dirname "$0")/begin.sh"
cp examples/eight_schools/eight_schools.{ppl,json} "$work"
cd "$work"
PATH=$work:$PATH
export PATH
shares=8
with="sbc(nuts(warmup = 300, draws = 300, chains = 1), replications = $replications)"

# timed runs a command and prints the seconds it took and its processor seconds.
timed() {
	local TIMEFORMAT='%R s, %U + %S s of processors'
	time "$@"
}

share() { ppl diagnose eight_schools.ppl --with "$with" --seed 7 --quiet --shard "$1/$shares" --out "shares/$1" --jobs 1 --resume; }

echo "== one process, 2 goroutines"
timed ppl diagnose eight_schools.ppl --with "$with" --seed 7 --quiet --jobs 2 >whole.txt

echo "== $shares shares, 2 at a time"
mkdir shares
export -f share
export with shares
timed bash -c 'seq $shares | xargs -P 2 -I I bash -c "share I"'
echo "== merge"
timed ppl merge shares/* --quiet >merged.txt
cmp whole.txt merged.txt && echo "equal to the byte"

echo "== a share killed, two others lost"
rm -rf shares/3 shares/5 shares/6
ppl diagnose eight_schools.ppl --with "$with" --seed 7 --quiet --shard 3/$shares --out shares/3 --jobs 1 &
until [ -s shares/3/checkpoint/diagnosis-1.jsonl ]; do sleep 0.01; done
kill -9 $! || echo "it had ended before"
wait $! || true
ppl merge shares/* && exit 1
for i in 3 5 6; do share $i; done
ppl merge shares/* --quiet >merged.txt
cmp whole.txt merged.txt && echo "equal to the byte"

[ "${2:-}" = slurm ] || exit 0
echo "== Slurm, an array of $shares tasks"
mkdir -p /run/munge /etc/slurm "$work/spool"
chown munge: /run/munge
[ -e /etc/munge/munge.key ] || { dd if=/dev/urandom bs=1 count=1024 of=/etc/munge/munge.key status=none && chown munge: /etc/munge/munge.key && chmod 400 /etc/munge/munge.key; }
pgrep -x munged >/dev/null || { runuser -u munge -- munged && cp /run/munge/munged.pid "$work"; } # which is ended with the others
host=$(hostname -s)
cat >"$work/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$host
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=$work/spool
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
NodeName=$host CPUs=2 RealMemory=8000 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf
slurmctld
slurmd
trap 'kill $(cat "$work"/*.pid) 2>/dev/null; sleep 1; rm -rf "$work"' EXIT
sleep 2
ppl jobs --shares $shares slurm diagnose eight_schools.ppl --with "$with" --seed 7 --out array >sbc.sbatch
timed sbatch --wait sbc.sbatch
rm -rf array/share-2 array/share-7
ppl merge array/share-* && exit 1
echo "submitting again what is missing"
sbatch --wait --array=2,7 sbc.sbatch
ppl merge array/share-* --out array/judged --quiet >merged.txt
cmp whole.txt merged.txt && echo "equal to the byte"
