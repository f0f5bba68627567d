#!/bin/bash
# Times the gradients of the reference posteriors with ppl's own elementary functions, which have the same bits on
# every processor, and with those of package math in their place, in turns.
#
# Usage: compare.sh [ROUNDS]
#
# Printed are the least nanoseconds of each side over all windows, and their ratio: ours over package math. PPL_SHARED
# names the folder of the posteriors.
set -euo pipefail
cd "$(dirname "$0")/../../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The overlay puts functions that call package math where those of autodiff/libm are.
{
	printf 'package libm\n\nimport "math"\n\n'
	for f in Exp Expm1 Log Log1p Exp2 Log2 Log10 Cbrt Sinh Cosh Tanh Asinh Acosh Atanh Sin Cos Tan Atan Asin Acos Erf Erfc Erfinv Gamma; do
		printf 'func %s(x float64) float64 { return math.%s(x) }\n' $f $f
	done
	for f in Pow Hypot Atan2; do
		printf 'func %s(x, y float64) float64 { return math.%s(x, y) }\n' $f $f
	done
	printf 'func Lgamma(x float64) (float64, int) { return math.Lgamma(x) }\n'
	printf 'func Sincos(x float64) (sin, cos float64) { return math.Sincos(x) }\n'
} >"$work/elementary.go"
printf 'package libm\n' >"$work/empty.go"
{
	printf '{"Replace": {"%s/autodiff/libm/elementary.go": "%s/elementary.go"' "$PWD" "$work"
	for f in erf gamma hyperbolic trigonometric; do
		printf ', "%s/autodiff/libm/%s.go": "%s/empty.go"' "$PWD" $f "$work"
	done
	printf '}}\n'
} >"$work/overlay.json"
go test -c -o "$work/ours" ./examples
go test -c -overlay "$work/overlay.json" -o "$work/math" ./examples
cd examples
for _ in $(seq "${1:-8}"); do
	for side in ours math; do
		"$work/$side" -test.run '^$' -test.bench Posterior -test.benchtime 10ms -test.count 12 | sed -n "s/^Benchmark/$side &/p"
	done
done | awk '
	{ sub(/.*\//, "", $2); sub(/-[0-9]+$/, "", $2); names[$2]; if (!(($1, $2) in least) || $4 < least[$1, $2]) least[$1, $2] = $4 }
	END {
		for (n in names) {
			r = least["ours", n] / least["math", n]; sum += log(r); count++
			printf "%-45s %10.1f %10.1f %6.3f\n", n, least["ours", n], least["math", n], r
		}
		printf "geometric mean %.3f\n", exp(sum / count)
	}'
