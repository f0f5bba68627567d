package lang

// This file tests joint priors, new priors by increments of the target.

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

const jointModel = `data { int N; vector[N] y; }
	parameters { real mu; real nu; }
	transformed parameters { real total = mu + nu; }
	model { mu ~ normal(0, 2); nu ~ normal(0, 1); y ~ normal(mu + nu, 1); y ~ normal(mu - nu, 2); }`

// TestSwapJoint: with six y of sum 8.1 the likelihood has precision [[7.5, 4.5], [4.5, 7.5]] and shift (10.125, 6.075). The priors' are [[4, -4],
// [-4, 5]] and (0, 1) of mu given nu, and [[1, -1/2], [-1/2, 1]]/0.75 and (-0.5, 1)/0.75 of the joint normal distribution; the mean is the sum of
// precisions divided into that of shifts.
func TestSwapJoint(t *testing.T) {
	m := mustBind(t, jointModel, map[string]any{"N": 6, "y": []float64{1.6, 1.9, 0.3, 2.2, 1, 1.1}})
	for expr, want := range map[string][3]float64{ // precision of mu, of both, of nu
		`prior_swap(nuts()) { target += normal_lpdf(mu | nu, 0.5) + normal_lpdf(nu | 1, 1); }`:                             {11.5, 0.5, 12.5},
		`prior_swap(nuts()) { target += multi_normal_lpdf([mu, nu]' | [0, 1]', [[1, 0.5], [0.5, 1]]); }`:                   {7.5 + 1/0.75, 4.5 - 0.5/0.75, 7.5 + 1/0.75},
		`prior_swap(nuts()) { target += normal_lpdf(mu | nu, 0.5); nu ~ normal(1, 1); }`:                                   {11.5, 0.5, 12.5},
		`prior_swap(nuts()) for s in [0.5] { target += -square((mu - nu) / s) / 2; target += -square(nu - 1) / (4 * s); }`: {11.5, 0.5, 12.5},
	} {
		shift := [2]float64{10.125, 7.075}
		if strings.Contains(expr, "multi") {
			shift = [2]float64{10.125 - 0.5/0.75, 6.075 + 1/0.75}
		}
		det := want[0]*want[2] - want[1]*want[1]
		mean := [2]float64{(want[2]*shift[0] - want[1]*shift[1]) / det, (want[0]*shift[1] - want[1]*shift[0]) / det}
		sd := [2]float64{math.Sqrt(want[2] / det), math.Sqrt(want[0] / det)}
		p := runSwapSeeded(t, m, expr, 1)
		for k, name := range []string{"mu", "nu"} {
			x := p.Draws.Column(name)
			if math.Abs(draws.Mean(x)-mean[k]) > 5*draws.MCSEMean(x) || math.Abs(draws.SD(x)/sd[k]-1) > 0.1 {
				t.Errorf("%s: %s is %.4f (%.4f), exactly %.4f (%.4f)", expr, name, draws.Mean(x), draws.SD(x), mean[k], sd[k])
			}
		}
	}
}

func TestSwapJointOfNothing(t *testing.T) {
	m := mustBind(t, jointModel, map[string]any{"N": 1, "y": []float64{1.6}})
	for expr, want := range map[string]string{
		`prior_swap(nuts()) { target += 3; }`:                                            "this joint prior has no parameter in it",
		`prior_swap(nuts()) { target += normal_lpdf(total | 0, 1); }`:                    "a joint prior is of parameters, and total is computed from them",
		`prior_swap(nuts()) { target += normal_lpdf(y | mu, 1); }`:                       `a prior cannot use "y", which is an observation`,
		`prior_swap(nuts()) { target += normal_lpdf(mu | 0, 1); total ~ std_normal(); }`: `a new prior is for a parameter, and "total" is none`,
	} {
		method, err := m.Program.Method(expr)
		if err == nil {
			err = m.Supports(method)
		}
		if err == nil || !strings.Contains(ErrorText(err), want) {
			t.Errorf("%s: %v", expr, err)
		}
	}
}
