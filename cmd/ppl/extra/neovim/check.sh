#!/bin/sh
# Lets Neovim (0.7 or newer) edit a model with ppl lsp: problems, outline, signatures, references,
# highlights, explanations, quick fixes, renaming and layout. Usage: check.sh [PPL]; NVIM names
# another nvim.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PPL=${1:-ppl}
export PPL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/model.ppl" <<'MODEL'
data {
  int N; vector[N] y;
}
parameters { real mu; real<lower=0> sigma; }
model {
  mu ~ normal(0, 1);
  sigma ~ exponential(1);
  y ~ normal(mu, sigmaa);
}
inference { fit = nuts(draws = 500); }
MODEL
cd "$work"
"${NVIM:-nvim}" --headless -u NONE model.ppl -c "luafile $here/check.lua" -c 'cquit 1' >log 2>&1 || {
	cat log
	exit 1
}
cat log
