#!/bin/sh
# Runs models the way CmdStan's users do, reads the CSV files with R's rstan, and compares
# posterior's summary of them with ppl's and with bin/stansummary. Needs Go, make, and R with
# rstan, posterior and jsonlite (Debian: r-cran-rstan r-cran-posterior).
#
#   cmd/ppl/extra/cmdstan/check.sh
#
# Where R lives under another root, say how it is called and where both see the same folder:
#   RSCRIPT='chroot /root-of-r Rscript' WORK=/root-of-r/tmp/check RWORK=/tmp/check check.sh
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=${WORK:-$(mktemp -d)}
rwork=${RWORK:-$work}
mkdir -p "$work"
cd "$here/../../../.."
go build -o "$work/ppl" ./cmd/ppl
"$work/ppl" cmdstan "$work/cmdstan"
cp "$here"/*.stan "$here"/*.json "$here/check.R" "$work"

cmdstan="$work/cmdstan"
compile() { make -s -C "$cmdstan" "$work/$1"; }
# run NAME ARGS...: four processes with their ids, as CmdStanR starts them.
run() {
	name=$1; model=$2; shift 2
	compile "$model"
	for id in 1 2 3 4; do
		"$work/$model" id=$id random seed=20 data file="$work/$model.json" output file="$work/$name-$id.csv" refresh=0 \
			"$@" >"$work/$name-$id.txt" &
	done
	wait
	rm -f "$work/$name-summary.csv"
	"$cmdstan/bin/stansummary" --sig_figs=8 --percentiles=5,50,95 --csv_filename="$work/$name-summary.csv" \
		"$work/$name"-[1-4].csv >"$work/$name-summary.txt"
	"$work/ppl" summary --json "$work/$name"-[1-4].csv >"$work/$name.json.out"
}

run schools schools method=sample
run dense schools method=sample save_warmup=1 thin=2 adapt delta=0.95 algorithm=hmc metric=dense_e
run unit schools method=sample num_samples=500 algorithm=hmc metric=unit_e
run shapes shapes method=sample
run many shapes method=sample num_warmup=300 num_samples=2000

# One process with several chains gives the same draws as several processes.
"$work/schools" random seed=20 data file="$work/schools.json" output file="$work/one.csv" refresh=0 \
	method=sample num_chains=4 >"$work/one.txt"
for id in 1 2 3 4; do
	grep -v '^#' "$work/schools-$id.csv" >"$work/a"
	grep -v '^#' "$work/one_$id.csv" >"$work/b"
	cmp "$work/a" "$work/b"
done
echo "one process, four chains: the same draws as four processes"

${RSCRIPT:-Rscript} "$rwork/check.R" "$rwork" schools dense unit shapes many
