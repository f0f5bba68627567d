package examples

// This file checks that it makes no difference how a hierarchical model is written: random ones, each centred and non-centred.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/lang"
)

// A hierarchy is a random model of rows in groups: an intercept or an intercept and a slope of each group, which are independent or
// correlated, and a family of outcomes.
type hierarchy struct {
	groups, rows int // rows of a group
	slopes       bool
	correlated   bool
	family       string // normal, poisson, bernoulli
}

func randomHierarchy(r *rand.Rand) hierarchy {
	h := hierarchy{groups: 4 + r.IntN(30), rows: 1 + r.IntN(25), family: []string{"normal", "poisson", "bernoulli"}[r.IntN(3)]}
	h.slopes = r.IntN(2) == 0
	h.correlated = h.slopes && r.IntN(2) == 0
	return h
}

// program is the model with its effects centred or not.
func (h hierarchy) program(centred bool) string {
	n := 1
	if h.slopes {
		n = 2
	}
	declared, made := fmt.Sprintf("matrix[%d, J] z;", n), "matrix[J, K] b = (rep_matrix(m, J) + diag_pre_multiply(tau, z))'; to_vector(z) ~ std_normal();"
	switch {
	case centred && h.correlated:
		declared, made = "matrix[J, 2] b;", "for (j in 1:J) b[j]' ~ multi_normal_cholesky(m, diag_pre_multiply(tau, L));"
	case centred:
		declared, made = fmt.Sprintf("matrix[J, %d] b;", n), "for (k in 1:K) b[, k] ~ normal(m[k], tau[k]);"
	case h.correlated:
		made = "matrix[J, K] b = (rep_matrix(m, J) + diag_pre_multiply(tau, L) * z)'; to_vector(z) ~ std_normal();"
	}
	if h.correlated {
		declared += " cholesky_factor_corr[2] L;"
		made += " L ~ lkj_corr_cholesky(2);"
	}
	eta := "b[g, 1]"
	if h.slopes {
		eta += " + b[g, 2] .* x"
	}
	outcome := map[string]string{"normal": "y ~ normal(" + eta + ", 1)", "poisson": "y ~ poisson_log(" + eta + ")", "bernoulli": "y ~ bernoulli_logit(" + eta + ")"}[h.family]
	kind := "array[N] int"
	if h.family == "normal" {
		kind = "vector[N]"
	}
	return fmt.Sprintf(`data { int N; int J; array[N] int g; vector[N] x; %s y; }
transformed data { int K = %d; }
parameters { vector[K] m; vector<lower=0>[K] tau; %s }
model { %s m ~ normal(0, 1); tau ~ normal(0, 1); %s; }`, kind, n, declared, made, outcome)
}

// data are drawn from the model.
func (h hierarchy) data(r *rand.Rand) map[string]any {
	n := h.groups * h.rows
	g, x, y := make([]int, n), make([]float64, n), make([]float64, n)
	m := [2]float64{r.NormFloat64(), r.NormFloat64()}
	tau := [2]float64{math.Abs(r.NormFloat64()), math.Abs(r.NormFloat64())}
	rho := 0.0
	if h.correlated {
		rho = 2*r.Float64() - 1
	}
	for j := range h.groups {
		z := r.NormFloat64()
		b := [2]float64{m[0] + tau[0]*z, m[1] + tau[1]*(rho*z+math.Sqrt(1-rho*rho)*r.NormFloat64())}
		for i := j * h.rows; i < (j+1)*h.rows; i++ {
			g[i], x[i] = j+1, r.NormFloat64()
			eta := b[0]
			if h.slopes {
				eta += b[1] * x[i]
			}
			y[i] = h.outcome(r, eta)
		}
	}
	out := map[string]any{"N": n, "J": h.groups, "g": g, "x": x, "y": y}
	if h.family != "normal" {
		counts := make([]int, n)
		for i := range y {
			counts[i] = int(y[i])
		}
		out["y"] = counts
	}
	return out
}

