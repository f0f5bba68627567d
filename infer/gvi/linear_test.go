package gvi_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/gvi"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

type linearOptimum struct {
	Objective, A, B float64
	Mu, V           []float64
	SD              []float64 `json:"sd_theta"`
	Degenerate      bool
}

type linearCase struct {
	A0, B0 float64
	Mu0    []float64
	V0     []float64 `json:"V0_diag"`
	GVI    map[string]linearOptimum
}

type linearOracle struct {
	X     [][]float64
	Y     []float64
	Cases []linearCase
}

// linearModel is the oracle's model with log sigma2 = power times the last
// coordinate.
func linearModel(o *linearOracle, c *linearCase, power float64) *infertest.Model {
	prior := &gvi.NormalInverseGamma{A: c.A0, B: c.B0, Mean: c.Mu0, V: c.V0, At: len(c.Mu0), Power: power}
	d := prior.Dim()
	m := infertest.FromParts(d, func(q []float64, beta float64, grad []float64) (float64, float64, error) {
		if grad == nil {
			grad = make([]float64, d)
		}
		p := prior.LogDensityGrad(q, grad)
		logS := power * q[d-1]
		inverse := math.Exp(-logS)
		var lik float64
		for i, row := range o.X {
			r := o.Y[i]
			for j, x := range row {
				r -= x * q[j]
			}
			lik -= logRoot2Pi + logS/2 + r*r*inverse/2
			for j, x := range row {
				grad[j] += beta * r * x * inverse
			}
			grad[d-1] += beta * power / 2 * (r*r*inverse - 1)
		}
		return p, lik, nil
	})
	return m
}

// additive is a model of which it is known what its terms depend on: it implements
// infer.Additive.
type additive struct {
	*infertest.Model
	coords     [][]int
	likelihood []bool
	at         func(q, out []float64)
}

// NewTerms implements infer.Additive.
func (a additive) NewTerms() (infer.Terms, error) { return additiveTerms{a}, nil }

type additiveTerms struct{ additive }

func (a additiveTerms) Coords() [][]int    { return a.coords }
func (a additiveTerms) Likelihood() []bool { return a.likelihood }
func (a additiveTerms) LogTerms(q, out []float64) error {
	a.at(q, out)
	return nil
}

// additiveLinear is the oracle's model with its terms: the observations', which
// depend on everything, and the prior's of the variance and of each coefficient.
func additiveLinear(o *linearOracle, c *linearCase, power float64) additive {
	m := linearModel(o, c, power)
	k := len(c.Mu0)
	a := additive{Model: m, likelihood: make([]bool, len(o.Y)+1+k)}
	every := make([]int, k+1)
	for i := range every {
		every[i] = i
	}
	for i := range o.Y {
		a.coords, a.likelihood[i] = append(a.coords, every), true
	}
	a.coords = append(a.coords, []int{k})
	for j := range k {
		a.coords = append(a.coords, []int{j, k})
	}
	scale := &gvi.NormalInverseGamma{A: c.A0, B: c.B0, Power: power}
	a.at = func(q, out []float64) {
		logS := power * q[k]
		inverse := math.Exp(-logS)
		for i, row := range o.X {
			r := o.Y[i]
			for j, x := range row {
				r -= x * q[j]
			}
			out[i] = -logRoot2Pi - logS/2 - r*r*inverse/2
		}
		out = out[len(o.Y):]
		out[0] = scale.LogDensity(q[k:])
		for j, m := range c.Mu0 {
			z := q[j] - m
			out[1+j] = -logRoot2Pi - (logS+math.Log(c.V0[j]))/2 - z*z*inverse/c.V0[j]/2
		}
	}
	return a
}

// TestOracleLinearModel: normal-inverse-gamma densities for a linear model under
// many divergences, to 1e-3 of the optimum's sd and the objective to 1e-4; where
// the oracle says that the optimum is degenerate only the objective counts.
func TestOracleLinearModel(t *testing.T) {
	var o linearOracle
	infertest.ReadOracle(t, "gvi/linear_model.json", &o)
	for i := range o.Cases {
		for key, want := range o.Cases[i].GVI {
			d, err := divergenceOf(key)
			if err != nil {
				infertest.Unknown(t, key, err.Error())
				continue
			}
			m := method(t, func(m *gvi.Options) { m.Family, m.Divergence = gvi.Conjugate, d })
			p := infertest.Fit(t, m, linearModel(&o, &o.Cases[i], 1), infer.Options{Seed: 1})
			q := p.Density.(*gvi.NormalInverseGamma)
			if got := p.Fit.Objective.Value; got > want.Objective+1e-4*(1+math.Abs(want.Objective)) || (!want.Degenerate && got < want.Objective-1e-4*(1+math.Abs(want.Objective))) {
				t.Errorf("%s: objective %.6f, the oracle has %.6f", key, got, want.Objective)
			}
			if want.Degenerate {
				t.Logf("%s: degenerate; objective %.6f, oracle %.6f", key, p.Fit.Objective.Value, want.Objective)
				continue
			}
			for j, sd := range want.SD {
				got := math.Sqrt(q.B / (q.A - 1) * q.V[j])
				if math.Abs(q.Mean[j]-want.Mu[j]) > 1e-3*sd || math.Abs(got/sd-1) > 1e-3 {
					t.Errorf("%s: theta %d has mean %.6f and sd %.6f, the oracle %.6f and %.6f", key, j, q.Mean[j], got, want.Mu[j], sd)
				}
			}
			if math.Abs(q.A/want.A-1) > 2e-3 || math.Abs(q.B/want.B-1) > 2e-3 {
				t.Errorf("%s: a %.6f and b %.6f, the oracle has %.6f and %.6f", key, q.A, q.B, want.A, want.B)
			}
			t.Logf("%s: objective %.6f (oracle %.6f), a %.5f (%.5f), %s after %d steps", key, p.Fit.Objective.Value, want.Objective, q.A, want.A, p.Fit.Stop, p.Fit.Iterations)
		}
	}
}
