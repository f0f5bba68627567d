#!/bin/sh
# Draws the figures of the papers that README.md lists: figures.sh [PPL [FOLDER]], from anywhere. Fits go to a
# temporary folder; pictures, as SVG, to FOLDER, which is figures beside this file without it.
set -eu
ppl=$(command -v "${1:-ppl}") || { echo "figures.sh: no program ${1:-ppl}; say where ppl is: figures.sh PATH/TO/ppl" >&2; exit 2; }
case $ppl in /*) ;; *) ppl=$PWD/$ppl ;; esac
here=$(cd "$(dirname "$0")" && pwd)
out=${2:-$here/figures}
mkdir -p "$out"
out=$(cd "$out" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$here"

# keep NAME PICTURE: a picture of a fit or verdict, under the name of the paper's figure.
keep() { cp "$tmp/$2" "$out/$1.svg"; echo "$1.svg"; }

annealed='steps = [10, 30, 100, 300], chains = 20, schedule = "sigmoidal"'
fitted="$annealed, datasets = 5, data = \"fitted\", hyper = [scale_sq, sigma_sq]"

# Grosse, Ancha, Roy: Figure 1a, b (real and simulated data); 1c (settling moves); 2 (collapsed or not)
"$ppl" diagnose grosse2016/regression.ppl --data grosse2016/regression.json --seed 1 -q --out "$tmp/g1" \
  --with "bread(nuts(), $fitted, settle = 10)" --with "bread(nuts(), $fitted, settle = 1000)" >/dev/null
keep grosse_figure_1ab g1/plots/bread.svg
keep grosse_figure_1c g1/plots/overlay_bread.svg
for form in uncollapsed collapsed; do
  "$ppl" diagnose ../matrix_factorisation/$form.ppl --data ../matrix_factorisation/data.json --seed 1 -q --out "$tmp/$form" \
    --with "bread(hmc(), $annealed, data = \"given\", start = \"../matrix_factorisation/data.json\")" >/dev/null
done
"$ppl" plot "$tmp/uncollapsed" "$tmp/collapsed" --kind overlay --out "$tmp/g2" -q >/dev/null
keep grosse_figure_2 g2/overlay_bread.svg

# Rendsburg and others: Figures 3, 8 (stated and Gibbs prior, cloud), 9 (R-hat on growing prefixes), and SBC beside
toy="rendsburg2022/toy.ppl --data rendsburg2022/correlated_prior.json --seed 1 -q"
"$ppl" diagnose $toy --out "$tmp/r" --with 'gibbs_prior(cavi(draws = 1, blocks = "element"), steps = 1000)' \
  --with 'sbc(cavi(blocks = "element"))' >/dev/null
keep rendsburg_stated_and_gibbs_prior r/plots/gibbs_prior.svg
keep rendsburg_sbc r/plots/sbc_ecdf.svg
"$ppl" run $toy --out "$tmp/r9" --method 'gibbs_prior(cavi(draws = 1, blocks = "element"), steps = 1000)' >/dev/null
"$ppl" plot "$tmp/r9" --kind convergence,pairs --out "$tmp/r9p" -q >/dev/null
keep rendsburg_figure_9 r9p/convergence.svg
keep rendsburg_figure_3 r9p/pairs.svg

# Lee: q_i beside the posterior's marginals. Knoblauch, Jewson, Damoulas: divergences under a bad prior
"$ppl" run lee2021/bivariate.ppl --data lee2021/rho_nine.json --seed 1 -q --out "$tmp/lee" >/dev/null
"$ppl" plot "$tmp/lee" --kind overlay --out "$tmp/leep" -q >/dev/null
keep lee_figure_1 leep/overlay.svg
for d in 'kl(1)' 'kl(0.5)' 'renyi(0.5)' 'gamma(1.5)'; do
  "$ppl" run knoblauch2019/location.ppl --data knoblauch2019/bad_prior.json --seed 1 -q --out "$tmp/k/$d" --method "gvi(divergence = $d)" >/dev/null
done
"$ppl" plot "$tmp/k/"* --kind overlay --out "$tmp/kp" -q >/dev/null
keep knoblauch_bad_prior kp/overlay.svg