func (h hierarchy) outcome(r *rand.Rand, eta float64) float64 {
	switch h.family {
	case "normal":
		return eta + r.NormFloat64()
	case "bernoulli":
		if r.Float64() < 1/(1+math.Exp(-eta)) {
			return 1
		}
		return 0
	}
	count, left := 0.0, math.Exp(min(eta, 5))
	for left -= r.ExpFloat64(); left > 0; left -= r.ExpFloat64() {
		count++
	}
	return count
}

// A hierarchy has the same posterior whichever way it is written, and each way the draws cost about as many gradients: the cost is
// that of an effective draw of the least effective mean or spread. Means and standard deviations lie within five of their Monte Carlo errors,
// at most 800 comparisons: a false alarm in 2,000 seeds. The bound on costs is of their geometric mean over the models.
func TestBothWays(t *testing.T) {
	n := subset.Of(8, 100)
	var ratios []float64
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(i), 11))
		h := randomHierarchy(r)
		in := h.data(r)
		var cost [2]float64
		var fits [2]*infer.Posterior
		for k, centred := range []bool{true, false} {
			prog, err := lang.Compile("hierarchy.ppl", h.program(centred), lang.Options{})
			if err != nil {
				t.Fatal(lang.ErrorText(err))
			}
			fits[k], cost[k] = fitOf(t, prog, in, uint64(i))
		}
		for _, name := range fits[0].Draws.Columns() {
			if name[0] == 'm' || name[0] == 't' {
				compareDraws(t, fmt.Sprintf("%+v: %s", h, name), fits[0].Draws.Column(name), fits[1].Draws.Column(name))
			}
		}
		ratio := cost[1] / cost[0]
		ratios = append(ratios, math.Abs(math.Log(ratio)))
		t.Logf("%+v: gradients of an effective draw: centred %.1f, non-centred %.1f, ratio %.2f", h, cost[0], cost[1], ratio)
	}
	within := 0
	for _, x := range ratios {
		if x <= math.Log(1.5) {
			within++
		}
	}
	slices.Sort(ratios)
	t.Logf("%d of %d within a factor of 1.5, median %.2f, largest %.2f", within, n, math.Exp(ratios[n/2]), math.Exp(ratios[n-1]))
	if median := math.Exp(ratios[n/2]); median > 1.5 {
		t.Errorf("the way in which a model is written changes what a draw costs by a factor of %.2f in the median", median)
	}
}

// fitOf is a fit and what an effective draw costs.
func fitOf(t *testing.T, prog *lang.Program, in map[string]any, seed uint64) (p *infer.Posterior, cost float64) {
	t.Helper()
	method, err := prog.Method(`nuts(check = "none")`)
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	fit, err := bind(t, prog, in).Run(t.Context(), method, lang.RunOptions{Seed: seed, Jobs: 2})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	p = fit.Posterior
	gradients, ess := 0.0, math.Inf(1)
	for _, chain := range p.Draws.Column("n_leapfrog__") {
		for _, x := range chain {
			gradients += x
		}
	}
	for _, name := range p.Draws.Columns() {
		if name[0] == 'm' || name[0] == 't' {
			ess = min(ess, draws.ESSBulk(p.Draws.Column(name)))
		}
	}
	return p, gradients / ess
}

func compareDraws(t *testing.T, what string, x, y [][]float64) {
	t.Helper()
	if z := (draws.Mean(x) - draws.Mean(y)) / math.Hypot(draws.MCSEMean(x), draws.MCSEMean(y)); math.Abs(z) > 5 {
		t.Errorf("%s: means %.4g and %.4g are %.1f Monte Carlo errors apart", what, draws.Mean(x), draws.Mean(y), z)
	}
	if z := (draws.SD(x) - draws.SD(y)) / math.Hypot(draws.MCSESD(x), draws.MCSESD(y)); math.Abs(z) > 5 {
		t.Errorf("%s: standard deviations %.4g and %.4g are %.1f Monte Carlo errors apart", what, draws.SD(x), draws.SD(y), z)
	}
}
